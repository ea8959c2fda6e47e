import Foundation

/// Reads the data source name of Go's MySQL driver, `user:password@tcp(host:3306)/database?parseTime=true`. Part of `ConnectionURL`.
enum GoName {
    /// Nil for what has no such form. The password in it is not encoded, and may hold any sign.
    static func read(_ text: String, _ base: PathBase) throws(RefusedURL) -> ParsedConnection? {
        let form = #/(.*)@([Tt][Cc][Pp]|[Uu][Nn][Ii][Xx])\(([^()]*)\)(\/[^\/]*)/#
        guard !ConnectionURL.holdsURL(text), let (_, account, network, address, rest) = text.whole(form) else { return nil }
        let (user, password) = account.cut(at: ":")
        let encodedAccount = encoded(user) + (password.map { ":\(encoded($0))" } ?? "")
        if network.asciiLowercased == "tcp" { return try ServerURL.read(.mysql, "//\(encodedAccount)@\(address)\(rest)", base) }
        let joint = rest.has("?") ? "&" : "?"
        return try ServerURL.read(.mysql, "//\(encodedAccount)@\(rest)\(joint)socket=\(encoded(address))", base)
    }

    /// As JavaScript's `encodeURIComponent`.
    private static func encoded(_ text: Substring) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
