/// What the daemon says of itself and of its settings (spec §11, §16).

public enum ServerState: String, Codable, Sendable {
    /// `ready` once clients are answered; `paused` while all are refused; `off` where the server is switched off.
    case starting, ready, paused, off, stopping
}

public enum SecretPlace: String, Codable, Sendable {
    case keychain, file
}

public struct DaemonStatus: Codable, Equatable, Sendable {
    public var version: String
    public var pid: Int
    public var instance: String
    public var home: String
    public var startedAt: String
    public var state: ServerState
    /// The TCP port bound on 127.0.0.1.
    @OrNull public var port: Int?
    public var secrets: SecretPlace
    public var passphrase: PassphraseStatus
    public var connections: Int
    public var tokens: Int
    /// What clients were refused and the person may allow.
    public var requestsWaiting: Int
    /// Sentences a person ought to read.
    public var notes: [String]
    /// The shells connected now, as they call themselves.
    public var shells: [String]
}

public struct ServerChange: Codable, Equatable, Sendable {
    public var state: ServerState
    @OrNull public var port: Int?
    public var notes: [String]
}

public struct SettingView: Codable, Equatable, Identifiable, Sendable {
    public var key: String
    public var value: SettingValue
    public var `default`: SettingValue
    /// What people call it in a form, and the heading it stands under there; both in English.
    public var label: String
    public var group: String
    public var about: String
    /// Completes "it takes …".
    public var accepts: String
    /// `switch`, `choice` or `number`; what doesn't belong to its kind is empty.
    public var kind: String
    public var choices: [String]
    @OrNull public var least: Int?
    @OrNull public var most: Int?
    @OrNull public var unit: String?
    /// What 0 stands for, where it is accepted although it is out of the range.
    @OrNull public var zeroMeans: String?

    public var id: String { key }
}

public enum SettingValue: Equatable, Sendable {
    case yesOrNo(Bool)
    case number(Int)
    case word(String)
}

extension SettingValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .yesOrNo(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(value)
        } else {
            self = .word(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .yesOrNo(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .word(let value): try container.encode(value)
        }
    }
}
