/// What consoles and manuals put where a person's own value belongs: `[YOUR-PASSWORD]`, `<host>`, `${DB_USER}`, `********`.
enum Placeholders {
    /// - Parameter part: a password or the name of a database.
    static func isOne(_ part: String) -> Bool {
        let lower = part.asciiLowercased
        return lower.whole(#/\[[a-z][a-z0-9_ .-]{2,}\]|<[a-z][a-z0-9_ .-]{2,}>|\{{1,2}[a-z][a-z0-9_ .-]{2,}\}{1,2}/#) != nil
            || lower.whole(#/\$\{.+\}|\$\(.+\)|%[a-z][a-z_]{2,}%/#) != nil
            || lower.whole(
                #/your[-_ ][a-z_ -]{0,24}(?:password|secret|user|username|host|hostname|endpoint|database|dbname|db|name|ref)/#)
                != nil
            || part.whole(#/(?:DB_|DATABASE_|MY_|THE_)?(?:PASSWORD|PASS|USER|USERNAME|HOST|HOSTNAME|DATABASE|DBNAME|PORT)/#) != nil
            || lower.whole(#/[a-z_]{0,12}\*{4,}|[x•]{6,}/#) != nil
    }

    /// - Parameter part: a host or a user, of which a piece may be one: `db.[YOUR-PROJECT-REF].supabase.co`.
    static func isHeld(in part: Substring) -> Bool {
        part.asciiLowercased.whole(#/.*(?:\[[a-z][a-z_ -]{2,}\]|<[a-z][a-z0-9_ -]{2,}>|\$\{).*/#) != nil || isOne(String(part))
    }
}
