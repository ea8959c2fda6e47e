/// The colours of a window, light and dark. They are close to the system's colours, which the app
/// uses by name.
enum Appearance: String, CaseIterable {
    case light, dark
}

enum Tint {
    case text, secondary, tertiary, accent, onAccent, red, orange, green, yellow, purple, grey
    case window, titleBar, card, cardEdge, hairline, field, fieldEdge, button, buttonEdge, dimmedButton, track, selection, code
    case stripe, menu, menuEdge, edge

    func colour(_ appearance: Appearance) -> String {
        let (light, dark) = pair
        return appearance == .light ? light : dark
    }

    private var pair: (String, String) {
        switch self {
        case .text: ("#262626", "#e3e3e4")
        case .secondary: ("#6b6b6e", "#a2a2a6")
        case .tertiary: ("#b4b4b7", "#6a6a6e")
        case .accent: ("#007aff", "#0a84ff")
        case .onAccent: ("#ffffff", "#ffffff")
        case .red: ("#d70015", "#ff6961")
        case .orange: ("#b25000", "#ffb340")
        case .green: ("#28b84a", "#32d158")
        case .yellow: ("#f0b400", "#ffd426")
        case .purple: ("#9a4fc4", "#c583ea")
        case .grey: ("#8e8e93", "#98989d")
        case .window: ("#ececec", "#2a2a2c")
        case .titleBar: ("#e6e6e6", "#343436")
        case .card: ("#f6f6f6", "#343437")
        case .cardEdge: ("#dcdcdc", "#414144")
        case .hairline: ("#dedede", "#454548")
        case .field: ("#ffffff", "#1f1f21")
        case .fieldEdge: ("#cfcfd1", "#4b4b4f")
        case .button: ("#ffffff", "#5d5d61")
        case .buttonEdge: ("#cfcfd1", "#6b6b70")
        case .dimmedButton: ("#f3f3f3", "#3d3d40")
        case .track: ("#d5d5d7", "#55555a")
        case .selection: ("#0063e1", "#0a5bd0")
        case .code: ("#ffffff", "#1b1b1d")
        case .stripe: ("#f4f5f5", "#232325")
        case .menu: ("#f3f3f3", "#2f2f32")
        case .menuEdge: ("#c9c9cb", "#56565a")
        case .edge: ("#c2c2c4", "#5a5a5e")
        }
    }
}
