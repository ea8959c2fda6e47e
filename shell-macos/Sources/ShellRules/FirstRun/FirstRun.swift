import Foundation

/// What Get Started shows: a demo, the databases and AI clients that the terminal's
/// `sallyport setup` finds here, and the owner passphrase. Of what was found nothing is taken that
/// nobody has ticked.
public struct FirstRun: Equatable, Sendable {
    public enum Part: CaseIterable, Sendable {
        case demo, databases, clients, passphrase
    }

    public struct Option: Equatable, Identifiable, Sendable {
        public let id: String
        public let title: String
        public let detail: String
    }

    public struct Row: Equatable, Identifiable, Sendable {
        public let id: Part
        public let title: String
        /// How it stands, or what came of its button; sentences, escaped.
        public let state: String
        public let isDone: Bool
        /// What there is to be ticked.
        public let options: [Option]
        public let button: String
        public let isEnabled: Bool
    }

    private var found: Found?
    private var said: [Part: String] = [:]
    /// Why nothing could be looked for.
    private var problem: String?
    private var isWorking = false
    /// Ids of options.
    public private(set) var chosen: Set<String> = []

    public init() {}

    /// `sallyport setup --json`; no password stands in it.
    private struct Found: Decodable, Equatable {
        struct Database: Decodable, Equatable {
            let name, place, from: String
        }
        struct Client: Decodable, Equatable {
            let client, title, file: String
            let connected: Bool
        }
        let databases: [Database]
        let clients: [Client]
    }

    public static let look = ["setup", "--json"]

    /// What looking came to.
    public mutating func take(_ ran: TerminalProgram.Ran) {
        found = ran.isDone ? try? JSONDecoder().decode(Found.self, from: Data(ran.output.utf8)) : nil
        chosen.formIntersection((databases + clients).map(\.id))
        problem = found == nil ? FirstRun.sentences(ran) : nil
    }

    public mutating func tick(_ id: String, _ isOn: Bool) {
        chosen = isOn ? chosen.union([id]) : chosen.subtracting([id])
    }

    /// - Returns: what the terminal command is to be run with, each by itself.
    public mutating func begin(_ part: Part) -> [[String]] {
        isWorking = true
        switch part {
        case .databases: return [["connections", "import"] + ticked(databases).flatMap { ["--save", $0] }]
        case .clients: return ticked(clients).map { ["connect", $0, "--write"] }
        case .demo, .passphrase: return []
        }
    }

    public mutating func ended(_ part: Part, _ ran: [TerminalProgram.Ran]) {
        isWorking = false
        if !ran.isEmpty { said[part] = ran.map(FirstRun.sentences).joined(separator: "\n") }
    }

    /// - Parameter demo: nil where it could not be made, which is told elsewhere.
    public mutating func made(_ demo: ConnectionView?) {
        isWorking = false
        if let demo { said[.demo] = localized("“\(ShownText.name(demo.name))” is saved.") }
    }

    /// Each on a line of its own, without the program's name in front.
    private static func sentences(_ ran: TerminalProgram.Ran) -> String {
        (ran.output + ran.remarks).split(separator: "\n").map { line in
            ShownText.oneLine(line.hasPrefix("sallyport: ") ? String(line.dropFirst(11)) : String(line))
        }.joined(separator: "\n")
    }

    /// - Parameter isPassing: an entry in a client's file would lead to a place that is gone soon.
    public func rows(_ status: DaemonStatus?, isPassing: Bool) -> [Row] {
        let passphrase = PassphrasePane(status) { $0.formatted(date: .abbreviated, time: .shortened) }
        let isConnected = status != nil && !isWorking
        return [
            Row(
                id: .demo, title: localized("A demo"),
                state: said[.demo] ?? localized("A small shop in a file of its own, to try questions on."),
                isDone: said[.demo] != nil, options: [], button: localized("Make the Demo"), isEnabled: isConnected),
            Row(
                id: .databases, title: localized("Databases here"),
                state: said[.databases] ?? problem ?? state(of: databases.count),
                isDone: (status?.connections ?? 0) > 0, options: databases, button: localized("Save"),
                isEnabled: isConnected && !ticked(databases).isEmpty),
            Row(
                id: .clients, title: localized("AI clients here"),
                state: isPassing ? BundlePlace.moveSentence : said[.clients] ?? problem ?? stateOfClients,
                isDone: found?.clients.contains(where: \.connected) == true, options: isPassing ? [] : clients,
                button: localized("Connect"), isEnabled: isConnected && !isPassing && !ticked(clients).isEmpty),
            Row(
                id: .passphrase, title: localized("Owner passphrase"), state: passphrase.explanation,
                isDone: status?.passphrase.state == .set, options: [], button: PassphrasePane.Action.choose.label,
                isEnabled: isConnected && passphrase.actions.contains(.choose)),
        ]
    }

    private var databases: [Option] {
        (found?.databases ?? []).map { each in
            Option(
                id: each.place, title: ShownText.name(each.name),
                detail: listed([ShownText.oneLine(each.place), ShownText.oneLine(each.from)]))
        }
    }

    private var clients: [Option] {
        (found?.clients ?? []).filter { !$0.connected }.map { each in
            Option(id: each.client, title: ShownText.name(each.title), detail: ShownText.oneLine(each.file))
        }
    }

    private func ticked(_ options: [Option]) -> [String] { options.map(\.id).filter(chosen.contains) }

    private func state(of count: Int) -> String {
        if found == nil { return localized("Looking…") }
        return count == 0
            ? localized("None was found that is not saved yet.")
            : counted(
                count, one: "\(number: count) was found; tick it to save it.",
                other: "\(number: count) were found; tick those to save.")
    }

    private var stateOfClients: String {
        guard let found else { return localized("Looking…") }
        if found.clients.isEmpty { return localized("None was found here.") }
        let connected = found.clients.filter(\.connected).map { ShownText.name($0.title) }
        return connected.isEmpty ? localized("Tick those that may use Sallyport.") : localized("Connected: \(listed(connected))")
    }
}

extension ShellState {
    /// The menu leads to Get Started then.
    var isWithoutConnections: Bool { link == .connected && status?.connections == 0 }

    /// In a new home that the person has opened by hand: once, and over nothing that asks.
    mutating func offerFirstRun() -> [ShellEffect] {
        guard presence.wasOpenedByHand, !hasShownFirstRun, !isPassing, isWithoutConnections,
            status?.passphrase.state == .some(.none),
            everyWaitingCount == 0, pairings.current == nil
        else { return [] }
        hasShownFirstRun = true
        return [.showWindow(.firstRun)]
    }
}
