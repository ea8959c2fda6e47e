import Foundation

/// Reads the data source name of Go's MySQL driver, `user:password@tcp(host:3306)/database?parseTime=true`. Part of `ConnectionURL`.
enum GoName {
    /// Nil for what has no such form. The password in it is not encoded, and may hold any sign.
    static func read(_ text: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection? {
        let form = #/(.*)@([A-Za-z+]*)(?:\(([^()]*)\))?(\/[^\/]*)/#
        guard !ConnectionURL.holdsURL(text), let (_, account, network, address, rest) = text.whole(form) else { return nil }
        let word = network.asciiLowercased
        let isWritten = (word == "tcp" || word == "unix") && address != nil
        // All else may be a path, a pair of libpq's or a piece of something else.
        if !isWritten, !isNameBeforePassword(account) { return nil }
        if word == "unix", let address {
            let joint = rest.has("?") ? "&" : "?"
            return try read(account, "\(rest)\(joint)socket=\(encoded(address))", base)
        }
        if word == "tcp" || word.isEmpty && address == nil {
            return try read(account, "\(address ?? "127.0.0.1")\(rest)", base)
        }
        if address == nil { return nil }
        throw RefusedURL(
            "Of the names of Go's driver Sallyport reads tcp(…) and unix(…) alone; name a host, or the socket of a proxy on this machine."
        )
    }

    private static func isNameBeforePassword(_ account: Substring) -> Bool {
        let (name, password) = account.cut(at: ":")
        guard password != nil, let first = name.unicodeScalars.first, first != ".", first != "~" else { return false }
        return !name.unicodeScalars.contains { $0.isSpaceInJavaScript || $0 == "=" || $0 == "/" }
    }

    private static func read(
        _ account: Substring, _ place: String, _ base: PathBase
    ) throws(RefusedURL) -> ParsedConnection {
        let (user, password) = account.cut(at: ":")
        let encodedAccount = encoded(user) + (password.map { ":\(encoded($0))" } ?? "")
        return try ServerURL.read(.mysql, "//\(encodedAccount)@\(place)", base)
    }

    /// As JavaScript's `encodeURIComponent`.
    private static func encoded(_ text: Substring) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
