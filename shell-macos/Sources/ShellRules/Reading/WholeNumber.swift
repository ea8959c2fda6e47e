/// Whole numbers as people type them: digits alone.
enum WholeNumber {
    static func read(_ typed: String, within range: ClosedRange<Int>, mostDigits: Int = 12) -> Int? {
        guard isDigits(typed), typed.utf8.count <= mostDigits, let number = Int(typed) else { return nil }
        return range.contains(number) ? number : nil
    }

    static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy(\.isASCIIDigit)
    }
}
