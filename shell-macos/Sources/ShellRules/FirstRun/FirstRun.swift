import Foundation

/// What Get Started shows: a demo, the databases and AI clients that `sallyport setup` finds, and
/// the owner passphrase. Only ticked ones are taken.
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
        /// The state, or the result of its button. Sentences, escaped.
        public let state: String
        public let isDone: Bool
        /// The options to tick.
        public let options: [Option]
        public let button: String
        public let isEnabled: Bool
    }

    private var found: Found?
    private var said: [Part: String] = [:]
    /// Why the search failed.
    private var problem: String?
    private var isWorking = false
    /// Ids of options.
    public private(set) var chosen: Set<String> = []

    public init() {}

    /// The output of `sallyport setup --json`. It holds no password.
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

    /// Takes the result of the search.
    public mutating func take(_ ran: TerminalProgram.Ran) {
        found = ran.isDone ? try? JSONDecoder().decode(Found.self, from: Data(ran.output.utf8)) : nil
        chosen.formIntersection((databases + clients).map(\.id))
        // Its output is for programs.
        problem = found == nil ? FirstRun.sentences(ran.remarks) : nil
    }

    public mutating func tick(_ id: String, _ isOn: Bool) {
        chosen = isOn ? chosen.union([id]) : chosen.subtracting([id])
    }

    /// - Returns: the arguments of each run of the terminal command.
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
        if !ran.isEmpty { said[part] = ran.map { FirstRun.sentences($0.output + $0.remarks) }.joined(separator: "\n") }
    }

    /// - Parameter demo: nil if it could not be made. The person is told elsewhere.
    public mutating func made(_ demo: ConnectionView?) {
        isWorking = false
        if let demo { said[.demo] = localized("“\(ShownText.name(demo.name))” is saved.") }
    }

    /// Each sentence on its own line, without the program's name.
    private static func sentences(_ said: String) -> String {
        said.split(separator: "\n").map { line in
            ShownText.oneLine(line.hasPrefix("sallyport: ") ? String(line.dropFirst(11)) : String(line))
        }.joined(separator: "\n")
    }

    /// - Parameter isPassing: the app's path is temporary, so no client's file may name it.
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
    /// The menu then offers Get Started.
    var isWithoutConnections: Bool { link == .connected && status?.connections == 0 }

    /// Get Started once, alone and at once, so that a person sees what starts; else Settings. In a
    /// home that is known to have connections nothing has to be got started.
    mutating func windowOfALaunch() -> ShellEffect {
        guard !hasShownFirstRun, !isPassing, status == nil || isWithoutConnections else { return .showSettings(.connections) }
        hasShownFirstRun = true
        return .showWindow(.firstRun)
    }
}
