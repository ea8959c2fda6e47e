import ShellRules
import SwiftUI

/// Settings > Activity: a table of the log or of the kept statements, with its filters, Follow,
/// Verify, and the details of the chosen row.
struct ActivityPane: View {
    @ObservedObject var model: ShellModel
    @State private var selected: Int?
    @State private var showsStatements = false
    @State private var history = HistoryTable()
    @State private var report: VerificationSheet?
    @State private var isVerifying = false

    private var activity: ActivityTable { model.state.activity }

    var body: some View {
        VStack(spacing: 0) {
            Picker("Shown", selection: $showsStatements) {
                Text("Log").tag(false)
                Text("Statements").tag(true)
            }
            .pickerStyle(.segmented)
            .labelsHidden()
            .padding([.horizontal, .top], 10)
            ActivityFilters(filter: filter, showsStatements: showsStatements)
            if let remark = showsStatements ? history.remark : activity.problem {
                Remark(sentence: remark, isProblem: !showsStatements).padding([.horizontal, .bottom], 10)
            }
            Divider()
            table
            if let selected, let detail = showsStatements ? history.detail(of: selected) : activity.detail(of: selected) {
                Divider()
                ActivityDetailView(model: model, detail: detail).id([String(selected), String(showsStatements)])
            }
            Divider()
            bar
        }
        .onAppear { model.send(.activity(.shown)) }
        .onChange(of: showsStatements) { _ in
            selected = nil
            loadStatements()
        }
        .onChange(of: activity.filter) { _ in loadStatements() }
        .sheet(item: $report) { VerificationView(report: $0.report) }
    }

    private var table: some View {
        let rows = showsStatements ? history.rows : activity.rows
        return Table(rows, selection: $selected) {
            TableColumn("Time") { row in
                Text(verbatim: row.time?.formatted(date: .numeric, time: .standard) ?? "")
                    .monospacedDigit()
                    .onAppear { if row.id == rows.last?.id { wantsOlder() } }
            }
            .width(min: 156, ideal: 160)
            TableColumn("Client") { row in Text(verbatim: row.who).help(Text(verbatim: row.whoInFull)) }
            TableColumn("What") { row in Text(verbatim: row.what) }
            TableColumn("Connection") { row in Text(verbatim: row.on) }
            TableColumn("Result") { row in ActivityResult(row: row) }
                .width(min: 120, ideal: 180)
        }
        .overlay {
            if rows.isEmpty {
                EmptyState(
                    symbol: "list.bullet.rectangle", title: localized("Nothing Here"),
                    sentence: localized("No activity matches. What clients do, and what was refused them, stands here."))
            }
        }
    }

    private var bar: some View {
        HStack {
            Toggle("Follow", isOn: follows).toggleStyle(.checkbox).help("Show rows as they are written").disabled(showsStatements)
            Spacer()
            if isVerifying { ProgressView().controlSize(.small) }
            Button("Verify…") { Task { await verify() } }
                .disabled(isVerifying)
                .help("Check that no row was edited or removed")
        }
        .padding(10)
    }

    private var filter: Binding<ActivityTable.Filter> {
        Binding(get: { activity.filter }, set: { model.send(.activity(.setFilter($0))) })
    }

    private var follows: Binding<Bool> {
        Binding(get: { activity.isFollowing }, set: { model.send(.activity(.follow($0))) })
    }

    private func wantsOlder() {
        guard showsStatements else { return model.send(.activity(.wantsOlder)) }
        if let page = history.nextPage() { Task { await ask(page) } }
    }

    private func loadStatements() {
        guard showsStatements else { return }
        let page = history.firstPage(activity.filter)
        Task { await ask(page) }
    }

    private func ask(_ page: Command.HistoryQuery) async {
        if let answer = await model.answer(to: page) { history.take(answer, for: page) }
    }

    private func verify() async {
        isVerifying = true
        defer { isVerifying = false }
        if let found = await model.ask(Command.ActivityVerify()) { report = VerificationSheet(report: VerificationReport(found)) }
    }
}

private struct ActivityResult: View {
    let row: ActivityTableRow

    var body: some View {
        HStack(spacing: 4) {
            switch row.weight {
            case .plain: EmptyView()
            case .warning: Image(systemName: "exclamationmark.triangle").foregroundStyle(.orange)
            case .refusal: Image(systemName: "xmark.octagon").foregroundStyle(.red)
            }
            Text(verbatim: row.resultLine)
        }
        .help(Text(verbatim: row.reason ?? row.result))
        .accessibilityElement(children: .combine)
    }
}
