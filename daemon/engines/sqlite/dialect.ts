/** What SQLite writes and says in its own way. */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import { type Dialect, notReturned, rowByParameters, scalars, shownBinaryIsText } from '../dialect.ts';
import { reservedWords } from './dialect/reserved-words.ts';
import { sessionWarnings } from './dialect/session-warnings.ts';

const locks: ReadonlySet<string | null> = new Set(
  'SQLITE_BUSY SQLITE_BUSY_SNAPSHOT SQLITE_BUSY_RECOVERY SQLITE_LOCKED'.split(' '),
);

export const dialect: Dialect = {
  quote: name => quoteIdentifier('sqlite', name),
  plainName: /^[A-Za-z_][\w$]*$/,
  reservedWords,
  unwrittenSchema: 'main',
  textType: 'text',
  numbered: () => 'auto increment',
  rowUnder: rowByParameters(() => '?'),
  parameters: scalars,
  shownBinaryWarning: shownBinaryIsText,
  sessionWarnings,
  meaning({ code, message }) {
    const [, what] = /^no such (table|column): /.exec(message) ?? [];
    if (what !== undefined) return what === 'table' ? 'unknown table' : 'unknown column';
    if (message.startsWith('CHECK constraint failed: ')) return 'broken check';
    return locks.has(code) ? 'locked' : null;
  },
  nameIn: message => /^(?:no such (?:table|column)|CHECK constraint failed): (.+)$/.exec(message)?.[1] ?? null,
  refusesReturning: { SQLITE_ERROR: notReturned },
};
