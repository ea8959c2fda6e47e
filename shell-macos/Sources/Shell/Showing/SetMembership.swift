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

extension Binding {
    /// Whether there is a value, for what is drawn while there is one and takes it away at its end.
    @MainActor
    func isThere<Wrapped>() -> Binding<Bool> where Value == Wrapped? {
        Binding<Bool>(get: { wrappedValue != nil }, set: { isThere in if !isThere { wrappedValue = nil } })
    }
}
