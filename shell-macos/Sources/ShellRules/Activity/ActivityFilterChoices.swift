import Foundation

/// The choices of the Activity table's filters, with their labels.
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
            case .always: localized("Any Time")
            case .hour: localized("Last Hour")
            case .day: localized("Last Day")
            case .week: localized("Last 7 Days")
            case .month: localized("Last 30 Days")
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
        case .auth: localized("Authentication")
        case .access: localized("Access")
        case .admin: localized("Administration")
        case .query: localized("Statements")
        case .tool: localized("Tools")
        case .resource: localized("Resources")
        }
    }
}

extension ActivityOutcome {
    public var label: String {
        switch self {
        case .success: localized("Success")
        case .denied: localized("Denied")
        case .error: localized("Error")
        case .rateLimited: localized("Rate Limited")
        case .unknown: localized("Outcome Unknown")
        }
    }
}
