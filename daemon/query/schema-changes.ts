/**
 * Notices that a database's schema changed (spec §9): by a statement that went through us, or because a look-up says something else
 * than the last one of the same. No database is asked for it.
 */

import { createHash } from 'node:crypto';
import type { Answer, CallContext, Database, Session, StatementOutcome, TableDescription } from './database.ts';

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

  async function comparing<T>(
    [what, { database: of, schema }, name]: readonly [what: string, context: CallContext, name: string],
    looked: Promise<Answer<T>>,
    schemaOf: (value: T) => unknown,
  ): Promise<Answer<T>> {
    const answer = await looked;
    if (answer.kind === 'done') compare(JSON.stringify([what, of, schema, name]), schemaOf(answer.value));
    return answer;
  }

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
    listTables: (context, rowCounts) =>
      comparing(['tables', context, ''], database.listTables(context, rowCounts), tables =>
        tables.map(({ schema, name, kind, comment }) => [schema, name, kind, comment]),
      ),
    describeTable: (context, table) =>
      comparing(['table', context, table], database.describeTable(context, table), schemaOfTable),
  };
}

function mayHaveChanged({ kind }: StatementOutcome): boolean {
  return kind === 'done' || kind === 'outcome_unknown';
}

/** Without what changes with the rows. MySQL writes the next number of a table into its DDL. */
function schemaOfTable(table: TableDescription | null): unknown {
  if (table === null) return null;
  const { approximateRowCount: _rows, sizeBytes: _bytes, ddl, ...schema } = table;
  return { ...schema, ddl: ddl?.replace(/ AUTO_INCREMENT=\d+/, '') };
}
