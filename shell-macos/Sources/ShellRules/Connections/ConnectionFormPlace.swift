/// What another host or socket does to the TLS mode: the daemon keeps a mode for the place it was
/// saved for, and no other.
extension ConnectionForm {
    /// Only where nothing is saved for the place: what is left out of a change stays as it is.
    public var mayBeAutomaticTLS: Bool { saved == nil || isElsewhere(fields) }

    /// The mode to show after a change: one of this place says nothing of another, and back at the
    /// saved place its own holds.
    func tlsMode(after before: Fields) -> TlsMode? {
        guard saved != nil else { return fields.tlsMode }
        if !isElsewhere(fields) { return fields.tlsMode ?? former.tlsMode }
        return !isElsewhere(before) && fields.tlsMode == former.tlsMode ? nil : fields.tlsMode
    }

    func isElsewhere(_ fields: Fields) -> Bool {
        guard let saved, saved.engine != .sqlite else { return false }
        if fields.tunnel(base) != former.tunnel(base) { return true }
        switch fields.place {
        case .host: return fields.host != saved.host
        case .socket: return base.path(fields.socketPath) != saved.socketPath
        }
    }
}
