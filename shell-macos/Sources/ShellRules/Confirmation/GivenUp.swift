/// Tells a refusal that the person chose from one that the person has to be told.
extension ControlClient.Failure {
    /// The daemon wanted the owner passphrase or an approval, and the person gave none. It needs no
    /// alert.
    public var isGivenUp: Bool {
        if case .refused(let error) = self { error.wantsPassphrase || error.wantsConfirmation } else { false }
    }
}
