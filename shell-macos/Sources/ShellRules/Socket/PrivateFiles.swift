import Foundation

/// Checks whether a file or folder belongs to this user alone (spec §1, §2 Trust). It ignores the
/// content.
enum PrivateFiles {
    enum FolderFault: Equatable {
        case absent
        /// A sentence without its full stop.
        case untrusted(String)
    }

    enum File: Equatable {
        case absent
        case untrusted(String)
        case read(String)
    }

    /// A sticky folder that others may write to (/tmp) is not private. Nil if nothing is wrong.
    static func folderFault(_ folder: String) -> FolderFault? {
        var facts = stat()
        guard lstat(folder, &facts) == 0 else { return .absent }
        if facts.st_mode & S_IFMT != S_IFDIR { return .untrusted(localized("\(folder) is not a real folder")) }
        if facts.st_uid != getuid() { return .untrusted(localized("\(folder) belongs to another user")) }
        return facts.st_mode & 0o022 == 0 ? nil : .untrusted(localized("\(folder) can be written by others"))
    }

    /// Whether there is a real folder of this user.
    static func isOwnFolder(_ folder: String) -> Bool { isOwn(folder, S_IFDIR) }

    /// Whether there is a socket of this user.
    static func isOwnSocket(_ path: String) -> Bool { isOwn(path, S_IFSOCK) }

    private static func isOwn(_ path: String, _ kind: mode_t) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == kind && facts.st_uid == getuid()
    }

    /// Like `readOwn`, and nobody else can write to its folder.
    static func read(_ path: String, maxBytes: Int) -> File {
        let file = readOwn(path, maxBytes: maxBytes)
        guard case .read = file else { return file }
        switch folderFault((path as NSString).deletingLastPathComponent) {
        case .untrusted(let problem): return .untrusted(problem)
        case .absent: return .absent
        case nil: return file
        }
    }

    /// Reads a file that must be regular, this user's and `0600`. The checks hold for the bytes
    /// read.
    static func readOwn(_ path: String, maxBytes: Int) -> File {
        // O_NONBLOCK: a FIFO in its place must not hang the reader.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT || errno == ENOTDIR
                ? .absent : .untrusted(localized("\(path) can't be opened (\(String(cString: strerror(errno))))"))
        }
        defer { _ = close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return .untrusted(localized("\(path) can't be looked at")) }
        if let problem = fileProblem(path, facts, maxBytes) { return .untrusted(problem) }
        // One byte more: it may have grown since it was looked at.
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        guard let bytes = try? file.read(upToCount: maxBytes + 1) ?? Data(), bytes.count <= maxBytes else {
            return .untrusted(localized("\(path) can't be read, or is larger than \(Sizes.words(bytes: maxBytes))"))
        }
        return .read(String(decoding: bytes, as: UTF8.self))
    }

    private static func fileProblem(_ path: String, _ facts: stat, _ maxBytes: Int) -> String? {
        if facts.st_mode & S_IFMT != S_IFREG { return localized("\(path) is not a regular file") }
        if facts.st_uid != getuid() { return localized("\(path) belongs to another user") }
        let mode = facts.st_mode & 0o777
        if mode != 0o600 { return localized("\(path) has mode \(String(mode, radix: 8)), not 600") }
        return facts.st_size > maxBytes ? localized("\(path) is larger than \(Sizes.words(bytes: maxBytes))") : nil
    }
}
