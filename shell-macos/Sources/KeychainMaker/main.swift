import Foundation

/// `Contents/Helpers/sallyport-keychain ACCOUNT`, started by the daemon: makes the item of the
/// shell secret, and says nothing but what went wrong. It reads no item and changes none.

if let problem = ItemMaker.make(arguments: Array(CommandLine.arguments.dropFirst()), executable: Bundle.main.executableURL) {
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
    exit(1)
}
