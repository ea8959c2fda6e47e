/// What became of the person's answer to requests, in sentences.
extension DeskDecision {
    var outcome: String {
        switch answer {
        case .no, .close: localized("Refused. A client that asks again is told so.")
        case .yes: failed ?? localized("Allowed. The client sends it again: tell it to go on.")
        case .run: ranSentences.joined(separator: " ")
        }
    }

    /// Of a host key that was accepted.
    private var failed: String? {
        ran.compactMap(\.failed).first.map {
            localized("The key is trusted now, but the connection still fails. \(ShownText.oneLine($0))")
        }
    }

    /// A run ends at the first failure.
    private var ranSentences: [String] {
        let sentences = ran.enumerated().map { place, run in
            let at = ids.firstIndex(of: run.id) ?? place
            let said = ([run.sentence] + run.warnings.map(ShownText.oneLine)).joined(separator: " ")
            return ids.count == 1 ? said : localized("\(String(at + 1)). \(said)")
        }
        let left = ids.count - ran.count
        if left == 0 || ran.last?.failed == nil { return sentences }
        return sentences + [
            counted(
                left, one: "\(number: left) after it did not run, and still waits.",
                other: "\(number: left) after it did not run, and still wait.")
        ]
    }
}

extension RequestRun {
    fileprivate var sentence: String {
        // It says itself whether it may have run in part.
        if let failed { return ShownText.oneLine(failed) }
        guard let rows = rowsAffected else { return localized("It ran.") }
        return counted(rows, one: "It ran; \(number: rows) row changed.", other: "It ran; \(number: rows) rows changed.")
    }
}

extension AskSheet {
    /// For write access that was given to a waiting request.
    static var allowedWriting: String {
        localized("AI clients may write there now. The client sends it again: tell it to go on.")
    }
}
