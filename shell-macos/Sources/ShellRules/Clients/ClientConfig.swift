/// What a person pastes into an AI client so that it reaches Sallyport, as the daemon writes it (spec §16).
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
