// swift-tools-version: 6.0
import PackageDescription

// The app itself. On Linux Apple's frameworks do not exist: PlatformSurface declares what the app
// uses of them, for type checks.
#if os(Linux)
    // The enums of Apple's frameworks are open; library evolution makes the stand-ins open too.
    let open: [SwiftSetting] = [.unsafeFlags(["-enable-library-evolution"])]
    func surface(_ name: String, _ needed: [String] = [], _ settings: [SwiftSetting] = []) -> Target {
        .target(
            name: name, dependencies: needed.map { .byName(name: $0) }, path: "PlatformSurface/\(name)", swiftSettings: settings)
    }
    let surfaces = [
        surface("Combine"), surface("Carbon"), surface("AppKit"), surface("ServiceManagement", [], open),
        surface("UserNotifications"),
        surface("Security"), surface("LocalAuthentication"), surface("CryptoKit", ["LocalAuthentication", "Security"]),
        surface("SwiftUI", ["AppKit", "Combine"]),
    ]
    let strict: [SwiftSetting] = [.unsafeFlags(["-warnings-as-errors"])]
#else
    let surfaces: [Target] = []
    let strict: [SwiftSetting] = []
#endif
// All of the shell but drawing: Foundation, and of CryptoKit what Linux's stand-in computes.
let rules = Target.target(
    name: "ShellRules", dependencies: surfaces.filter { $0.name == "CryptoKit" }.map { .byName(name: $0.name) })
let app = Target.executableTarget(
    name: "Shell", dependencies: ["ShellRules"] + surfaces.map { .byName(name: $0.name) }, swiftSettings: strict)
// What the daemon starts to make an item of the keychain that the app may read.
let maker = Target.executableTarget(
    name: "KeychainMaker", dependencies: ["ShellRules"] + surfaces.filter { $0.name == "Security" }.map { .byName(name: $0.name) },
    swiftSettings: strict)

// Of the rules on both; of the app where the stand-ins can be drawn, which is without a Mac.
#if os(Linux)
    let tests = Target.testTarget(
        name: "ShellRulesTests", dependencies: ["ShellRules", "Shell", "KeychainMaker"] + surfaces.map { .byName(name: $0.name) },
        path: "Tests", exclude: ["ShellTests/Screens"])
#else
    let tests = Target.testTarget(name: "ShellRulesTests", dependencies: ["ShellRules"], path: "Tests", exclude: ["ShellTests"])
#endif

let package = Package(
    name: "Sallyport",
    platforms: [.macOS(.v13)],
    products: [
        .executable(name: "Sallyport", targets: ["Shell"]), .executable(name: "sallyport-keychain", targets: ["KeychainMaker"]),
    ],
    targets: surfaces + [rules, app, maker, tests]
)
