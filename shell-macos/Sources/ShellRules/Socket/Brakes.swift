import Foundation

/// Asks the daemon for what only takes access away or tells the state, without a proof of either
/// side (spec §11): also while the keychain is locked or the secret is lost. No secret is sent. The
/// socket must be this user's own. One connection for each request.
public struct Brakes: Sendable {
    private let locations: @Sendable () -> Locations?

    public init(of locations: @escaping @Sendable () -> Locations?) { self.locations = locations }

    private static let answerSeconds = 5

    /// It is no brake, or nobody who looks like Sallyport answers: `.lost`.
    public func ask<Asked: ControlCommand>(_ command: Asked) async -> Result<Asked.Answer, ControlClient.Failure> {
        guard command.isBrake, let locations = locations() else { return .failure(.lost) }
        return await withCheckedContinuation { answered in
            let thread = Thread { answered.resume(returning: Brakes.answer(to: command, locations.controlSocket)) }
            // Decoding nested answers needs more than the half mebibyte of a secondary thread.
            thread.stackSize = 4 * 1024 * 1024
            thread.name = "brakes"
            thread.start()
        }
    }

    /// - Parameter why: nothing was proved, for a person who asks for more.
    public func ask<Asked: ControlCommand>(
        _ command: Asked, because why: String?
    ) async -> Result<Asked.Answer, ControlClient.Failure> {
        guard let why, !command.isBrake else { return await ask(command) }
        return .failure(.refused(ControlError(code: -33_009, message: why)))
    }

    /// The connections and tokens, which are all that needs no proof.
    public func lists() async -> ShellLists? {
        var lists = ShellLists()
        var from: Int? = 0
        while let start = from {
            guard case .success(let page) = await ask(Command.ConnectionsList(from: start)) else { return nil }
            lists.connections += page.connections
            from = page.next
        }
        guard case .success(let answer) = await ask(Command.TokensList()) else { return nil }
        lists.tokens = answer.tokens
        return lists
    }

    private static func answer<Asked: ControlCommand>(
        to command: Asked, _ path: String
    ) -> Result<Asked.Answer, ControlClient.Failure> {
        let deadline = ProcessInfo.processInfo.systemUptime + Double(answerSeconds)
        func left() -> Int32 { Int32(max(0, (deadline - ProcessInfo.processInfo.systemUptime) * 1_000)) }
        guard let line = try? JSONText.encode(ControlRequest(id: 1, asking: command)), PrivateFiles.isOwnSocket(path),
            let socket = UnixSocket.dial(path, seconds: answerSeconds),
            socket.write(Array("\(line)\n".utf8), timeoutMilliseconds: left())
        else { return .failure(.lost) }
        defer { socket.end() }
        var splitter = LineSplitter(maxLineBytes: ControlProtocol.maxLineBytes)
        while left() > 0, case .bytes(let bytes) = socket.read(timeoutMilliseconds: left()) {
            guard let lines = try? splitter.push(bytes) else { break }
            guard let text = lines.first else { continue }
            if let refusal = try? JSONText.decode(ControlRefusal.self, from: text) { return .failure(.refused(refusal.error)) }
            guard let answer = try? JSONText.decode(ControlAnswer<Asked.Answer>.self, from: text) else {
                return .failure(.unreadable)
            }
            return .success(answer.result)
        }
        return .failure(.lost)
    }
}
