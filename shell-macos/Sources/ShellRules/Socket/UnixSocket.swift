import Foundation

/// A connected Unix stream socket. Its calls block, so each needs its own thread. The last holder
/// closes it, so no call can meet a reused descriptor.
final class UnixSocket: Sendable {
    private let descriptor: Int32

    /// `sun_path` holds 104 bytes on macOS with its NUL.
    static let maxPathBytes = 103

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    /// - Returns: nil if the connection fails for any reason.
    /// - Parameter seconds: how long to wait while the queue of the listener is full.
    static func dial(_ path: String, seconds: Int) -> UnixSocket? {
        let bytes = Array(path.utf8)
        guard bytes.count <= maxPathBytes, !bytes.contains(0) else { return nil }
        let descriptor = socket(AF_UNIX, streamType, 0)
        guard descriptor >= 0 else { return nil }
        let opened = UnixSocket(descriptor: descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        #if canImport(Darwin)
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        return result == 0 ? opened : nil
    }

    enum Read {
        case bytes([UInt8])
        case ended
        case timedOut
    }

    /// - Parameter timeoutMilliseconds: -1 to wait for ever.
    func read(timeoutMilliseconds: Int32 = -1) -> Read {
        guard waits(for: Int16(POLLIN), timeoutMilliseconds) else { return .timedOut }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count < 0, errno == EINTR { continue }
            return .ended
        }
    }

    /// - Returns: whether all of it was taken.
    func write(_ bytes: [UInt8], timeoutMilliseconds: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard waits(for: Int16(POLLOUT), timeoutMilliseconds) else { return false }
            let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, sendFlags) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Wakes a waiting read. Both sides see the end.
    func end() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func waits(for events: Int16, _ timeoutMilliseconds: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let count = poll(&polled, 1, timeoutMilliseconds)
            if count < 0, errno == EINTR { continue }
            return count > 0
        }
    }

    #if canImport(Darwin)
        private static let streamType = SOCK_STREAM
        private let sendFlags: Int32 = MSG_DONTWAIT
    #else
        private static let streamType = Int32(SOCK_STREAM.rawValue)
        private let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    #endif
}
