/// The two steps that prove the daemon and this shell to each other (spec §11), the daemon first.
/// It makes a line to send and judges the answer. It touches no socket.
struct ShellIntroduction {
    enum Step: Equatable {
        case send(String)
        case proved(sessionKey: String)
        /// The reason, as a sentence. Nothing more is sent.
        case untrusted(String)
    }

    private let secret: String
    private let shellNonce: String
    private var daemonNonce: String?

    init(secret: String, nonce: String) {
        self.secret = secret
        shellNonce = nonce
    }

    /// - Parameters:
    ///   - shell: as `status` shows it.
    ///   - pid: of this process.
    func challenge(shell: String, pid: Int? = nil) -> String {
        let params = ChallengeParams(protocol: ControlProtocol.version, nonce: shellNonce, shell: shell, pid: pid)
        return plain("shell.challenge", params)
    }

    mutating func take(_ line: String) -> Step {
        if let refusal = try? JSONText.decode(ControlRefusal.self, from: line) { return .untrusted(refusal.error.message) }
        guard let daemonNonce else { return judgeChallenge(line) }
        guard (try? JSONText.decode(ControlAnswer<Nothing>.self, from: line)) != nil else { return .untrusted(notSallyport) }
        return .proved(
            sessionKey: Proofs.sessionKey(secret: secret, shellNonce: shellNonce, daemonNonce: daemonNonce))
    }

    private mutating func judgeChallenge(_ line: String) -> Step {
        guard let offered = try? JSONText.decode(ControlAnswer<ChallengeResult>.self, from: line).result,
            Proofs.isNonce(offered.nonce)
        else { return .untrusted(notSallyport) }
        guard offered.protocol == ControlProtocol.version else {
            let theirs = String(offered.protocol.unicodeScalars.prefix(16))
            return .untrusted(
                localized(
                    "The daemon speaks control protocol \(theirs), this app \(ControlProtocol.version); run `sallyport restart`, of the version that you installed last."
                )
            )
        }
        let expected = Proofs.shell(secret: secret, side: .daemon, shellNonce: shellNonce, daemonNonce: offered.nonce)
        guard Hashing.isSame(offered.proof, expected) else {
            return .untrusted(
                localized(
                    "Whoever answers on the control socket did not prove to be the daemon of this home; nothing was sent to it."))
        }
        daemonNonce = offered.nonce
        let proof = Proofs.shell(secret: secret, side: .shell, shellNonce: shellNonce, daemonNonce: offered.nonce)
        return .send(plain("shell.prove", ProveParams(proof: proof)))
    }

    private var notSallyport: String { localized("The control socket is not answered by Sallyport.") }

    private struct Plain<Params: Encodable>: Encodable {
        let jsonrpc = "2.0"
        let id = 0
        let method: String
        let params: Params
    }

    private func plain(_ method: String, _ params: some Encodable) -> String {
        // They are texts, which JSON can always hold.
        (try? JSONText.encode(Plain(method: method, params: params))) ?? ""
    }
}

struct Nothing: Codable, Equatable, Sendable {}

public enum ControlProtocol {
    /// Both sides refuse another one.
    public static let version = "2"
    public static let maxLineBytes = 1_048_576
    /// Sallyport.app's name for itself. The daemon doesn't accept another name as the app.
    public static let appShell = "app"
}
