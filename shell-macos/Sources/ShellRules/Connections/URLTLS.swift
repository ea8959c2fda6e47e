/// How safely a pasted connection asks its server to be reached: the TLS mode and files of its options. Touches no file.
enum URLTLS {
    /// PostgreSQL's words, ours, MySQL's, MariaDB's, Prisma's, Go's and node-postgres's.
    static let modes: [String: TlsMode] = [
        "disable": .disable, "disabled": .disable, "false": .disable, "off": .disable, "no": .disable, "0": .disable,
        "prefer": .prefer, "preferred": .prefer, "require": .require, "required": .require, "no-verify": .require,
        "skip-verify": .require, "trust": .require, "accept-invalid-certs": .require, "verify-ca": .verifyCa,
        "verify-full": .verifyFull, "verify-identity": .verifyFull, "strict": .verifyFull, "true": .verifyFull,
        "on": .verifyFull, "yes": .verifyFull, "1": .verifyFull,
    ]

    static func read(_ given: URLOptions.Given, _ base: PathBase) throws(RefusedURL) -> ParsedConnection.TLS {
        let asked = try mode(given)
        // PostgreSQL's word for the system's own certificate authorities, which are ours without a file.
        let isSystems = given[.caFile] == "system"
        var caFile: String?
        if let typed = given[.caFile], !isSystems {
            caFile = base.absolute(typed)
            if caFile == nil { throw RefusedURL("The path of the CA file must be written out.") }
        }
        // As libpq has it: `require` beside an authority's file is `verify-ca`, and the system's authorities are for `verify-full`.
        var mode = asked
        if isSystems, mode == nil || mode == .require { mode = .verifyFull }
        if caFile != nil, mode == .require { mode = .verifyCa }
        return .init(mode: mode, caFile: caFile, clientCertificate: try clientCertificate(given, base))
    }

    private static func clientCertificate(
        _ given: URLOptions.Given, _ base: PathBase
    ) throws(RefusedURL) -> ClientCertificate? {
        if given[.certificateFile] == nil, given[.keyFile] == nil { return nil }
        guard let certificate = given[.certificateFile], let key = given[.keyFile] else {
            throw RefusedURL("sslcert and sslkey belong together; name both files.")
        }
        guard let certificateFile = base.absolute(certificate), let keyFile = base.absolute(key) else {
            throw RefusedURL("The paths of sslcert and sslkey must be written out.")
        }
        return ClientCertificate(certificateFile: certificateFile, keyFile: keyFile)
    }

    private static func mode(_ given: URLOptions.Given) throws(RefusedURL) -> TlsMode? {
        if let typed = given[.tlsMode] { return try named(typed) }
        var wish: TlsMode?
        if let typed = given[.tlsWish] { wish = try named(typed) }
        if wish == .disable || isTrue(given[.tlsDisabled]) { return .disable }
        if isTrue(given[.trustsServer]) || isFalse(given[.verifiesCertificate]) { return .require }
        if isFalse(given[.verifiesName]), wish == nil || wish == .verifyFull { return .verifyCa }
        let isVerified =
            isTrue(given[.tlsRequired]) || isTrue(given[.verifiesName]) || isTrue(given[.verifiesCertificate])
            || isFalse(given[.trustsServer])
        return wish ?? (isVerified ? .verifyFull : nil)
    }

    private static func named(_ typed: String) throws(RefusedURL) -> TlsMode {
        let word = typed.asciiLowercased.replacing("_" as Unicode.Scalar, with: "-")
        if word == "allow" {
            throw RefusedURL(
                "The TLS mode allow is not one of those that Sallyport takes: it sends the password in clear text first. Write prefer, require or verify-full."
            )
        }
        guard let mode = typed.begins(with: "{") ? ofJSON(typed) : modes[word] else {
            throw RefusedURL("The TLS mode in the URL is not one of disable, prefer, require, verify-ca, verify-full.")
        }
        return mode
    }

    /// mysql2's: `{"rejectUnauthorized":true,"minVersion":"TLSv1.2"}`. Anything more would change how safely. Foundation's decoder ends
    /// the program at some texts that are no JSON, so none of it is given to that.
    private static func ofJSON(_ typed: String) -> TlsMode? {
        guard let (_, inside) = typed.whole(#/\{\s*(.*)\}\s*/#) else { return nil }
        var isChecked = true
        for member in inside.pieces(at: ",") where !inside.isEmpty {
            if let (_, value) = member.whole(#/\s*\x22rejectUnauthorized\x22\s*:\s*(true|false)\s*/#) {
                isChecked = value == "true"
            } else if member.whole(#/\s*\x22minVersion\x22\s*:\s*\x22TLSv1(?:\.[0-2])?\x22\s*/#) == nil {
                return nil
            }
        }
        return isChecked ? .verifyFull : .require
    }

    private static func isTrue(_ typed: String?) -> Bool {
        typed.map { ["true", "1", "on", "yes"].contains($0.asciiLowercased) } ?? false
    }

    private static func isFalse(_ typed: String?) -> Bool {
        typed.map { ["false", "0", "off", "no"].contains($0.asciiLowercased) } ?? false
    }
}
