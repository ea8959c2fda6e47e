import Foundation

/// A proved connection from this shell to the daemon (spec §11). Every line is sealed.
public final class ControlClient: Sendable {
    public enum Failure: Error, Equatable, Sendable {
        /// The daemon's refusal.
        case refused(ControlError)
        /// The connection ended before the answer.
        case lost
        /// The request is longer than a line may be. Nothing was sent.
        case tooLarge
        /// This version can't read the answer.
        case unreadable

        /// For a person.
        public var sentence: String {
            switch self {
            case .refused(let error): error.shownMessage
            case .lost: localized("Sallyport ended the connection before it answered; its log says why.")
            case .tooLarge: localized("That is more than the control socket carries.")
            case .unreadable: localized("Sallyport answered in a form that this app does not know; update the older of the two.")
            }
        }
    }

    /// The daemon's notifications, in order. It ends with the connection. For one listener.
    public let notifications: AsyncStream<ControlNotification>

    /// Called after each privilege increase that nobody confirmed.
    public func onUnconfirmed(_ called: @escaping @Sendable () -> Void) {
        unconfirmed.use { $0 = called }
    }

    private typealias Waiter = @Sendable (Result<String, Failure>) -> Void

    private struct State {
        var seal: Seal
        var lastId = 0
        var waiting: [Int: Waiter] = [:]
        var isGone = false
    }

    private let socket: UnixSocket
    private let state: Locked<State>
    private let unconfirmed = Locked<@Sendable () -> Void>({})
    private let writing = DispatchQueue(label: "app.sallyport.control-socket.writing")
    private let told: AsyncStream<ControlNotification>.Continuation
    private static let writeMilliseconds: Int32 = 10_000

    init(socket: UnixSocket, sessionKey: String) {
        self.socket = socket
        state = Locked(State(seal: Seal(sessionKey: sessionKey)))
        (notifications, told) = AsyncStream.makeStream()
    }

    /// - Parameters:
    ///   - passphrase: the owner passphrase, as typed.
    ///   - confirm: `.app` once a person has read here what it does, and approved.
    ///   - touchId: Touch ID's signature of the refusal's challenge.
    /// - Throws: `Failure`
    public func ask<Asked: ControlCommand>(
        _ command: Asked, passphrase: String? = nil, confirm: ConfirmationPlace? = nil, touchId: String? = nil
    ) async throws -> Asked.Answer {
        let text = try await withCheckedThrowingContinuation { (answered: CheckedContinuation<String, any Error>) in
            send({ ControlRequest(id: $0, asking: command, passphrase: passphrase, confirm: confirm, touchId: touchId) }) {
                answered.resume(with: $0.mapError { $0 as any Error })
            }
        }
        guard let answer = try? JSONText.decode(ControlAnswer<Asked.Answer>.self, from: text) else { throw Failure.unreadable }
        if answer.unconfirmed == true { unconfirmed.use { $0 }() }
        return answer.result
    }

    public func close() {
        socket.end()
    }

    private func send(_ request: (_ id: Int) -> ControlRequest<some ControlCommand>, _ answered: @escaping Waiter) {
        let failure: Failure? = state.use { state in
            if state.isGone { return .lost }
            let id = state.lastId + 1
            let former = state.seal
            guard let message = try? JSONText.encode(request(id)), let line = try? state.seal.seal(message),
                line.utf8.count <= ControlProtocol.maxLineBytes
            else {
                state.seal = former
                return .tooLarge
            }
            state.lastId = id
            state.waiting[id] = answered
            // Inside the lock, so that lines leave in the order of their counters.
            writing.async { [socket] in
                if !socket.write(Array("\(line)\n".utf8), timeoutMilliseconds: ControlClient.writeMilliseconds) { socket.end() }
            }
            return nil
        }
        if let failure { answered(.failure(failure)) }
    }

    /// Reads until the connection ends. It blocks: call it once, on its own thread.
    func followLines(_ splitter: LineSplitter, early: [String]) {
        var splitter = splitter
        var lines = early
        reading: while true {
            for line in lines where !take(line) { break reading }
            guard case .bytes(let bytes) = socket.read(), let next = try? splitter.push(bytes) else { break }
            lines = next
        }
        end()
    }

    /// - Returns: false for a line that ends the connection.
    private func take(_ line: String) -> Bool {
        guard let text = state.use({ $0.seal.open(line) }),
            let head = try? JSONText.decode(Head.self, from: text)
        else { return false }
        if let method = head.method {
            // Another version of the daemon may send unknown notifications. The rest is still
            // useful.
            if let notification = try? JSONText.decode(ControlNotification.self, from: text) {
                told.yield(notification)
            } else if (try? JSONText.decode(EndedNotification.self, from: text)) == nil {
                told.yield(.unknown(method: method))
            }
            return true
        }
        guard let id = head.id, let waiter = state.use({ $0.waiting.removeValue(forKey: id) }) else { return true }
        if let error = head.error { waiter(.failure(.refused(error))) } else { waiter(.success(text)) }
        return true
    }

    private func end() {
        socket.end()
        let waiters = state.use { state in
            state.isGone = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for waiter in waiters { waiter(.failure(.lost)) }
        told.finish()
    }

    private struct Head: Decodable {
        let id: Int?
        let method: String?
        let error: ControlError?
    }
}
