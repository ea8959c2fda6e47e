/// Tells a refusal that the person chose from one that they have to be told of.
extension ControlClient.Failure {
    /// The owner passphrase or a yes was wanted and not given: the person knows, and needs no alert
    /// about it.
    public var isGivenUp: Bool {
        if case .refused(let error) = self {
            error.wantsPassphrase || error.wantsFirstPassphrase || error.wantsConfirmation
        } else {
            false
        }
    }
}
