import SwiftUI

extension Binding where Value == Set<String> {
    /// Whether a member is in the set, to be ticked and unticked.
    @MainActor
    func contains(_ member: String) -> Binding<Bool> {
        Binding<Bool>(
            get: { wrappedValue.contains(member) },
            set: { isIn in if isIn { wrappedValue.insert(member) } else { wrappedValue.remove(member) } })
    }
}
