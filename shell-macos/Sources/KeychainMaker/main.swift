import Foundation

/// `Contents/Helpers/sallyport-keychain ACCOUNT`, which the daemon starts. It makes the item of the
/// shell secret and prints only what went wrong. It reads and changes no item.

if let problem = ItemMaker.make(arguments: Array(CommandLine.arguments.dropFirst()), executable: Bundle.main.executableURL) {
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
    exit(1)
}
