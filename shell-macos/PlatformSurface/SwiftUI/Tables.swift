// SwiftUI: tables. Declarations only.
// swift-format-ignore-file
import Foundation

// doc: struct Table<Value, Rows, Columns> where Value == Rows.TableRowValue, Rows : TableRowContent, Columns : TableColumnContent, Rows.TableRowValue == Columns.TableRowValue
public struct Table<Value, Rows, Columns>
where
    Value == Rows.TableRowValue, Rows: TableRowContent, Columns: TableColumnContent,
    Rows.TableRowValue == Columns.TableRowValue
{
    let rows: [Value]
    let columns: Columns
    let pick: (AnyHashable?) -> Void
    let picked: () -> AnyHashable?
}
extension Table {
    // sdk: init<Data>(_ data: Data, selection: Binding<Value.ID?>, @TableColumnBuilder<Value, Never> columns: () -> Columns) where Rows == TableForEachContent<Data>, Data : RandomAccessCollection, Columns.TableRowValue == Data.Element
    nonisolated public init<Data>(
        _ data: Data, selection: Binding<Value.ID?>, @TableColumnBuilder<Value, Never> columns: () -> Columns
    ) where Rows == TableForEachContent<Data>, Data: RandomAccessCollection, Columns.TableRowValue == Data.Element {
        (rows, self.columns) = (Array(data), columns())
        pick = { selection.wrappedValue = $0?.base as? Value.ID }
        picked = { selection.wrappedValue.map { AnyHashable($0) } }
    }
}
extension Table: Drawable {
    func draw(_ stage: Stage, _ path: String) -> [Drawn] {
        let table = Drawn(.table)
        (table.pick, table.picked) = (pick, picked())
        let cells = (columns as? any Cells)?.cells ?? []
        return [table] + rows.flatMap { row in
            cells.enumerated().flatMap { stage.draw($1.draw(row), "\(path)[\(row.id)].\($0)") }
        }
    }
}
// hidden: how its columns are drawn
@MainActor protocol Cells { var cells: [any Cell] { get } }
// hidden: how a column is drawn
@MainActor protocol Cell { func draw(_ row: Any) -> any View }
extension TableColumn: Cell {
    func draw(_ row: Any) -> any View {
        if let row = row as? RowValue { cell(row) } else { EmptyView() }
    }
}
extension TupleTableColumnContent: Cells { var cells: [any Cell] { columns.compactMap { $0 as? any Cell } } }
extension Table: View { public var body: Never { fatalError() } }

// doc: @MainActor @preconcurrency protocol TableRowContent<TableRowValue>
@MainActor @preconcurrency public protocol TableRowContent<TableRowValue> {
    // usr: s:7SwiftUI15TableRowContentP0cD5ValueQa
    // doc: associatedtype TableRowValue : Identifiable = Self.TableRowBody.TableRowValue
    associatedtype TableRowValue: Identifiable
}
// doc: struct TableForEachContent<Data> where Data : RandomAccessCollection, Data.Element : Identifiable
public struct TableForEachContent<Data> where Data: RandomAccessCollection, Data.Element: Identifiable {}
extension TableForEachContent: TableRowContent { public typealias TableRowValue = Data.Element }

// doc: @MainActor @preconcurrency protocol TableColumnContent<TableRowValue, TableColumnSortComparator>
@MainActor @preconcurrency public protocol TableColumnContent<TableRowValue, TableColumnSortComparator> {
    // usr: s:7SwiftUI18TableColumnContentP0C8RowValueQa
    // doc: associatedtype TableRowValue : Identifiable = Self.TableColumnBody.TableRowValue
    associatedtype TableRowValue: Identifiable
    // usr: s:7SwiftUI18TableColumnContentP0cD14SortComparatorQa
    // doc: associatedtype TableColumnSortComparator : SortComparator = Self.TableColumnBody.TableColumnSortComparator
    associatedtype TableColumnSortComparator: SortComparator
}

// doc: struct TableColumn<RowValue, Sort, Content, Label> where RowValue : Identifiable, Sort : SortComparator, Content : View, Label : View
public struct TableColumn<RowValue, Sort, Content, Label>
where RowValue: Identifiable, Sort: SortComparator, Content: View, Label: View {
    let cell: (RowValue) -> Content
    // doc: nonisolated func width(min: CGFloat? = nil, ideal: CGFloat? = nil, max: CGFloat? = nil) -> TableColumn<RowValue, Sort, Content, Label>
    nonisolated public func width(
        min: CGFloat? = nil, ideal: CGFloat? = nil, max: CGFloat? = nil
    ) -> TableColumn<RowValue, Sort, Content, Label> { self }
}
extension TableColumn: TableColumnContent {
    public typealias TableRowValue = RowValue
    public typealias TableColumnSortComparator = Sort
}
extension TableColumn where Sort == Never, Label == Text {
    // usr: s:7SwiftUI11TableColumnVAAs5NeverORs_AA4TextVRs1_rlE_7contentACyxAEq0_AGGAA18LocalizedStringKeyV_q0_xctcfc
    // doc: nonisolated init(_ titleKey: LocalizedStringKey, @ContentBuilder content: @escaping (RowValue) -> Content)
    nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping (RowValue) -> Content) { cell = content }
}

// doc: @resultBuilder struct TableColumnBuilder<RowValue, Sort> where RowValue : Identifiable, Sort : SortComparator
@resultBuilder public struct TableColumnBuilder<RowValue, Sort> where RowValue: Identifiable, Sort: SortComparator {
    // sdk: static func buildExpression<Content, Label>(_ column: TableColumn<RowValue, Never, Content, Label>) -> TableColumn<RowValue, Never, Content, Label> where Content : View, Label : View
    public static func buildExpression<Content, Label>(
        _ column: TableColumn<RowValue, Never, Content, Label>
    ) -> TableColumn<RowValue, Never, Content, Label> where Content: View, Label: View { column }
    // sdk: static func buildBlock<C0, C1, C2, C3>(_ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3) -> TupleTableColumnContent<RowValue, Sort, (C0, C1, C2, C3)> where RowValue == C0.TableRowValue, C0 : TableColumnContent, C1 : TableColumnContent, C2 : TableColumnContent, C3 : TableColumnContent, C0.TableRowValue == C1.TableRowValue, C1.TableRowValue == C2.TableRowValue, C2.TableRowValue == C3.TableRowValue
    public static func buildBlock<C0, C1, C2, C3>(
        _ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3
    ) -> TupleTableColumnContent<RowValue, Sort, (C0, C1, C2, C3)>
    where
        RowValue == C0.TableRowValue, C0: TableColumnContent, C1: TableColumnContent, C2: TableColumnContent,
        C3: TableColumnContent, C0.TableRowValue == C1.TableRowValue, C1.TableRowValue == C2.TableRowValue,
        C2.TableRowValue == C3.TableRowValue
    { TupleTableColumnContent(columns: [c0, c1, c2, c3]) }
    // sdk: static func buildBlock<C0, C1, C2, C3, C4>(_ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4) -> TupleTableColumnContent<RowValue, Sort, (C0, C1, C2, C3, C4)> where RowValue == C0.TableRowValue, C0 : TableColumnContent, C1 : TableColumnContent, C2 : TableColumnContent, C3 : TableColumnContent, C4 : TableColumnContent, C0.TableRowValue == C1.TableRowValue, C1.TableRowValue == C2.TableRowValue, C2.TableRowValue == C3.TableRowValue, C3.TableRowValue == C4.TableRowValue
    public static func buildBlock<C0, C1, C2, C3, C4>(
        _ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4
    ) -> TupleTableColumnContent<RowValue, Sort, (C0, C1, C2, C3, C4)>
    where
        RowValue == C0.TableRowValue, C0: TableColumnContent, C1: TableColumnContent, C2: TableColumnContent,
        C3: TableColumnContent, C4: TableColumnContent, C0.TableRowValue == C1.TableRowValue,
        C1.TableRowValue == C2.TableRowValue, C2.TableRowValue == C3.TableRowValue, C3.TableRowValue == C4.TableRowValue
    { TupleTableColumnContent(columns: [c0, c1, c2, c3, c4]) }
}
// doc: @frozen struct TupleTableColumnContent<RowValue, Sort, T> where RowValue : Identifiable, Sort : SortComparator
@frozen public struct TupleTableColumnContent<RowValue, Sort, T> where RowValue: Identifiable, Sort: SortComparator {
    let columns: [Any]
}
extension TupleTableColumnContent: TableColumnContent {
    public typealias TableRowValue = RowValue
    public typealias TableColumnSortComparator = Sort
}
