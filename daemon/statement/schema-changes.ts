/**
 * Notices that a database's schema changed (spec §9): by a statement that went through us, or
 * because a look-up says something else than the last one of the same. No database is asked for it.
 */

import { createHash } from 'node:crypto';
import type { CallContext, Database, Session, StatementOutcome, TableDescription } from '../engines/engine.ts';

/** Of one database: look-ups whose answer is compared with the next of the same, 32 bytes each. */
const mostLookUps = 1_000;

/** Wherever the word stands: a comment may come before it, and a notice too many costs one look. */
const schemaWords = /\b(?:create|alter|drop|rename|comment)\b/i;

const writingSessions: ReadonlySet<Session> = new Set(['write', 'alone']);

/** @param changed called after each change. */
export function tellingOfSchemaChanges(database: Database, changed: () => void): Database {
  /** What each look-up said last, the one used last at the end. */
  const lastSaid = new Map<string, string>();

  function compare(key: string, answer: unknown): void {
    const said = createHash('sha256').update(JSON.stringify(answer)).digest('base64');
    const before = lastSaid.get(key);
    lastSaid.delete(key);
    lastSaid.set(key, said);
    const [oldest] = lastSaid.keys();
    if (lastSaid.size > mostLookUps && oldest !== undefined) lastSaid.delete(oldest);
    if (before !== undefined && before !== said) changed();
  }

  const keyOf = ({ database: of, schema }: CallContext, ...what: readonly unknown[]): string =>
    JSON.stringify([of, schema, ...what]);

  return {
    ...database,
    async run(request, sink) {
      const outcome = await database.run(request, sink);
      if (writingSessions.has(request.session) && mayHaveChanged(outcome) && schemaWords.test(request.sql)) {
        // Else the next look-up would tell of the same change once more.
        lastSaid.clear();
        changed();
      }
      return outcome;
    },
    async listTables(context, rowCounts, where) {
      const answer = await database.listTables(context, rowCounts, where);
      if (answer.kind === 'done') {
        const tables = answer.value.map(({ schema, name, kind, comment }) => [schema, name, kind, comment]);
        compare(keyOf(context, where), tables);
      }
      return answer;
    },
    async describeTables(context, names, withDdl) {
      const answer = await database.describeTables(context, names, withDdl);
      if (answer.kind === 'done') {
        for (const [index, table] of answer.value.entries())
          compare(keyOf(context, names[index], withDdl), schemaOfTable(table));
      }
      return answer;
    },
  };
}

function mayHaveChanged({ kind }: StatementOutcome): boolean {
  return kind === 'done' || kind === 'outcome_unknown';
}

/** Without what changes with the rows. MySQL writes the next number of a table into its DDL. */
function schemaOfTable(table: TableDescription | null): unknown {
  if (table === null) return null;
  const { approximateRowCount: _rows, isCounted: _counted, sizeBytes: _bytes, ddl, ...schema } = table;
  return { ...schema, ddl: ddl?.replace(/ AUTO_INCREMENT=\d+/, '') };
}
