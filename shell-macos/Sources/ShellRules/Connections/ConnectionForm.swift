import Foundation

/// The form of a connection (spec §6) as the daemon describes it: what stands in its fields, and
/// which of them are shown. The daemon makes a request of what was typed, and says what is wrong
/// with a field.
public struct ConnectionForm: Equatable, Identifiable, Sendable {
    public typealias Answer = Command.ConnectionsForm.Answer

    /// Nil for a new connection.
    public let connection: String?
    public var id: String { connection ?? "" }
    let sections: [FormSection]
    private let place: [String]
    private let former: [String: String]
    private let digest: String
    /// By the fields' keys.
    public private(set) var values: [String: String]
    /// Why the daemon did not save or test it. Cleared by the next change.
    public private(set) var refusal: FormRefusal?
    /// What was wrong with the pasted URL. It never repeats the URL.
    public private(set) var urlProblem: String?
    /// The parts of the pasted URL that no field holds.
    public private(set) var urlNotes: [String] = []

    /// - Parameter answer: to `opening`.
    public init(_ connection: String? = nil, _ answer: Answer) {
        self.connection = connection
        (sections, place, digest) = (answer.sections, answer.place, answer.digest)
        (former, values) = (answer.values, answer.values)
    }

    public static func opening(_ connection: String? = nil) -> Command.ConnectionsForm {
        Command.ConnectionsForm(connection: connection, home: FileManager.default.homeDirectoryForCurrentUser.path)
    }

    /// What a field shows: what was chosen counts wherever the connection goes, and what is saved
    /// for its place does not.
    public subscript(shown key: String) -> String {
        get { self[key].isEmpty && !isElsewhere ? savedChoices[key] ?? "" : self[key] }
        set { self[key] = newValue }
    }

    /// What was typed into a field, pasted or saved.
    public subscript(key: String) -> String {
        get { values[key] ?? "" }
        set {
            if newValue != self[key] { refusal = nil }
            values[key] = newValue
        }
    }

    private var typed: [String: String] { values.filter { $0.value != former[$0.key] ?? "" } }

    /// Whether there is anything to save.
    public var isChanged: Bool { connection == nil || typed.contains { $0.value != savedChoices[$0.key] } }

    private var savedChoices: [String: String] {
        sections.flatMap(\.fields).reduce(into: [:]) { $0[$1.key] = $1.saved }
    }

    /// The daemon's answer has the draft to save.
    public var saving: Command.ConnectionsForm {
        var asked = ConnectionForm.opening(connection)
        (asked.typed, asked.digest) = (typed, digest)
        return asked
    }

    /// The daemon's answer has the draft to test.
    public var trying: Command.ConnectionsForm {
        var asked = saving
        if connection == nil, self["name"].isEmpty { asked.typed?["name"] = localized("New connection") }
        return asked
    }

    /// The sections of a pane, with the fields that are shown.
    public func sections(of pane: FormSection.Pane) -> [FormSection] {
        sections.filter { $0.pane == pane }.compactMap { section in
            let fields = section.fields.filter(isShown).map(offered)
            return fields.isEmpty ? nil : FormSection(pane: pane, title: section.title, fields: fields)
        }
    }

    private func isShown(_ field: FormField) -> Bool {
        field.shownIf?.allSatisfy { $0.value.contains(self[$0.key]) } ?? true
    }

    private func offered(_ field: FormField) -> FormField {
        var field = field
        if field.saved != nil, !isElsewhere { field.choices.removeAll { $0.value.isEmpty } }
        return field
    }

    private var isElsewhere: Bool {
        let fields = sections.flatMap(\.fields).filter { place.contains($0.key) && isShown($0) }
        return fields.contains { typed[$0.key] != nil }
    }

    public mutating func refused(_ failure: ControlClient.Failure) {
        refusal = FormRefusal(failure)
    }

    /// - Parameter field: nil for a problem of no shown field.
    public func problem(_ field: FormField?) -> String? { refusedField == field ? refusal?.sentence : nil }

    /// For an element of a list, the list; for a part of what has one field, that.
    var refusedField: FormField? {
        let shown = FormSection.Pane.allCases.flatMap(sections).flatMap(\.fields)
        var path = refusal?.path?.pieces(at: ".") ?? []
        while !path.isEmpty {
            if let field = shown.first(where: { $0.key == path.joined(separator: ".") }) { return field }
            path.removeLast()
        }
        return nil
    }

    /// The pane that has the refused field.
    public var refusedPane: FormSection.Pane? {
        refusedField.flatMap { field in sections.first { $0.fields.map(\.key).contains(field.key) }?.pane }
    }

    /// Has the daemon take a pasted URL apart, for `paste`.
    public func reading(url: String) -> Command.ConnectionsForm {
        var asked = ConnectionForm.opening(connection)
        asked.url = url
        return asked
    }

    /// Puts the parts of a pasted URL into the fields. What it says nothing of stays.
    public mutating func paste(_ read: Result<Answer, ControlClient.Failure>) {
        (urlProblem, urlNotes) = (nil, [])
        switch read {
        case .failure(let failure): urlProblem = failure.sentence
        case .success(let pasted):
            urlNotes = pasted.notes.map(\.shown)
            values.merge(pasted.values) { $1 }
            refusal = nil
        }
    }
}

extension Command.ConnectionsSave {
    /// Dials instead of saving: the same members.
    /// - Parameter hostKey: a fingerprint that the person has just confirmed.
    public func trial(hostKey: String?) throws -> Command.ConnectionsTry {
        var trial = try JSONText.decode(Command.ConnectionsTry.self, from: JSONText.encode(self))
        trial.hostKey = hostKey
        return trial
    }
}

// Its words in the user's language.
extension FormSection: Identifiable {
    public var id: String { fields.first?.key ?? "" }
    public var heading: String? { title.map(localized(daemons:)) }
}

extension FormField: Identifiable {
    public var id: String { key }
    public var title: String { localized(daemons: label) }
    public var hint: String { localized(daemons: prompt) }
    public var remark: String? { note.map(localized(daemons:)) }
}

extension FormChoice: Identifiable {
    public var id: String { value }
    public var title: String { localized(daemons: label) }
}
