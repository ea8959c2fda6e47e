import Foundation

/// The requests that save or test the connection editor: everything for a new connection, and only
/// the changes for a saved one. Wrong values are sent as typed.
extension ConnectionForm {
    /// For sending at once: "until tonight" counts from now.
    public var command: Command.ConnectionsSave { command(at: Date(), in: .current) }

    /// Tests the values of the fields, with the same members.
    /// - Parameter hostKey: a fingerprint that the person has just confirmed.
    public func trial(hostKey: String? = nil) -> Command.ConnectionsTry? {
        var asked = command
        if saved == nil, fields.name.isEmpty { asked.name = localized("New connection") }
        var trial = try? JSONText.decode(Command.ConnectionsTry.self, from: JSONText.encode(asked))
        trial?.hostKey = hostKey
        return trial
    }

    func command(at now: Date, in calendar: Calendar) -> Command.ConnectionsSave {
        var asked = Command.ConnectionsSave(connection: saved?.id)
        if saved == nil || fields.name != former.name { asked.name = fields.name }
        if saved == nil || endpoint != saved?.endpoint { asked.endpoint = endpoint }
        asked.tls = tlsChange
        if fields.databases != former.databases { asked.databases = fields.databases }
        let targetServers = fields.engine == .postgres ? fields.targetServers : nil
        if targetServers != former.targetServers { asked.targetServers = targetServers.map { .set($0) } ?? .clear }
        let methods = fields.engine == .postgres ? fields.signInMethods : nil
        if methods != former.signInMethods { asked.signInMethods = methods.map { .set($0) } ?? .clear }
        let tunnel = fields.tunnel(base)
        if tunnel != former.tunnel(base) { asked.tunnel = tunnel.map { .set($0) } ?? .clear }
        if !fields.sshPassphrase.isEmpty { asked.sshPassphrase = fields.sshPassphrase }
        if !fields.sshPassword.isEmpty { asked.sshPassword = fields.sshPassword }
        asked.password = passwordChange
        asked.statementTimeoutSeconds = change(fields.statementTimeoutSeconds, former.statementTimeoutSeconds)
        asked.rowLimit = change(fields.rowLimit, former.rowLimit)
        asked.writeRowLimit = change(fields.writeRowLimit, former.writeRowLimit)
        if fields.timeZone != former.timeZone { asked.timeZone = fields.timeZone.isEmpty ? .clear : .set(fields.timeZone) }
        if fields.colour != former.colour { asked.colour = fields.colour.map { .set($0.asciiLowercased) } ?? .clear }
        if fields.group != former.group { asked.group = fields.group.isEmpty ? .clear : .set(fields.group) }
        if fields.tags != former.tags { asked.tags = fields.tags.listed }
        asked.externalClients = externalClientsChange(now, calendar)
        if fields.aiPolicy != former.aiPolicy { asked.aiPolicy = fields.aiPolicy }
        return asked
    }

    var endpoint: Endpoint {
        guard fields.engine != .sqlite else {
            return Endpoint(engine: .sqlite, filePath: base.path(fields.filePath))
        }
        let isHost = fields.place == .host
        return Endpoint(
            engine: fields.engine,
            host: isHost ? fields.host : nil,
            port: isHost ? number(fields.port) : saved?.port,
            socketPath: isHost ? nil : base.path(fields.socketPath),
            database: fields.database.isEmpty ? nil : fields.database,
            user: fields.user.isEmpty ? nil : fields.user)
    }

    private var tlsChange: Command.ConnectionsSave.Tls? {
        guard fields.engine != .sqlite else { return nil }
        var change = Command.ConnectionsSave.Tls()
        // The daemon forgets both for another place.
        if let mode = fields.tlsMode, mode != former.tlsMode || saved == nil || isElsewhere(fields) { change.mode = mode }
        if fields.caFile != former.caFile || (isElsewhere(fields) && !fields.caFile.isEmpty) {
            change.caFile = fields.caFile.isEmpty ? .clear : .set(base.path(fields.caFile))
        }
        if fields.certificateFile != former.certificateFile || fields.keyFile != former.keyFile {
            change.clientCertificate = clientCertificate.map { .set($0) } ?? .clear
        }
        if !fields.keyPassphrase.isEmpty { change.keyPassphrase = fields.keyPassphrase }
        return change == Command.ConnectionsSave.Tls() ? nil : change
    }

    /// Nil if none is named. The daemon refuses one file without the other.
    private var clientCertificate: ClientCertificate? {
        if fields.certificateFile.isEmpty, fields.keyFile.isEmpty { return nil }
        return ClientCertificate(certificateFile: base.path(fields.certificateFile), keyFile: base.path(fields.keyFile))
    }

    /// Asks for a new end only if the person chose one. Saving a name must not make half an hour of
    /// write access permanent.
    private func externalClientsChange(_ now: Date, _ calendar: Calendar) -> Command.ConnectionsSave.ExternalClients? {
        let level = fields.externalClients
        let isSame = level == former.externalClients
        if isSame, saved == nil || level != .readWrite || fields.writeDuration == nil { return nil }
        return Command.ConnectionsSave.ExternalClients(
            level: level,
            forSeconds: level == .readWrite ? Change((fields.writeDuration ?? .halfHour).seconds(from: now, in: calendar)) : .keep)
    }

    private func change(_ typed: String, _ former: String) -> Change<Int> {
        if typed == former { return .keep }
        return number(typed).map { .set($0) } ?? .clear
    }

    /// Nil for an empty text. 0 for a text that is no number: the daemon refuses 0 everywhere here.
    private func number(_ typed: String) -> Int? { typed.isEmpty ? nil : Int(typed) ?? 0 }
}

extension String {
    /// The elements of a list with commas, each once.
    var listed: [String] {
        pieces(at: ",").map(\.trimmed).reduce(into: []) { kept, one in if !one.isEmpty, !kept.contains(one) { kept.append(one) } }
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
