import Foundation

@testable import ShellRules

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A folder of the test's own, which is removed at the end.
final class TestFolder {
    let path: String

    init() {
        // The path of the temporary folder may be too long for a socket.
        path = "/tmp/sallyport-rules-\(UUID().uuidString.prefix(8))"
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ name: String, _ text: String, mode: Int = 0o600) {
        let file = "\(path)/\(name)"
        _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        chmod(file, mode_t(mode))
    }
}

/// A peer that listens on a Unix socket and follows a script. It serves one connection after
/// another.
final class TestPeer: @unchecked Sendable {
    private let listener: Int32

    /// - Parameter talk: is called for each connection, on its own thread.
    init(at path: String, talk: @escaping @Sendable (Talk) -> Void) {
        #if canImport(Darwin)
            listener = socket(AF_UNIX, SOCK_STREAM, 0)
        #else
            listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = listener
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        _ = listen(descriptor, 8)
        Thread.detachNewThread {
            while true {
                let accepted = accept(descriptor, nil, nil)
                if accepted < 0 { return }
                Thread.detachNewThread { talk(Talk(descriptor: accepted)) }
            }
        }
    }

    func end() {
        _ = shutdown(listener, Int32(SHUT_RDWR))
        _ = close(listener)
    }

    final class Talk: @unchecked Sendable {
        private let descriptor: Int32
        private var splitter = LineSplitter(maxLineBytes: 4 * ControlProtocol.maxLineBytes)
        private var lines: [String] = []

        init(descriptor: Int32) {
            self.descriptor = descriptor
        }

        deinit {
            _ = close(descriptor)
        }

        /// Nil at the end of the stream.
        func hear() -> String? {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while lines.isEmpty {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0, let more = try? splitter.push(Array(buffer[..<count])) else { return nil }
                lines += more
            }
            return lines.removeFirst()
        }

        func say(_ line: String) {
            var rest = Array("\(line)\n".utf8)[...]
            while !rest.isEmpty {
                #if canImport(Darwin)
                    let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
                #else
                    let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                #endif
                if count <= 0 { return }
                rest = rest.dropFirst(count)
            }
        }

        /// The daemon's side of both proofs. Nil if the shell didn't prove itself.
        func prove(secret: String, spoken: String = ControlProtocol.version) -> Seal? {
            struct Sent<Params: Decodable>: Decodable { let params: Params }
            guard let challenge = hear().flatMap({ try? JSONText.decode(Sent<ChallengeParams>.self, from: $0).params }) else {
                return nil
            }
            var chance = SystemRandomNumberGenerator()
            let nonce = Proofs.newNonce(from: &chance)
            let proof = Proofs.shell(secret: secret, side: .daemon, shellNonce: challenge.nonce, daemonNonce: nonce)
            answer(ChallengeResult(protocol: spoken, nonce: nonce, proof: proof))
            let expected = Proofs.shell(secret: secret, side: .shell, shellNonce: challenge.nonce, daemonNonce: nonce)
            guard let proved = hear().flatMap({ try? JSONText.decode(Sent<ProveParams>.self, from: $0).params }),
                proved.proof == expected
            else { return nil }
            answer(Nothing())
            let key = Proofs.sessionKey(secret: secret, shellNonce: challenge.nonce, daemonNonce: nonce)
            return Seal(sessionKey: key, side: .daemon)
        }

        func answer(_ result: some Codable & Equatable & Sendable, id: Int = 0) {
            say((try? JSONText.encode(ControlAnswer(id: id, result: result))) ?? "")
        }
    }
}
