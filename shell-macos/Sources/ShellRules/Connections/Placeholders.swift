/// What consoles, manuals, shells and templates put where a person's own value belongs: `[YOUR-PASSWORD]`, `<host>`, `${DB_USER}`,
/// `$DB_USER`, `********`.
enum Placeholders {
    /// - Parameter part: a password or the name of a database.
    static func isOne(_ part: String) -> Bool {
        let lower = part.asciiLowercased
        return lower.whole(#/\[[a-z][a-z0-9_ .-]{2,}\]|<[a-z][a-z0-9_ .-]{2,}>|\{{1,2}[a-z][a-z0-9_ .-]{2,}\}{1,2}/#) != nil
            || lower.whole(#/\$\(.+\)|%[a-z][a-z_]{2,}%/#) != nil
            || part.whole(#/\$[A-Z][A-Z0-9_]{2,63}|\$[a-z_]{0,24}(?:password|passwd|pass|pwd|pw|secret)/#) != nil
            || part.whole(#/.*\$\{[^{}]*\}.*/#) != nil
            || lower.whole(
                #/your[-_ ][a-z_ -]{0,24}(?:password|secret|user|username|host|hostname|endpoint|database|dbname|db|name|ref)/#)
                != nil
            || part.whole(#/(?:DB_|DATABASE_|MY_|THE_)?(?:PASSWORD|PASS|USER|USERNAME|HOST|HOSTNAME|DATABASE|DBNAME|PORT)/#) != nil
            || lower.whole(#/[a-z_]{0,12}\*{4,}|[x•]{6,}/#) != nil
    }

    /// - Parameter part: a host or a user, of which a piece may be one: `db.[YOUR-PROJECT-REF].supabase.co`, `$DB_HOST:$DB_PORT`.
    static func isHeld(in part: Substring) -> Bool {
        part.asciiLowercased.whole(#/.*(?:\[[a-z][a-z_ -]{2,}\]|<[a-z][a-z0-9_ -]{2,}>|\$\{).*/#) != nil
            || part.whole(#/\$[A-Z][A-Z0-9_]{2,}:.*/#) != nil || isOne(String(part))
    }

    /// A text that is nothing else, in the place of a whole connection: `${{Postgres.DATABASE_URL}}`.
    static func isReference(_ text: String) -> Bool {
        ["$", "%", "<", "[", "{"].contains { text.begins(with: $0) } && isOne(plain(text))
    }

    /// With what templates fill in (`{{ x }}`, `<%= x %>`, `#{x}`, `%X%`) in the one form that a URL may hold.
    static func plain(_ text: String) -> String {
        let filledIn = #/\$?\{\{[^{}]*\}\}|<%[^%]*%>|\x23\{[^{}]*\}/#.matchingSemantics(.unicodeScalar)
        let ofWindows = #/([:\/@=])%[A-Z][A-Z_]{2,}%(?=[@:\/?&]|\z)/#.matchingSemantics(.unicodeScalar)
        return text.replacing(filledIn) { _ in one }.replacing(ofWindows) { "\($0.output.1)\(one)" }
    }

    private static let one = "${placeholder}"
}
