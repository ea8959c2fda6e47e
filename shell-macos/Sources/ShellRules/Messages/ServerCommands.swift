/// Commands about the daemon itself: state, settings, demo.

extension Command {
    public struct Status: ControlCommand {
        public typealias Answer = DaemonStatus
        public static let method = ControlMethod.status
        public init() {}
    }

    /// Answered before the daemon begins to stop.
    public struct Stop: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var pid: Int
        }
        public static let method = ControlMethod.stop
        public init() {}
    }

    public struct PauseAnswer: Codable, Equatable, Sendable {
        public var paused: Bool
    }

    public struct Pause: ControlCommand {
        public typealias Answer = PauseAnswer
        public static let method = ControlMethod.pause
        public init() {}
    }

    public struct Resume: ControlCommand {
        public typealias Answer = PauseAnswer
        public static let method = ControlMethod.resume
        public init() {}
    }

    public struct ListSettings: ControlCommand {
        public struct Answer: Codable, Equatable, Sendable {
            public var settings: [SettingView]
        }
        public static let method = ControlMethod.listSettings
        public init() {}
    }

    public struct GetSetting: ControlCommand {
        public typealias Answer = SettingView
        public static let method = ControlMethod.getSetting
        public var key: String
        public init(key: String) { self.key = key }
    }

    /// Answered once it is in effect.
    public struct SetSetting: ControlCommand {
        public typealias Answer = SettingView
        public static let method = ControlMethod.setSetting
        public var key: String
        public var value: SettingValue

        public init(key: String, value: SettingValue) {
            self.key = key
            self.value = value
        }
    }

    /// Makes the demo database afresh and saves it as the connection `Demo`.
    public struct CreateDemo: ControlCommand {
        public typealias Answer = ConnectionView
        public static let method = ControlMethod.createDemo
        public init() {}
    }
}
