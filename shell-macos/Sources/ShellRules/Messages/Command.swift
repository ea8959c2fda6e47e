/// One request a proved shell may make (spec §11): the type is its parameters, and knows its method and its answer.
public protocol ControlCommand: Codable, Equatable, Sendable {
    associatedtype Answer: Codable & Equatable & Sendable
    static var method: ControlMethod { get }
    /// A person decides on it on a sheet of ours, which is the confirmation in Sallyport.app that a widening needs (spec §11).
    static var isDecidedOnASheet: Bool { get }
}

extension ControlCommand {
    public static var isDecidedOnASheet: Bool { false }
}

public enum ControlMethod: String, Codable, CaseIterable, Sendable {
    case status, stop, pause, resume
    case listSettings = "settings.list"
    case getSetting = "settings.get"
    case setSetting = "settings.set"
    case listConnections = "connections.list"
    case showConnection = "connections.show"
    case saveConnection = "connections.save"
    case readConnectionURL = "connections.read-url"
    case deleteConnection = "connections.delete"
    case listRemovedConnections = "connections.removed"
    case restoreConnection = "connections.restore"
    case testConnection = "connections.test"
    case fitRole = "connections.role"
    case listTokens = "tokens.list"
    case mintToken = "tokens.mint"
    case editToken = "tokens.edit"
    case revokeToken = "tokens.revoke"
    case deleteToken = "tokens.delete"
    case pendingApprovals = "approvals.pending"
    case attachApprovals = "approvals.attach"
    case decideApproval = "approvals.decide"
    case listRequests = "requests.list"
    case openRequests = "requests.open"
    case decideRequests = "requests.decide"
    case pendingConfirmations = "confirmations.pending"
    case decideConfirmation = "confirmations.decide"
    case beginPairing = "pairing.begin"
    case decidePairing = "pairing.decide"
    case closePairing = "pairing.close"
    case setPassphrase = "passphrase.set"
    case switchOffPassphrase = "passphrase.off"
    case resetPassphrase = "passphrase.reset"
    case confirmPassphrase = "passphrase.confirm"
    case listClients = "clients.list"
    case listSnippets = "snippets.list"
    case followChanges = "changes.follow"
    case classifyStatement = "statements.classify"
    case createDemo = "demo.create"
    case queryHistory = "history.query"
    case clearHistory = "history.clear"
    case queryActivity = "activity.query"
    case verifyActivity = "activity.verify"
    case followActivity = "activity.follow"
}

/// Every command there is, each with its parameters as members.
public enum Command {}
