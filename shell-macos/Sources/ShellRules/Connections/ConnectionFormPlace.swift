/// How another host or socket changes the TLS mode. The daemon keeps a mode only for the place that
/// it was saved for.
extension ConnectionForm {
    /// Only if nothing is saved for the place: a change that leaves it out keeps it.
    public var mayBeAutomaticTLS: Bool { saved == nil || isElsewhere(fields) }

    /// The mode to show after a change. Another place starts without one, and the saved place has
    /// its own.
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
