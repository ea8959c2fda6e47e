/// The result of the person's answer, in sentences.
extension Command.RequestsDecide.Answer {
    /// - Parameter asked: how many were answered. A run ends at the first failure.
    public func outcome(of asked: Int) -> String {
        switch answer {
        case .no: localized("Refused. A client that asks again is told so.")
        case .once: localized("Allowed. The client sends it again: tell it to go on.")
        case .run: ranSentences(asked).joined(separator: " ")
        }
    }

    private func ranSentences(_ asked: Int) -> [String] {
        let sentences = ran.enumerated().map { at, run in
            let said = ([run.sentence] + run.warnings.map(ShownText.oneLine)).joined(separator: " ")
            return asked == 1 ? said : localized("\(String(at + 1)). \(said)")
        }
        let left = asked - ran.count
        if left == 0 { return sentences }
        return sentences + [
            counted(
                left, one: "\(number: left) after it did not run, and still waits.",
                other: "\(number: left) after it did not run, and still wait.")
        ]
    }
}

extension RequestRun {
    fileprivate var sentence: String {
        if let failed { return localized("It did not run. \(ShownText.oneLine(failed))") }
        guard let rows = rowsAffected else { return localized("It ran.") }
        return counted(rows, one: "It ran; \(number: rows) row changed.", other: "It ran; \(number: rows) rows changed.")
    }
}

extension Command.ConnectionsSave {
    /// For write access that was given to a waiting request.
    public static var allowedWriting: String {
        localized("AI clients may write there now. The client sends it again: tell it to go on.")
    }
}
