import ShellRules
import SwiftUI

/// The result of verifying the log, and the limits of that check.
struct VerificationView: View {
    let report: VerificationReport
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(alignment: .leading, spacing: 14) {
            Label {
                Text(verbatim: report.headline).font(.headline)
            } icon: {
                Image(systemName: report.isIntact ? "checkmark.seal.fill" : "exclamationmark.octagon.fill")
                    .foregroundStyle(report.isIntact ? Color.green : Color.red)
            }
            ScrollView(.vertical) {
                VStack(alignment: .leading, spacing: 8) {
                    ForEach(report.findings, id: \.self) { Remark(sentence: $0) }
                    ForEach(report.notes, id: \.self) { Remark(sentence: $0, isProblem: false) }
                    Text("What this can’t see").font(.subheadline)
                    ForEach(report.limits, id: \.self) { Remark(sentence: $0, isProblem: false) }
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            .frame(maxHeight: 260)
            HStack {
                Spacer()
                Button("Done") { dismiss() }.keyboardShortcut(.defaultAction)
            }
        }
        .padding(20)
        .frame(width: 460)
        .onExitCommand { dismiss() }
    }
}

/// Gives the report an identity, so that a sheet can show it.
struct VerificationSheet: Identifiable {
    let id = UUID()
    let report: VerificationReport
}
