/// Reads what a daemon of another version says of the desk: each ask by itself, so that one of an
/// unknown kind hides no other.
extension KeyedDecodingContainer {
    public func decode(_ type: [AskView].Type, forKey key: Key) throws -> [AskView] {
        try decode([Readable].self, forKey: key).compactMap(\.ask)
    }
}

private struct Readable: Decodable {
    let ask: AskView?

    init(from decoder: any Decoder) { ask = try? AskView(from: decoder) }
}

/// A notification that can't be read in full, and says that nothing is asked: only what has ended.
struct EndedNotification: Decodable {
    private enum Member: CodingKey { case params, asked }

    init(from decoder: any Decoder) throws {
        let params = try decoder.container(keyedBy: Member.self).nestedContainer(keyedBy: Member.self, forKey: .params)
        guard try params.decodeNil(forKey: .asked) else {
            throw DecodingError.dataCorruptedError(forKey: .asked, in: params, debugDescription: "asked")
        }
    }
}
