/// The owner passphrase (spec §11): what is known of it, nothing of itself; and what is asked about it.
public struct PassphraseStatus: Codable, Equatable, Sendable {
    public enum State: String, Codable, Sendable {
        /// Nothing can be allowed by it until one is chosen.
        case notChosen = "none"
        case set
        /// Nothing has to be confirmed.
        case off
    }

    /// Who chose it, or switched it off.
    public struct Chosen: Codable, Equatable, Sendable {
        public var at: String
        /// Which program on which terminal, in its own words too.
        public var by: String
        /// When the person said that it was them.
        @OrNull public var confirmedAt: String?
    }

    /// A new one, which counts from `countsAt` on.
    public struct Reset: Codable, Equatable, Sendable {
        /// UUID.
        public var id: String
        public var at: String
        public var by: String
        public var countsAt: String
    }

    public var state: State
    @OrNull public var chosen: Chosen?
    @OrNull public var reset: Reset?
}

extension Command {
    /// A first one, or another in its place.
    public struct SetPassphrase: ControlCommand {
        public typealias Answer = PassphraseStatus
        public static let method = ControlMethod.setPassphrase
        public var passphrase: String
        public init(passphrase: String) { self.passphrase = passphrase }
    }

    public struct SwitchOffPassphrase: ControlCommand {
        public typealias Answer = PassphraseStatus
        public static let method = ControlMethod.switchOffPassphrase
        public init() {}
    }

    /// For a forgotten one: what it allowed is taken back, and the new one counts after a day.
    public struct ResetPassphrase: ControlCommand {
        public typealias Answer = PassphraseStatus
        public static let method = ControlMethod.resetPassphrase
        public var passphrase: String
        public init(passphrase: String) { self.passphrase = passphrase }
    }

    /// The person says that it was them who chose it.
    public struct ConfirmPassphrase: ControlCommand {
        public typealias Answer = PassphraseStatus
        public static let method = ControlMethod.confirmPassphrase
        public init() {}
    }
}
