/// One request that a proved shell may make (spec §11). The type holds the parameters, the method
/// and the answer.
public protocol ControlCommand: Codable, Equatable, Sendable {
    associatedtype Answer: Codable & Equatable & Sendable
    static var method: ControlMethod { get }
    /// It takes access away or tells the state, and holds no secret. The daemon takes it without a
    /// proof (spec §11); it refuses what gives more.
    var isBrake: Bool { get }
}

extension ControlCommand {
    public var isBrake: Bool { false }
}

extension Command.ConnectionsSave {
    public var isBrake: Bool {
        connection != nil
            && self == Command.ConnectionsSave(connection: connection, externalClients: externalClients, aiPolicy: aiPolicy)
    }
}

extension Command.ConnectionsForm {
    /// What else is pasted or typed may be a secret, which nobody gets without a proof.
    public var isBrake: Bool {
        url == nil && (typed ?? [:]).keys.allSatisfy(["externalClients", "externalClients.forSeconds", "aiPolicy"].contains)
    }
}

extension Command.SettingsSet {
    public var isBrake: Bool { key == "enabled" }
}

/// Every command, with its parameters as members.
public enum Command {}
