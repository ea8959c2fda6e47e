/// The Connect a Client sheet (spec §16): for each of four kinds of client, numbered steps and the
/// text to copy.
public struct ConnectClientSheet: Equatable, Sendable {
    public enum Kind: String, Worded, Sendable {
        case chat, editor, terminal, http

        public static let labels: [String: Wording] = [
            "chat": "Chat App", "editor": "VS Code", "terminal": "Claude Code", "http": "HTTP",
        ]

        public var explanation: String {
            switch self {
            case .chat: localized("Claude Desktop, Cursor, Windsurf, Cline and most others with an mcpServers file.")
            case .editor: localized("VS Code 1.99 or later.")
            case .terminal: localized("Claude Code, in a terminal.")
            case .http: localized("A client that speaks HTTP, with a token of its own.")
            }
        }
    }

    public struct Step: Equatable, Identifiable, Sendable {
        public let number: Int
        public let text: String
        /// The text that the step's Copy button copies. Nil for a step without a button.
        public let snippet: String?

        public var id: Int { number }
    }

    public var kind: Kind
    /// Nil while the server is not running.
    public let port: Int?
    private var snippets: [SnippetView] = []
    private var missing: String?

    public init(kind: Kind = .chat, port: Int?) {
        self.kind = kind
        self.port = port
    }

    /// Takes the snippets of the daemon. They hold no token: a token is shown once, and elsewhere.
    public mutating func take(_ answer: Result<Command.SnippetsList.Answer, ControlClient.Failure>) {
        switch answer {
        case .success(let listed): (snippets, missing) = (listed.snippets, listed.notes.first.map(ShownText.oneLine))
        case .failure(let failure): (snippets, missing) = ([], failure.sentence)
        }
    }

    /// Why a step has nothing to copy. Nil if all have, or if the step says so itself.
    public var problem: String? { kind == .http || steps.contains { $0.snippet != nil } ? nil : missing }

    public var steps: [Step] {
        let texts: [(String, String?)] =
            switch kind {
            case .chat:
                [
                    (localized("Open the client's MCP configuration. In Claude Desktop: Settings > Developer > Edit Config."), nil),
                    (localized("Add this, beside the servers that stand there already."), snippet("claude-desktop")),
                    (localized("Save the file and restart the client. Sallyport is started by itself when it is needed."), nil),
                ]
            case .editor:
                [
                    (
                        localized("Open .vscode/mcp.json in the workspace, or run “MCP: Open User Configuration” for all of them."),
                        nil
                    ),
                    (localized("Add this, beside the servers that stand there already."), snippet("vscode")),
                    (localized("Save the file and choose Start above the entry."), nil),
                ]
            case .terminal:
                [
                    (localized("Run this in a terminal, in the project it is for."), snippet("claude-code")),
                    (localized("Start Claude Code there, and type /mcp to see it connected."), nil),
                ]
            case .http: httpTexts
            }
        return texts.enumerated().map { Step(number: $0.offset + 1, text: $0.element.0, snippet: $0.element.1) }
    }

    private var httpTexts: [(String, String?)] {
        guard let port else {
            return [(localized("The server is not running. Switch it on under Integrations; its port then stands here."), nil)]
        }
        let configs = snippets.filter { $0.client == "http" }
        return [
            (localized("Make a token under Integrations > Authentication and copy it: it is shown once."), nil),
            (localized("Add this to the client's MCP configuration, with the token in its place."), configs.first?.text),
            (localized("If the client wants the kind of transport named, add this instead."), configs.last?.text),
            (localized("A client on another machine needs an SSH forward of port \(String(port)) to this Mac."), nil),
        ]
    }

    private func snippet(_ client: String) -> String? {
        snippets.first { $0.client == client }?.text
    }
}
