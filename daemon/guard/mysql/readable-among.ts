/** What of a server's tables and views a role may read, if some columns are masked (spec §6). */

import type { Masks } from '../masks.ts';
import { folded, isShown } from '../sight.ts';
import type { QualifiedName } from '../types.ts';
import { maskTextOfCode } from './mask-text.ts';
import { maskedOf } from './masks.ts';
import { namesInCode } from './sight-text.ts';
import { tokensOfCode } from './stored-body.ts';

export interface TableColumns extends QualifiedName {
  readonly schema: string;
  /** Each with what the server computes it from. */
  readonly columns: readonly (readonly [string, string])[];
  /** Null for a table. */
  readonly definition: string | null;
}

export interface Readable extends QualifiedName {
  readonly schema: string;
  /** Null: all. */
  readonly columns: readonly string[] | null;
}

/** @returns without the views that read a masked column, unless a person shows them. */
export function readableAmong(masks: Masks, tables: readonly TableColumns[]): readonly Readable[] {
  const shown = { hide: [], only: [], show: masks.show };
  const masked = new Map(tables.map(table => [keyOf(table), maskedOf(masks, table.schema, table.name, table.columns)]));
  const views = tables
    .filter(({ schema, name, definition }) => definition !== null && !isShown(shown, schema, name))
    .map(view => ({ view, reads: readBy(view) }));
  const out = new Set<string>();
  for (let before = -1; before !== out.size; ) {
    before = out.size;
    for (const { view, reads } of views) {
      const isRead = (name: QualifiedName): boolean => {
        const columns = masked.get(keyOf(name));
        return out.has(keyOf(name)) || reads?.names.some(each => columns?.has(folded(each))) === true;
      };
      if (reads === null || reads.tables.some(isRead)) out.add(keyOf(view));
    }
  }
  return tables
    .filter(table => !out.has(keyOf(table)))
    .map(table => {
      const { schema, name, columns, definition } = table;
      const hidden = masked.get(keyOf(table));
      const isWhole =
        hidden === undefined || hidden.size === 0 || (definition !== null && isShown(shown, schema, name));
      const readable = columns.flatMap(([column]) => (hidden?.has(folded(column)) === true ? [] : [column]));
      return { schema, name, columns: isWhole ? null : readable };
    });
}

/** Null if it can't be looked into. A server keeps a view with each column by its name. */
function readBy({ schema, definition }: TableColumns) {
  const code = { kind: 'view', shown: [], schema, text: definition ?? '', sqlMode: '', change: null } as const;
  const ways = tokensOfCode(code);
  if (ways.length === 0) return null;
  return {
    names: ways.flatMap(tokens => maskTextOfCode(tokens, schema).names),
    tables: ways.flatMap(tokens => {
      const { tables, others } = namesInCode(tokens, schema);
      return [...tables, ...others];
    }),
  };
}

/** Servers with lower_case_table_names keep code in the case that it was written in. */
function keyOf({ schema, name }: QualifiedName): string {
  return `${folded(schema ?? '')}\0${folded(name)}`;
}
