/// What a person pastes into an AI client so that it reaches Sallyport (spec §16): the same texts as `sallyport connect` prints. Only
/// text; writes no client's file.
public struct ClientConfig: Codable, Equatable, Sendable {
    public enum Format: String, Codable, Sendable {
        case json, yaml, toml, shell
    }

    /// As `sallyport connect` names it.
    public var client: String
    /// As people call it.
    public var title: String
    /// The file it belongs in, or what to do with it.
    public var `where`: String
    public var format: Format
    public var text: String
}

public enum ClientConfigs {
    private static let server = "sallyport"
    /// Seconds a command-line agent waits for a call (spec §16).
    private static let agentTimeoutSeconds = 300

    /// - Parameter bridgePath: the absolute path of this install's `sallyport-mcp`.
    public static func stdio(bridgePath path: String) -> [ClientConfig] {
        [
            config(
                "claude-desktop", "Claude Desktop", "claude_desktop_config.json (Settings > Developer > Edit Config)", .json,
                chat(path)),
            config("claude-code", "Claude Code", "run in a terminal", .shell, terminalAgent(path)),
            config("cursor", "Cursor", "~/.cursor/mcp.json", .json, chat(path)),
            config("vscode", "VS Code", ".vscode/mcp.json (VS Code 1.99 or later)", .json, editor(path)),
            config("continue", "Continue", ".continue/mcpServers/sallyport.yaml", .yaml, assistantExtension(path)),
            config("zed", "Zed", "settings.json", .json, codeEditor(path)),
            config("goose", "Goose", "~/.config/goose/config.yaml", .yaml, commandLineAgent(path)),
            config("windsurf", "Windsurf", "~/.codeium/windsurf/mcp_config.json", .json, chat(path)),
            config("cline", "Cline", "cline_mcp_settings.json (MCP Servers > Configure)", .json, chat(path)),
            config("codex", "Codex", "~/.codex/config.toml", .toml, tableAgent(path)),
            config("gemini", "Gemini CLI", "~/.gemini/settings.json", .json, chat(path)),
            config("jetbrains", "JetBrains Junie", "~/.junie/mcp/mcp.json", .json, chat(path)),
            config("opencode", "opencode", "~/.config/opencode/opencode.json", .json, listAgent(path)),
            config(
                "amp", "Amp", "~/.config/amp/settings.json", .json,
                entry("amp.mcpServers", ["\"command\": \(JavaScriptText.quoted(path))"])),
            config("lmstudio", "LM Studio", "mcp.json (Program > Install > Edit mcp.json)", .json, chat(path)),
        ]
    }

    /// - Parameter token: a minted token, or words that stand for one.
    public static func http(port: Int, token: String) -> [ClientConfig] {
        let url = "\"url\": \(JavaScriptText.quoted("http://127.0.0.1:\(port)/mcp"))"
        let headers = """
            "headers": {
                    "Authorization": \(JavaScriptText.quoted("Bearer \(token)"))
                  }
            """
        return [
            config("http", "HTTP", "the client's MCP configuration", .json, entry("mcpServers", [url, headers])),
            config(
                "http", "HTTP, where the client wants a type", "the client's MCP configuration", .json,
                entry("mcpServers", ["\"type\": \"streamable-http\"", url, headers])),
        ]
    }

    private static func config(
        _ client: String, _ title: String, _ place: String, _ format: ClientConfig.Format, _ text: String
    ) -> ClientConfig {
        ClientConfig(client: client, title: title, where: place, format: format, text: text)
    }

    private static func chat(_ path: String) -> String {
        entry("mcpServers", ["\"command\": \(JavaScriptText.quoted(path))"])
    }

    private static func editor(_ path: String) -> String {
        entry("servers", ["\"type\": \"stdio\"", "\"command\": \(JavaScriptText.quoted(path))"])
    }

    private static func codeEditor(_ path: String) -> String {
        entry("context_servers", ["\"command\": \(JavaScriptText.quoted(path))", "\"args\": []"])
    }

    private static func entry(_ key: String, _ members: [String]) -> String {
        """
        {
          "\(key)": {
            "\(server)": {
              \(members.joined(separator: ",\n      "))
            }
          }
        }
        """
    }

    private static func assistantExtension(_ path: String) -> String {
        """
        name: Sallyport
        version: 0.0.1
        schema: v1
        mcpServers:
          - name: \(server)
            type: stdio
            command: \(JavaScriptText.quoted(path))
        """
    }

    private static func commandLineAgent(_ path: String) -> String {
        """
        extensions:
          \(server):
            name: \(server)
            type: stdio
            cmd: \(JavaScriptText.quoted(path))
            args: []
            enabled: true
            timeout: \(agentTimeoutSeconds)
        """
    }

    private static func tableAgent(_ path: String) -> String {
        // TOML wants DEL escaped, which JSON does not.
        let quoted = JavaScriptText.quoted(path).replacing("\u{7f}" as Unicode.Scalar, with: "\\u007f")
        return "[mcp_servers.\(server)]\ncommand = \(quoted)"
    }

    private static func listAgent(_ path: String) -> String {
        let command = "\"command\": [\n        \(JavaScriptText.quoted(path))\n      ]"
        return entry("mcp", ["\"type\": \"local\"", command, "\"enabled\": true"])
    }

    private static func terminalAgent(_ path: String) -> String {
        "claude mcp add \(server) -- \(shellWord(path))"
    }

    /// As it is where no shell would touch it, else single-quoted.
    private static func shellWord(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_/.+@%:=,-".unicodeScalars)
        if !text.isEmpty, text.unicodeScalars.allSatisfy(plain.contains) { return text }
        return "'\(text.replacing("'" as Unicode.Scalar, with: "'\\''"))'"
    }
}
