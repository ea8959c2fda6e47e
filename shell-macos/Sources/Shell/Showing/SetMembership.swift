import SwiftUI

extension Binding where Value == Set<String> {
    /// True if the set contains the member; setting it adds or removes the member.
    @MainActor
    func contains(_ member: String) -> Binding<Bool> {
        Binding<Bool>(
            get: { wrappedValue.contains(member) },
            set: { isIn in if isIn { wrappedValue.insert(member) } else { wrappedValue.remove(member) } })
    }
}

extension Binding {
    /// True if there is a value; setting it to false removes the value.
    @MainActor
    func isThere<Wrapped>() -> Binding<Bool> where Value == Wrapped? {
        Binding<Bool>(get: { wrappedValue != nil }, set: { isThere in if !isThere { wrappedValue = nil } })
    }
}
