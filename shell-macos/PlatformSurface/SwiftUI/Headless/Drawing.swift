// How each view of Apple's comes out where nothing draws it. No part of Apple's API.
// swift-format-ignore-file

extension TupleView: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { views.enumerated().flatMap { stage.draw($1, "\(path).\($0)") } }
}
extension _ConditionalContent: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(shown, "\(path)\(isFirst ? "+" : "-")") }
}
extension Optional: Drawable where Wrapped: View {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { map { stage.draw($0, path) } ?? [] }
}
extension EmptyView: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { [] } }
extension Spacer: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { [] } }
extension Divider: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { [] } }
extension Color: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { [] } }
extension RoundedRectangle: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { [] } }
extension ProgressView: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { [] } }
extension AnyView: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(shown, path) } }
extension HStack: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        let row = stage.draw(content, path)
        stage.rows.append((stage.width, row.filter { !stage.stacked.contains(ObjectIdentifier($0)) }))
        return row
    }
}
extension VStack: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        let column = stage.draw(content, path)
        stage.stacked.formUnion(column.map(ObjectIdentifier.init))
        return column
    }
}
extension LazyVStack: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(content, path) } }
extension ScrollView: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(content, path) } }
extension Grid: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(content, path) } }
extension GridRow: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(content, path) } }
extension ControlGroup: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(content, path) } }
extension Form: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(content, path) } }
extension Group: Drawable where Content: View {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(content, path) }
}
extension Section: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { parts.enumerated().flatMap { stage.draw($1, "\(path).\($0)") } }
}
extension LabeledContent: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { parts.enumerated().flatMap { stage.draw($1, "\(path).\($0)") } }
}
extension Label: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { parts.enumerated().flatMap { stage.draw($1, "\(path).\($0)") } }
}
extension ForEach: Drawable {
    /// Of those with the same id SwiftUI draws the first in the place of each.
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        let rows = rows()
        let first = Dictionary(rows, uniquingKeysWith: { first, _ in first })
        return rows.flatMap { id, row in stage.draw(first[id] ?? row, "\(path)[\(id)]") }
    }
}
extension TimelineView: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(content(Date()), path) }
}
extension GeometryReader: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        stage.draw(content(GeometryProxy(size: CGSize(width: 100, height: stage.boxHeight), markBottom: stage.markBottom)), path)
    }
}
extension Text: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { [Drawn(.text, content)] } }
extension Image: Drawable { func draw(_ stage: Stage, _ path: String) -> [Drawn] { [Drawn(.image, name)] } }

extension Button: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        let label = stage.draw(label, path)
        let button = Drawn(.button, words(label))
        if button.title.isEmpty { button.title = label.first?.title ?? "" }
        button.role = role?.name
        button.action = action
        return [button]
    }
}
extension Menu: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { placed(stage.draw(content, path), "menu") }
}
extension Toggle: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        let toggle = Drawn(.toggle, words(stage.draw(label, path)))
        toggle.isOn = isOn
        return [toggle]
    }
}
extension Picker: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        let picker = Drawn(.picker, words(stage.draw(label, path)))
        picker.options = stage.draw(content, "\(path)?").filter { $0.tag != nil }
        picker.picked = AnyHashable(selection.wrappedValue)
        picker.pick = { option in if let option = option?.base as? SelectionValue { selection.wrappedValue = option } }
        return [picker]
    }
}
extension TextField: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { field(.field, title, text, prompt) }
}
extension SecureField: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { field(.secureField, title, text, prompt) }
}
@MainActor private func field(_ kind: Drawn.Kind, _ title: String, _ text: Binding<String>, _ prompt: Text?) -> [Drawn] {
    let field = Drawn(kind, title)
    field.text = text
    field.prompt = prompt?.content
    return [field]
}

extension ModifiedContent: Drawable where Content: View, Modifier: ViewModifier {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        guard let said = modifier as? AccessibilityAttachmentModifier else {
            stage.bind(modifier, "\(path)/\(Modifier.self)")
            return stage.draw(modifier.body(content: _ViewModifier_Content(shown: content)), "\(path)/\(Modifier.self)")
        }
        let drawn = stage.draw(content, path)
        for one in drawn {
            if let label = said.label { one.spoken = label }
            if let hint = said.hint { one.hint = hint }
            if said.isHidden { one.isHiddenFromVoiceOver = true }
        }
        return drawn
    }
}
extension _ViewModifier_Content: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] { stage.draw(shown, path) }
}
