/// What people paste of a terminal: `psql 'postgresql://…'` is read as its URL. Part of `ConnectionURL`; runs nothing.
enum PastedCommand {
    /// The one connection that is given to a program; nil for what is no such line.
    static func connection(in text: String) throws(RefusedURL) -> String? {
        // Variables before the program, and what stands behind it.
        let form =
            #/(?i)((?:[A-Za-z0-9_]+=(?:'[^']*'|\x22[^\x22]*\x22|[^ '\x22]*) +)*)(?:psql|pgcli|pg_dump|pg_restore|usql|cockroach|mysql|mysqldump|mysqlsh|mycli|mariadb|mariadb-dump|sqlite3|litecli|docker|podman|kubectl|sudo) +(.*)/#
        guard let (_, variables, given) = text.whole(form) else { return nil }
        let trimmed = PastedText.trimmed(given)
        let option = #/(?i)(?:sql +)?(?:(?:-d|--dbname|--url|--uri)[ =] *)?(.*)/#
        let alone = trimmed.whole(option).map { String($0.1) } ?? trimmed
        if variables.isEmpty {
            if let (_, inside) = alone.whole(#/\x22([^\x22]*)\x22/#) { return String(inside) }
            if let (_, inside) = alone.whole(#/'([^']*)'/#) { return String(inside) }
            if alone.whole(#/[A-Za-z][A-Za-z0-9+.-]*:\/\/[^ '\x22]+/#) != nil { return alone }
        }
        throw RefusedURL(
            "That is a command line; write the server, port, database and user that it names as postgres://user@host:port/database or mysql://user@host:port/database, and give the password apart."
        )
    }
}
