/// What another host or socket does to the TLS mode: the daemon keeps a mode for the place it was
/// saved for, and no other.
extension ConnectionForm {
    /// Only where nothing is saved for the place: what is left out of a change stays as it is.
    public var mayBeAutomaticTLS: Bool { saved == nil || isElsewhere }

    var isElsewhere: Bool { isElsewhere(fields) }

    /// The mode to show after a change: off for this Mac must not follow to a host, and back at the
    /// saved place its own mode holds.
    func tlsMode(after before: Fields) -> TlsMode? {
        guard saved != nil else { return fields.tlsMode }
        if !isElsewhere { return fields.tlsMode ?? former.tlsMode }
        let hasJustLeft = !isElsewhere(before)
        return hasJustLeft && fields.tlsMode == former.tlsMode && !isTLSChosen ? nil : fields.tlsMode
    }

    /// A mode that is the saved place's default was picked by nobody, unless for the sake of a CA
    /// file.
    private var isTLSChosen: Bool {
        former.tlsMode != ConnectionForm.defaultTLSMode(host: saved?.host) || !fields.caFile.isEmpty
    }

    private func isElsewhere(_ fields: Fields) -> Bool {
        guard let saved, saved.engine != .sqlite else { return false }
        switch fields.place {
        case .host: return fields.host != saved.host
        case .socket: return base.absolute(fields.socketPath) != saved.socketPath
        }
    }

    /// As the daemon has it. `host` is nil for a socket.
    private static func defaultTLSMode(host: String?) -> TlsMode {
        guard let host else { return .disable }
        return ServerHosts.areAllHere(host) ? .prefer : .verifyFull
    }
}
