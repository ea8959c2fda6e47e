import Foundation

/// The choices of the Activity table's filters, and what people read for them.
extension ActivityTable {
    public enum Span: Int, CaseIterable, Identifiable, Sendable {
        case always = 0
        case hour = 3_600
        case day = 86_400
        case week = 604_800
        case month = 2_592_000

        public var id: Int { rawValue }

        public var label: String {
            switch self {
            case .always: "Any Time"
            case .hour: "Last Hour"
            case .day: "Last Day"
            case .week: "Last 7 Days"
            case .month: "Last 30 Days"
            }
        }

        public func since(_ now: Date) -> Date? {
            self == .always ? nil : now.addingTimeInterval(-Double(rawValue))
        }
    }
}

extension ActivityCategory {
    public var label: String {
        switch self {
        case .auth: "Authentication"
        case .access: "Access"
        case .admin: "Administration"
        case .query: "Statements"
        case .tool: "Tools"
        case .resource: "Resources"
        }
    }
}

extension ActivityOutcome {
    public var label: String {
        switch self {
        case .success: "Success"
        case .denied: "Denied"
        case .error: "Error"
        case .rateLimited: "Rate Limited"
        }
    }
}
