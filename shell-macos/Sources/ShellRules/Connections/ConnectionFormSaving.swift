import Foundation

/// What saving the connection editor asks of the daemon: everything for a new connection, else only
/// what changed.
extension ConnectionForm {
    /// Nil while something is wrong, or nothing changed. To be sent at once: what ends tonight is
    /// counted from now on.
    public var command: Command.ConnectionsSave? { command(at: Date(), in: .current) }

    func command(at now: Date, in calendar: Calendar) -> Command.ConnectionsSave? {
        guard problems.isEmpty, isChanged else { return nil }
        var asked = Command.ConnectionsSave(connection: saved?.id)
        if saved == nil || fields.name != former.name { asked.name = fields.name }
        if saved == nil || endpoint != saved?.endpoint { asked.endpoint = endpoint }
        asked.tls = tlsChange
        if fields.databases != former.databases { asked.databases = fields.databases }
        let targetServers = fields.engine == .postgres ? fields.targetServers : nil
        if targetServers != former.targetServers { asked.targetServers = targetServers.map { .set($0) } ?? .clear }
        // A file or a socket is on this machine.
        let tunnel = endpoint.host == nil ? nil : fields.tunnel
        if tunnel != former.tunnel { asked.tunnel = tunnel.map { .set($0) } ?? .clear }
        asked.password = passwordChange
        asked.statementTimeoutSeconds = change(fields.statementTimeoutSeconds, former.statementTimeoutSeconds)
        asked.rowLimit = change(fields.rowLimit, former.rowLimit)
        asked.writeRowLimit = change(fields.writeRowLimit, former.writeRowLimit)
        if fields.timeZone != former.timeZone { asked.timeZone = fields.timeZone.isEmpty ? .clear : .set(fields.timeZone) }
        if fields.colour != former.colour { asked.colour = fields.colour.map { .set($0.asciiLowercased) } ?? .clear }
        if fields.group != former.group { asked.group = fields.group.isEmpty ? .clear : .set(fields.group) }
        if fields.tags != former.tags { asked.tags = tags }
        asked.externalClients = externalClientsChange(now, calendar)
        if fields.aiPolicy != former.aiPolicy { asked.aiPolicy = fields.aiPolicy }
        return asked
    }

    /// Dials what is saved, so nil while there is nothing saved, or other than what stands in the
    /// fields.
    public var testCommand: Command.ConnectionsTest? {
        guard let saved, !isChanged else { return nil }
        return Command.ConnectionsTest(connection: saved.id)
    }

    /// What the password would be sent to from now on; a sentence where that is elsewhere than
    /// before.
    public var placeNote: String? {
        guard let saved, saved.password != .none, fields.password == .keep || fields.password == former.password else { return nil }
        let now = endpoint
        let isElsewhere = now.host != saved.host || now.port != saved.port || now.socketPath != saved.socketPath
        return isElsewhere ? localized("The saved password would be sent to another place than before.") : nil
    }

    var endpoint: Endpoint {
        guard fields.engine != .sqlite else {
            return Endpoint(engine: .sqlite, filePath: base.absolute(fields.filePath))
        }
        let isHost = fields.place == .host
        let defaultPort = fields.engine == .postgres ? 5_432 : 3_306
        return Endpoint(
            engine: fields.engine,
            host: isHost ? fields.host : nil,
            port: isHost ? (Int(fields.port) ?? defaultPort) : saved?.port,
            socketPath: isHost ? nil : base.absolute(fields.socketPath),
            database: fields.database.isEmpty ? nil : fields.database,
            user: fields.user.isEmpty ? nil : fields.user)
    }

    private var tlsChange: Command.ConnectionsSave.Tls? {
        guard fields.engine != .sqlite else { return nil }
        var change = Command.ConnectionsSave.Tls()
        // For another place the daemon forgets both.
        if let mode = fields.tlsMode, mode != former.tlsMode || saved == nil || isElsewhere { change.mode = mode }
        if fields.caFile != former.caFile || (isElsewhere && !fields.caFile.isEmpty) {
            change.caFile = fields.caFile.isEmpty ? .clear : base.absolute(fields.caFile).map { .set($0) } ?? .keep
        }
        if fields.certificateFile != former.certificateFile || fields.keyFile != former.keyFile {
            change.clientCertificate = clientCertificate.map { .set($0) } ?? .clear
        }
        if !fields.keyPassphrase.isEmpty { change.keyPassphrase = fields.keyPassphrase }
        return change == Command.ConnectionsSave.Tls() ? nil : change
    }

    /// Nil where none is named: `problems` refuses one of the two alone.
    private var clientCertificate: ClientCertificate? {
        guard !fields.certificateFile.isEmpty, let certificateFile = base.absolute(fields.certificateFile),
            let keyFile = base.absolute(fields.keyFile)
        else { return nil }
        return ClientCertificate(certificateFile: certificateFile, keyFile: keyFile)
    }

    private var passwordChange: Command.ConnectionsSave.Password? {
        guard fields.engine != .sqlite, fields.password != former.password else { return nil }
        switch fields.password {
        case .keep: return nil
        case .none: return Command.ConnectionsSave.Password.none
        case .typed(let password): return .stored(value: password)
        case .command(let command): return .command(command: command)
        }
    }

    /// A new end is asked for only where one was chosen: saving a name must not make a write access
    /// of half an hour one for ever.
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
        return Int(typed).map { .set($0) } ?? .clear
    }
}
