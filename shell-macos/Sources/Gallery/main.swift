import Foundation
import ShellRules

/// Draws every screen of the app from the models that the app draws from, light and dark, as SVG,
/// and refuses to where a text has no room, in one of the app's languages, or in one that needs a
/// third more.
///   Gallery FOLDER [ICON]           writes the pictures, and the app's icon
///   Gallery --check FOLDER [ICON]   says which are not as they would be written
///   Gallery --german FOLDER         writes them in German, to be looked at; --longer with texts a third longer
var pictures: [Picture] {
    PairingScreen().pictures + QuestionScreen().pictures + RequestsScreen().pictures + ConnectionsScreen().pictures
        + IntegrationsScreen().pictures
        + ConnectClientScreen().pictures + ActivityScreen().pictures + MenuScreen().pictures + PassphraseScreen().pictures
        + AdvancedScreen().pictures + FirstRunScreen().pictures
}

func complain(_ lines: [String]) -> Never {
    FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    exit(1)
}

// The pictures, times of day included, are the same on every machine.
setenv("TZ", "UTC", 1)
let words = CommandLine.arguments.dropFirst()
// Each word with a dash is an option. Otherwise a misspelt option would become a folder.
let options = words.filter { $0.hasPrefix("-") }
let places = words.filter { !$0.hasPrefix("-") }
let checks = options == ["--check"]
let other = options.first.flatMap { word in Tongue.allCases.first { "--\($0.rawValue)" == word } }
let isUnderstood = options.count <= 1 && (options.isEmpty || checks || other != nil)
guard isUnderstood, (other == nil ? 1...2 : 1...1).contains(places.count) else {
    let others = Tongue.allCases.filter { $0 != .english }.map { "--\($0)" }.joined(separator: "|")
    complain(["Gallery [--check] FOLDER [ICON], or Gallery \(others) FOLDER"])
}

var files: [String: String] = [:]
var problems: [String] = []
for tongue in Tongue.allCases {
    // Drawing belongs to it: a menu lays out its texts only then.
    Language.$current.withValue(tongue.language) {
        for picture in pictures {
            for appearance in Appearance.allCases {
                let (svg, found) = picture.drawn(appearance)
                problems += found.map { "\(tongue): \($0)" }
                if tongue == other ?? .english { files["\(places[0])/\(picture.name)-\(appearance).svg"] = svg }
            }
        }
    }
}
if places.count == 2 { files[places[1]] = Icon.svg }
let unique = Set(problems).sorted()
if other == nil, !unique.isEmpty { complain(["There is no room for this:"] + unique) }

/// The folder holds pictures only.
let kept = Set((try? FileManager.default.contentsOfDirectory(atPath: places[0])) ?? []).map { "\(places[0])/\($0)" }
let stale = kept.filter { $0.hasSuffix(".svg") && files[$0] == nil }
if checks {
    let changed = files.filter { (try? String(contentsOfFile: $0.key, encoding: .utf8)) != $0.value }
    let said = stale.map { "\($0) is drawn no more" } + changed.map { "\($0.key) is not as it would be drawn" }
    if !said.isEmpty { complain(said.sorted() + ["`make gallery` draws them anew."]) }
} else {
    try FileManager.default.createDirectory(atPath: places[0], withIntermediateDirectories: true)
    for path in stale { try FileManager.default.removeItem(atPath: path) }
    for (path, text) in files { try text.write(toFile: path, atomically: true, encoding: .utf8) }
}
print("\(files.count) pictures \(checks ? "as they would be drawn" : "drawn"); every text has its room.")
