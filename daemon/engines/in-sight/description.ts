/** A description of a table without what it tells of tables that are out of sight. */

import type { TableDescription, Trigger, Unseen } from '../description.ts';

/** What is hidden on a connection. */
export interface Hidden {
  isOut(schema: string | null, name: string): boolean;
  /** True if the name, or with a null schema the bare word, means a hidden table in a text. */
  isNamed(schema: string | null, name: string): boolean;
}

export function inSightAlone(table: TableDescription, hidden: Hidden): TableDescription {
  const { isOut } = hidden;
  const foreignKeys = table.foreignKeys.filter(
    key => !isOut(key.referencedSchema ?? table.schema, key.referencedTable),
  );
  const referencedBy = table.referencedBy?.filter(key => !isOut(key.schema ?? table.schema, key.table)) ?? null;
  const isTold = (text: string): boolean => namesNone(text, hidden);
  const told = (each: Trigger): boolean => isTold(each.definition);
  const triggers = table.triggers.filter(told);
  const rules = table.rules?.filter(told);
  const { partitioning, inheritance, rowSecurity } = table;
  const isDdlTold = table.ddl === null || isTold(table.ddl);
  const lost: Unseen[] = [
    ...(foreignKeys.length < table.foreignKeys.length ? (['keys'] as const) : []),
    ...(triggers.length < table.triggers.length ? (['triggers'] as const) : []),
    ...(isDdlTold ? [] : (['definition'] as const)),
  ];
  return {
    ...table,
    foreignKeys,
    referencedBy,
    triggers,
    ...(rules !== undefined && { rules }),
    checks: table.checks.filter(({ expression }) => isTold(expression)),
    columns: table.columns.map(column =>
      column.default === null || isTold(column.default) ? column : { ...column, default: null },
    ),
    ...(rowSecurity && { rowSecurity: { ...rowSecurity, policies: rowSecurity.policies.filter(isTold) } }),
    // A table that is met has no hidden parent; it may have hidden parts.
    partitioning: partitioning && { ...partitioning, parts: partitioning.parts.filter(isTold) },
    ...(inheritance && {
      inheritance: {
        from: inheritance.from.filter(isTold),
        children: inheritance.children && isTold(inheritance.children.first) ? inheritance.children : null,
      },
    }),
    ...(lost.length > 0 && { unseen: [...new Set([...(table.unseen ?? []), ...lost])] }),
    ddl: isDdlTold ? table.ddl : null,
  };
}

/** A word, quoted in the way of any engine, and the one after a point. */
const written = /(?:"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|([\p{L}_][\p{L}\p{N}_$]*))/gu;

/** True if no name in the text is a hidden table's, bare or after a point. */
export function namesNone(text: string, { isNamed }: Hidden): boolean {
  return (
    wordsIn(text).every(({ name }) => !isNamed(null, name)) && pairsIn(text).every(([of, name]) => !isNamed(of, name))
  );
}

/** Names with the one before their point. */
export function pairsIn(text: string): readonly (readonly [of: string, name: string])[] {
  const words = wordsIn(text);
  return words.flatMap(({ name, from }, at) => {
    const before = words[at - 1];
    const isAfterPoint = before !== undefined && /^\s*\.\s*$/.test(text.slice(before.to, from));
    return isAfterPoint ? [[before.name, name] as const] : [];
  });
}

/** Words and quoted names. */
export function wordsIn(text: string) {
  return [...text.matchAll(written)].map(found => ({
    name: (found[1]?.replaceAll('""', '"') ?? found[2]?.replaceAll('``', '`') ?? found[3]) as string,
    from: found.index,
    to: found.index + found[0].length,
  }));
}
