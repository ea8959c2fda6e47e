// CryptoKit: SHA-256 (FIPS 180-4) and its HMAC (RFC 2104). They compute, as the app's proofs are tried against a real daemon.
@_exported import Foundation

// doc: @preconcurrency protocol Digest : ContiguousBytes, CustomStringConvertible, Hashable, Sendable, Sequence where Self.Element == UInt8
@preconcurrency public protocol Digest: Sendable, Sequence where Self.Element == UInt8 {}

// doc: @preconcurrency protocol HashFunction : Sendable
@preconcurrency public protocol HashFunction: Sendable {
    // doc: associatedtype Digest : Digest
    associatedtype Digest: CryptoKit.Digest
    // doc: init()
    init()
    // doc: mutating func update(bufferPointer: UnsafeRawBufferPointer)
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    // doc: func finalize() -> Self.Digest
    func finalize() -> Self.Digest
}

extension HashFunction {
    // doc: static func hash<D>(data: D) -> Self.Digest where D : DataProtocol
    public static func hash<D>(data: D) -> Self.Digest where D: DataProtocol {
        var hash = Self()
        Array(data).withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize()
    }
}

// doc: struct SHA256Digest
public struct SHA256Digest: Digest {
    let bytes: [UInt8]
    // doc: func makeIterator() -> Array<UInt8>.Iterator
    public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
}

// doc: struct SymmetricKey
public struct SymmetricKey: Sendable {
    let bytes: [UInt8]
    // doc: init<D>(data: D) where D : ContiguousBytes
    public init<D>(data: D) where D: ContiguousBytes { bytes = data.withUnsafeBytes { Array($0) } }
}

// doc: struct HashedAuthenticationCode<H> where H : HashFunction
public struct HashedAuthenticationCode<H>: Sendable, Sequence where H: HashFunction {
    let bytes: [UInt8]
    // doc: func makeIterator() -> Array<UInt8>.Iterator
    public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
}

// doc: struct HMAC<H> where H : HashFunction
public struct HMAC<H> where H: HashFunction {
    // doc: typealias MAC = HashedAuthenticationCode<H>
    public typealias MAC = HashedAuthenticationCode<H>
    // doc: static func authenticationCode<D>(for data: D, using key: SymmetricKey) -> HMAC<H>.MAC where D : DataProtocol
    public static func authenticationCode<D>(for data: D, using key: SymmetricKey) -> HMAC<H>.MAC where D: DataProtocol {
        let short = key.bytes.count > SHA256.blockBytes ? Array(H.hash(data: key.bytes)) : key.bytes
        let padded = short + [UInt8](repeating: 0, count: SHA256.blockBytes - short.count)
        let inner = H.hash(data: padded.map { $0 ^ 0x36 } + Array(data))
        return MAC(bytes: Array(H.hash(data: padded.map { $0 ^ 0x5c } + Array(inner))))
    }
}

// doc: struct SHA256
public struct SHA256: HashFunction {
    // doc: typealias Digest = SHA256Digest
    public typealias Digest = SHA256Digest
    static let blockBytes = 64

    private var message: [UInt8] = []
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    // doc: init()
    public init() {}

    // doc: mutating func update(bufferPointer: UnsafeRawBufferPointer)
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { message += bufferPointer }

    // doc: func finalize() -> SHA256.Digest
    public func finalize() -> SHA256.Digest {
        let zeros = (2 * SHA256.blockBytes - 9 - message.count % SHA256.blockBytes) % SHA256.blockBytes
        let length = (0..<8).map { UInt8(truncatingIfNeeded: (UInt64(message.count) &* 8) >> UInt64(56 - 8 * $0)) }
        let padded = message + [0x80] + [UInt8](repeating: 0, count: zeros) + length
        var hash = SHA256()
        for offset in stride(from: 0, to: padded.count, by: SHA256.blockBytes) {
            hash.compress(padded[offset..<offset + SHA256.blockBytes])
        }
        let bytes = hash.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
        return SHA256Digest(bytes: bytes)
    }

    private mutating func compress(_ block: ArraySlice<UInt8>) {
        var schedule = [UInt32](repeating: 0, count: 64)
        for index in 0..<16 {
            let at = block.startIndex + 4 * index
            schedule[index] =
                UInt32(block[at]) << 24 | UInt32(block[at + 1]) << 16 | UInt32(block[at + 2]) << 8 | UInt32(block[at + 3])
        }
        for index in 16..<64 {
            let early = schedule[index - 15]
            let late = schedule[index - 2]
            let small0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
            let small1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
            schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ big1 &+ choice &+ SHA256.constants[index] &+ schedule[index]
            let big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ big0 &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ word }
    }

    private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        (word >> count) | (word << (32 - count))
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
