/// The head of Settings > Integrations (spec §16): whether the server runs, its address, who holds
/// its port, and the switch.
public struct ServerPane: Equatable, Sendable {
    public enum Light: Equatable, Sendable {
        case green, yellow, grey, red
    }

    public let light: Light
    public let headline: String
    /// To copy. Nil if there is none.
    public let address: String?
    /// Sentences, escaped.
    public let notes: [String]
    /// Nil while the daemon is away, so nothing can be switched.
    public let isOn: Bool?

    public init(_ link: LinkState, _ status: DaemonStatus?) {
        guard case .connected = link, let status else {
            (light, address, isOn) = (link.isTroubled ? .red : .grey, nil, nil)
            headline = link.headline
            notes = link.sentence.map { [ShownText.sentence($0)] } ?? []
            return
        }
        headline = ServerPane.headline(status)
        light = status.state == .ready ? .green : status.state == .off ? .grey : .yellow
        address = status.port.map { "http://127.0.0.1:\($0)/mcp" }
        notes = status.notes.map { ShownText.oneLine($0.text) }
        isOn = status.state != .off
    }

    public static func switchCommand(isOn: Bool) -> Command.SettingsSet {
        Command.SettingsSet(key: "enabled", value: .boolean(isOn))
    }

    static func headline(_ status: DaemonStatus) -> String {
        switch status.state {
        case .starting: localized("Sallyport is starting")
        case .ready: localized("Sallyport is running")
        case .paused: localized("Sallyport is paused")
        case .off: localized("The MCP server is switched off")
        case .stopping: localized("Sallyport is stopping")
        }
    }
}

extension Note {
    /// With the advice as a sentence.
    var text: String {
        advice.map { "\(sentence) \($0.prefix(1).uppercased())\($0.dropFirst())." } ?? sentence
    }
}
