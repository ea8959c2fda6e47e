// A view with something said of it, where nothing draws it. No part of Apple's API.
// swift-format-ignore-file
import Foundation

enum Change {
    case disabled(Bool), key(String?), help(String), tag(AnyHashable), identity(AnyHashable)
    case trait(String, Bool)
    case width(CGFloat?)
    case appear(() -> Void), disappear(() -> Void), focus((Bool) -> Void), submit(() -> Void), changed(any Watched)
    case command(String, () -> Void)
    case beside(any View), menu(any View)
    case selectionMenu((AnyHashable) -> any View, (AnyHashable) -> Void)
    case toolbar([any View])
    case presented(String, isShown: () -> Bool, end: () -> Void, content: () -> [any View])
    case nothing
}

struct Modified<Content: View> {
    let content: Content
    let change: Change
}
extension Modified: View { var body: Never { fatalError() } }

extension Modified: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        if case .identity(let id) = change { return stage.draw(content, "\(path)#\(id)") }
        let outer = stage.width
        if case .width(let own) = change { stage.width = own ?? outer }
        let drawn = stage.draw(content, path)
        stage.width = outer
        switch change {
        case .disabled(let isDisabled): if isDisabled { for one in drawn { one.isEnabled = false } }
        case .key(let name): if let name { drawn.first { $0.kind == .button }?.keys.append(name) }
        case .help(let sentence): for one in drawn { one.help = sentence }
        case .trait(let name, let isSo): if isSo { for one in drawn { one.traits.append(name) } }
        case .tag(let tag): for one in drawn { one.tag = tag }
        case .appear(let act): stage.appear("\(path)^", act)
        case .disappear(let act): stage.disappearing["\(path)v"] = act
        case .focus(let set): for one in drawn { one.setFocus = set }
        case .submit(let act): for one in drawn where one.kind == .field || one.kind == .secureField { one.submit = act }
        case .changed(let now): stage.watch("\(path)~\(type(of: now))", now)
        case .command(let name, let act): return drawn + [command(name, act)]
        case .beside(let view): return drawn + stage.draw(view, "\(path)&")
        case .menu(let view): return drawn + placed(stage.draw(view, "\(path)+"), "context menu")
        case .selectionMenu(let items, let primary):
            let menu = Drawn(.selectionMenu)
            menu.menu = { row in stage.draw(items(row), "\(path)+") }
            menu.primary = primary
            return drawn + [menu]
        case .toolbar(let items): return drawn + placed(items.enumerated().flatMap { stage.draw($1, "\(path)=\($0)") }, "toolbar")
        case .presented(let kind, let isShown, let end, let content):
            guard isShown() else { return drawn }
            let outer = stage.dismiss
            stage.dismiss = end
            let shown = placed(content().enumerated().flatMap { stage.draw($1, "\(path)@\($0)") }, kind)
            stage.dismiss = outer
            guard kind != "sheet" else { return drawn + shown }
            // A button of an alert ends it.
            for button in shown where button.kind == .button {
                let act = button.action
                button.action = {
                    act()
                    end()
                }
            }
            return drawn + shown
        case .identity, .width, .nothing: break
        }
        return drawn
    }

    @MainActor private func command(_ name: String, _ act: @escaping () -> Void) -> Drawn {
        let command = Drawn(.command, name)
        command.action = act
        return command
    }
}

@MainActor func placed(_ drawn: [Drawn], _ place: String) -> [Drawn] {
    for one in drawn where one.place == nil { one.place = place }
    return drawn
}

@MainActor func words(_ drawn: [Drawn]) -> String {
    drawn.filter { $0.kind == .text }.map(\.title).joined(separator: " ")
}
