/// One request a proved shell may make (spec §11): the type is its parameters, and knows its method
/// and its answer.
public protocol ControlCommand: Codable, Equatable, Sendable {
    associatedtype Answer: Codable & Equatable & Sendable
    static var method: ControlMethod { get }
    /// A person decides on it on a sheet of ours, which is the confirmation in Sallyport.app that a
    /// widening needs (spec §11).
    static var isDecidedOnASheet: Bool { get }
}

extension ControlCommand {
    public static var isDecidedOnASheet: Bool { false }
}

/// Every command there is, each with its parameters as members.
public enum Command {}

extension Command.ApprovalsDecide {
    public static let isDecidedOnASheet = true
}

extension Command.PairingDecide {
    public static let isDecidedOnASheet = true
}
