/// What is wrong with the connection editor's fields, told while they are typed. The daemon has the
/// last word.
extension ConnectionForm {
    static let mostStatementSeconds = 300
    static let mostRows = 10_000
    static let mostWriteRows = 1_000_000
    /// The daemon takes less, in UTF-16.
    static let mostHostsLength = 8_192
    public static let colours = ["red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "grey"]

    /// Sentences. Save is dimmed while there are any.
    public var problems: [Field: String] {
        var problems: [Field: String] = [:]
        problems[.name] = nameProblem
        problems[.tags] = tagsProblem
        problems[.group] = fields.group.isEmpty ? nil : Printable.problem(fields.group, most: 64)
        problems[.statementTimeoutSeconds] = number(fields.statementTimeoutSeconds, ConnectionForm.mostStatementSeconds) { most in
            localized("1 to \(number: most) seconds are expected, or nothing.")
        }
        problems[.rowLimit] = number(fields.rowLimit, ConnectionForm.mostRows) { most in
            localized("1 to \(number: most) rows are expected, or nothing.")
        }
        problems[.writeRowLimit] = number(fields.writeRowLimit, ConnectionForm.mostWriteRows) { most in
            localized("1 to \(number: most) rows are expected, or nothing.")
        }
        problems[.timeZone] = fields.timeZone.isEmpty ? nil : Printable.problem(fields.timeZone, most: 64)
        problems[.colour] = colourProblem
        if fields.engine == .sqlite {
            problems[.filePath] = pathProblem(fields.filePath, localized("The path of the database file is needed."))
        } else {
            addServerProblems(to: &problems)
        }
        return problems
    }

    private func addServerProblems(to problems: inout [Field: String]) {
        switch fields.place {
        case .host:
            problems[.host] = hostProblem
            if !fields.port.isEmpty, WholeNumber.read(fields.port, within: 1...65_535) == nil {
                problems[.port] = localized("A port from 1 to 65535 is expected.")
            }
        case .socket: problems[.socketPath] = pathProblem(fields.socketPath, localized("The path of the socket is needed."))
        }
        problems[.database] = fields.database.isEmpty ? nil : Printable.problem(fields.database, most: 255)
        problems[.user] = fields.user.isEmpty ? nil : Printable.problem(fields.user, most: 255)
        problems[.password] = passwordProblem
        addClientCertificateProblems(to: &problems)
        if !fields.caFile.isEmpty {
            problems[.caFile] = pathProblem(fields.caFile, "")
            if fields.tlsMode?.checksCertificate == false {
                problems[.caFile] = localized("This TLS mode checks no certificate, so a CA file would be of no use.")
            }
        }
    }

    private func addClientCertificateProblems(to problems: inout [Field: String]) {
        let missing = localized("A client certificate and its key belong together; name both files.")
        if !fields.certificateFile.isEmpty || !fields.keyFile.isEmpty {
            problems[.certificateFile] = pathProblem(fields.certificateFile, missing)
            problems[.keyFile] = pathProblem(fields.keyFile, missing)
        } else if !fields.keyPassphrase.isEmpty {
            problems[.keyPassphrase] = localized("There is no client key that this passphrase could open.")
        }
        if fields.keyPassphrase.has("\0") || fields.keyPassphrase.utf8.count > 1_024 {
            problems[.keyPassphrase] = localized("A passphrase of at most 1,024 bytes is expected.")
        }
    }

    private var nameProblem: String? {
        if fields.name.isEmpty { return localized("A name is needed: clients ask for the connection by it.") }
        if Printable.isId(fields.name) { return localized("A name may not have the form of an id.") }
        return Printable.problem(fields.name, most: 64)
    }

    private var hostProblem: String? {
        if fields.host.isEmpty { return localized("A host name or an address is needed.") }
        // Of several each is counted by itself, as the daemon counts them.
        let hosts = fields.host.utf16.count < ConnectionForm.mostHostsLength ? ServerHosts.names(in: fields.host) : nil
        let areHosts = hosts?.allSatisfy { host in
            Printable.problem(host, most: 253) == nil
                && !host.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0.properties.isWhitespace }
        }
        return areHosts == true ? nil : localized("A host name or an address is expected.")
    }

    private var passwordProblem: String? {
        switch fields.password {
        case .keep, .none: nil
        case .typed(let password):
            password.isEmpty
                ? localized("A password is not empty.") : password.has("\0") ? localized("A password has no NUL character.") : nil
        case .command(let command):
            command.allSatisfy(\.isWhitespace) || command.has("\0")
                ? localized("A command that prints the password is expected.") : nil
        }
    }

    private var tagsProblem: String? {
        if tags.count > 16 { return localized("At most 16 tags are kept.") }
        return tags.compactMap { Printable.problem($0, most: 32) }.first
    }

    private var colourProblem: String? {
        guard let colour = fields.colour, !ConnectionForm.colours.contains(colour) else { return nil }
        let digits = colour.unicodeScalars.dropFirst()
        let isOwn = colour.begins(with: "#") && digits.count == 6 && digits.allSatisfy(\.isHexadecimal)
        return isOwn ? nil : localized("A color's name or #rrggbb is expected.")
    }

    private func pathProblem(_ path: String, _ missing: String) -> String? {
        if path.isEmpty { return missing }
        if base.absolute(path) == nil { return localized("Another user's home (~name) is not looked up; write the path out.") }
        return path.has("\0") || path.utf8.count > 4_096 ? localized("A path is expected.") : nil
    }

    private func number(_ typed: String, _ most: Int, _ sentence: (Int) -> String) -> String? {
        typed.isEmpty || WholeNumber.read(typed, within: 1...most) != nil ? nil : sentence(most)
    }

    var tags: [String] {
        let typed = fields.tags.pieces(at: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        return typed.reduce(into: []) { kept, tag in if !kept.contains(tag) { kept.append(tag) } }
    }
}

extension StringProtocol where SubSequence == Substring {
    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
