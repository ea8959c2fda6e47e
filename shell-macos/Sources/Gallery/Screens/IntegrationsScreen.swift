import Foundation
import ShellRules

/// Settings > Integrations, with its section Authentication, and a minted token that is shown once.
struct IntegrationsScreen {

    var pictures: [Picture] {
        let running = ServerPane(.connected, Samples.status("ready"))
        let elsewhere = ServerPane(.connected, Samples.status("ready", notes: [Samples.takenPort], port: 45_021))
        let away = ServerPane(.gaveUp, nil)
        return [
            pane("integrations", running, Samples.tokens, Samples.clients, "while the server runs"),
            pane("integrations-port-taken", elsewhere, [], [], "while another program holds the port"),
            pane("integrations-away", away, [], [], "while Sallyport does not run"), minted,
        ]
    }

    private func pane(
        _ name: String, _ server: ServerPane, _ tokens: [TokenView], _ clients: [ClientView], _ state: String
    ) -> Picture {
        let connecting = formRow(
            localized("AI clients"), Button(localized("Connect a Client…")),
            note: localized("Steps and snippets for four kinds of client."))
        let content = Column(
            spacing: 18,
            [
                section(localized("Server"), serverRows(server)), Card([connecting]), connected(clients), authentication(tokens),
                boxes(tokens.isEmpty ? [] : Samples.boxes),
            ])
        return Picture(
            name: name, chrome: SettingsWindow.chrome(1), width: SettingsWindow.width, content: Padding(20, 18, content),
            description: "Settings, Integrations \(state)")
    }

    private func serverRows(_ server: ServerPane) -> [any Element] {
        let (symbol, tint): (String, Tint) =
            switch server.light {
            case .green: (Glyph.done, .green)
            case .yellow: (Glyph.paused, .yellow)
            case .grey: (Glyph.circle, .grey)
            case .red: (Glyph.warning, .red)
            }
        let control: any Element = server.isOn.map { Switch(isOn: $0, isSmall: false) } ?? Button(localized("Start Sallyport"))
        var rows: [any Element] = [
            Row(
                spacing: 8,
                [
                    GlyphView(path: symbol, size: 17, tint: tint, strokeWidth: 1.8), Label(server.headline), Spacer(),
                    control,
                ])
        ]
        if let address = server.address {
            rows.append(
                formRow(
                    localized("Address"),
                    Row(
                        spacing: 8,
                        [
                            Label(address, .code, .secondary), GlyphView(path: Glyph.copy, size: 15, tint: .secondary),
                        ])))
        }
        return rows + server.notes.map { remark($0) }
    }

    private func connected(_ clients: [ClientView]) -> Column {
        let listed: [any Element] = clients.map { ClientRow($0, shown: ActivityScreen.instant) }.map { row in
            let name: [any Element] =
                row.claimedName.map { [Label($0), Label(localized("not verified"), .small, .secondary), Spacer()] }
                ?? [Label(ClientRow.unnamed), Spacer()]
            return Column(spacing: 2, [Row(spacing: 8, name), Label(row.detail, .small, .secondary, breaking: .words)])
        }
        return section(localized("Connected Now"), listed.isEmpty ? [Label(localized("No client."), .body, .secondary)] : listed)
    }

    private func authentication(_ tokens: [TokenView]) -> Column {
        let rows = tokens.map { TokenRow($0, shown: IntegrationsScreen.day) }
        let listed: [any Element] = rows.map { row in
            let state: [any Element] = row.state == .valid ? [] : [Label(row.state.label, .small, .secondary)]
            let words = Column(
                spacing: 2,
                [
                    Row(spacing: 8, [Label(row.name), Label("\(row.prefix)…", .code, .secondary)] + state + [Spacer()]),
                    Label(
                        row.detail, .small, .secondary,
                        breaking: .words),
                ])
            return Row(spacing: 12, [words, GlyphView(path: Glyph.more, size: 16, tint: .secondary)])
        }
        let none = Label(
            localized("No tokens. The stdio bridge needs none; HTTP clients and extensions do."), .body, .secondary,
            breaking: .words)
        let heading = Padding(
            12, 0, Row([Label(localized("Authentication"), .headline), Spacer(), Button(localized("New Token…"))]))
        return Column(spacing: 6, [heading, Card(listed.isEmpty ? [none] : listed)])
    }

    private func boxes(_ boxes: [BoxView]) -> Column {
        let none = Label(
            localized("No boxes. A terminal makes one for an agent in a container: sallyport boxes add NAME"), .body, .secondary,
            breaking: .words)
        let rows: [any Element] = boxes.map { TokenRow($0, shown: IntegrationsScreen.day) }.map { row in
            let notes = ([row.detail] + row.notes).map { Label($0, .small, .secondary, breaking: .words) as any Element }
            let socket = Label(row.socket ?? "", Typeface(size: 10, isMonospaced: true), .secondary, breaking: .cut)
            let words = Column(spacing: 2, [Label(row.name)] + notes.prefix(1) + [socket] + notes.dropFirst())
            return Row(spacing: 12, [words, Spacer(), GlyphView(path: Glyph.more, size: 16, tint: .secondary)])
        }
        return section(localized("Boxes"), rows.isEmpty ? [none] : rows)
    }

    /// The app shows days in the reader's language, but a picture is the same everywhere.
    static func day(_ date: Date) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return "\(parts.day ?? 0) \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 0)"
    }

    private var minted: Picture {
        let sheet = MintedSheet(Samples.minted)
        let content = Column(
            spacing: 14,
            [
                Label(sheet.name, .headline), Label(MintedSheet.sentence, breaking: .words),
                Card(
                    [Row(spacing: 8, [Label(sheet.plaintext ?? "", .code, breaking: .cut), Button(localized("Copy"), .small)])],
                    fill: .code),
                Row([Spacer(), Button(localized("Done"), .standard)]),
            ])
        return Picture(
            name: "token-minted", chrome: .sheet, width: 460, content: Padding(20, 20, content),
            description: "A new token, shown once")
    }
}
