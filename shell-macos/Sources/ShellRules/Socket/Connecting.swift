import Foundation

/// Connects to the control socket, and proves both sides to each other. No request leaves before
/// both proofs, so no secret reaches an impostor.
public enum Connecting: Sendable {
    case connected(ControlClient)
    /// No daemon listens, or none has run in this home yet.
    case absent
    /// Some process listens, but it is no usable daemon of this home. The sentence may quote
    /// others.
    case untrusted(String)
    /// The person did not let the app read its secret.
    case denied

    static let proofSeconds = 5.0

    /// - Parameter shell: as `status` shows it.
    public static func toDaemon(
        of locations: Locations, shell: String = ControlProtocol.appShell,
        keychain: @escaping @Sendable (_ account: String) async -> ShellSecret.KeychainItem
    ) async -> Connecting {
        // Comes before the keychain, which may open a window.
        guard FileManager.default.fileExists(atPath: locations.controlSocket) else { return .absent }
        switch await ShellSecret.find(in: locations, keychain: keychain) {
        case .absent:
            // A daemon that answers has made a secret, so it was lost.
            guard case .success = await Brakes(of: { locations }).ask(Command.Status()) else { return .absent }
            return .untrusted(
                localized(
                    "The secret by which this app proves itself is gone from \(locations.home). Quit Sallyport, put secrets.json and store.json back from a backup, then open it again."
                ))
        case .unusable(let problem): return .untrusted(problem)
        case .denied: return .denied
        case .found(let secret): return await prove(locations, shell: shell, secret: secret)
        }
    }

    static func prove(
        _ locations: Locations, shell: String, secret: String, proofSeconds: Double = proofSeconds
    ) async -> Connecting {
        switch PrivateFiles.folderFault(locations.controlSocketFolder) {
        case .absent: return .absent
        case .untrusted(let problem): return .untrusted(localized("\(problem), so its control socket was not used."))
        case nil: break
        }
        return await withCheckedContinuation { connected in
            let thread = Thread { hold(locations, shell, secret, proofSeconds) { connected.resume(returning: $0) } }
            // Decoding nested answers needs more than the half mebibyte of a secondary thread.
            thread.stackSize = 4 * 1024 * 1024
            thread.name = "control socket"
            thread.start()
        }
    }

    /// Blocks while the connection lasts.
    private static func hold(
        _ locations: Locations, _ shell: String, _ secret: String, _ seconds: Double, _ connected: (Connecting) -> Void
    ) {
        let deadline = ProcessInfo.processInfo.systemUptime + seconds
        while true {
            guard let socket = UnixSocket.dial(locations.controlSocket, seconds: Int(seconds.rounded(.up))) else {
                return connected(.absent)
            }
            var dialogue = ProofDialogue(socket: socket, secret: secret, deadline: deadline)
            switch dialogue.hold(shell: shell) {
            case .untrusted(let sentence): return connected(.untrusted(sentence))
            case .proved(let sessionKey):
                let client = ControlClient(socket: socket, sessionKey: sessionKey)
                connected(.connected(client))
                return client.followLines(dialogue.splitter, early: dialogue.early)
            case .cut:
                // Many silent peers may push out this connection before it is proved.
                guard ProcessInfo.processInfo.systemUptime + redialSeconds < deadline else {
                    return connected(.untrusted(localized("The control socket gave no proof in time.")))
                }
                Thread.sleep(forTimeInterval: redialSeconds)
            }
        }
    }

    private static let redialSeconds = 0.02
}

/// The two exchanges of the proof on a blocking socket, with a time limit.
private struct ProofDialogue {
    enum Outcome {
        case proved(sessionKey: String)
        case untrusted(String)
        /// The connection or its time ended before both proofs.
        case cut
    }

    let socket: UnixSocket
    let secret: String
    /// In seconds of uptime.
    let deadline: Double
    private(set) var splitter = LineSplitter(maxLineBytes: ControlProtocol.maxLineBytes)
    /// Lines that came together with the last answer.
    private(set) var early: [String] = []

    mutating func hold(shell: String) -> Outcome {
        var chance = SystemRandomNumberGenerator()
        var introduction = ShellIntroduction(secret: secret, nonce: Proofs.newNonce(from: &chance))
        let pid = Int(ProcessInfo.processInfo.processIdentifier)
        var step = ShellIntroduction.Step.send(introduction.challenge(shell: shell, pid: pid))
        while true {
            switch step {
            case .proved(let sessionKey): return .proved(sessionKey: sessionKey)
            case .untrusted(let sentence): return .untrusted(sentence)
            case .send(let line):
                guard socket.write(Array("\(line)\n".utf8), timeoutMilliseconds: millisecondsLeft), let answer = nextLine() else {
                    return .cut
                }
                step = introduction.take(answer)
            }
        }
    }

    private mutating func nextLine() -> String? {
        while early.isEmpty {
            guard millisecondsLeft > 0, case .bytes(let bytes) = socket.read(timeoutMilliseconds: millisecondsLeft),
                let lines = try? splitter.push(bytes)
            else { return nil }
            early = lines
        }
        return early.removeFirst()
    }

    private var millisecondsLeft: Int32 {
        Int32(max(0, (deadline - ProcessInfo.processInfo.systemUptime) * 1_000))
    }
}
