/** What an SQLite definition did to the file's schema, before its COMMIT. Plain data. */

/** A row of `sqlite_schema`. */
export interface SchemaRow {
  readonly schema: 'main' | 'temp';
  readonly type: string;
  readonly name: string;
  /** The table that it belongs to; its own name for a table. */
  readonly table: string;
  /** As SQLite wrote it down; null for the index of a key. */
  readonly sql: string | null;
}

/** A row of `table_xinfo`. */
export interface ColumnFact {
  readonly name: string;
  readonly type: string;
  readonly takesNoNull: boolean;
  /** As SQL; null if it has none. */
  readonly default: string | null;
  /** 0 for an ordinary column, 2 and 3 for computed ones. */
  readonly hidden: number;
  readonly keyPlace: number;
}

/** A row of `foreign_key_list`. */
export interface KeyFact {
  readonly column: string;
  readonly refersTo: string;
  readonly onUpdate: string;
  readonly onDelete: string;
}

/** Code of the file that another schema may give another meaning. */
export interface UseFact {
  /** The view, or the table whose triggers these are. */
  readonly name: string;
  readonly kind: 'view' | 'triggers';
  /** Its definitions. */
  readonly text: string;
  /** Tables that it read before. */
  readonly tables: readonly string[];
  /** True if SQLite prepared it before, and refuses it now. */
  readonly breaks: boolean;
  /** Columns that it reads now and didn't before. */
  readonly reads: readonly { readonly table: string; readonly column: string }[];
}

export interface AlteredTable {
  readonly name: string;
  readonly isStrict: boolean;
  readonly before: readonly ColumnFact[];
  readonly after: readonly ColumnFact[];
  readonly newKeys: readonly KeyFact[];
  /** New columns whose name stands as a text in the table's rows or in the file's definitions. */
  readonly writtenAsText: readonly string[];
}

export interface Defined {
  /** `schema_version` of the file. */
  readonly version: { readonly before: number; readonly after: number };
  readonly gone: readonly SchemaRow[];
  readonly changed: readonly { readonly before: SchemaRow; readonly after: SchemaRow }[];
  readonly added: readonly SchemaRow[];
  /** Tables that were there before and to which something was added. */
  readonly addedTo: readonly SchemaRow[];
  readonly altered: readonly AlteredTable[];
  /** Tables that were there, and that take no writes now because of a new foreign key. */
  readonly unwritable: readonly SchemaRow[];
  /** Tables that were there and are now parts of a new virtual table. */
  readonly takenAsParts: readonly string[];
  /** What changed of the file's views and triggers. */
  readonly uses: readonly UseFact[];
}
