/** What SQLite writes and says in its own way. */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import { type Dialect, notReturned, rowByParameters, scalars, shownBinaryIsText } from '../dialect.ts';
import { reservedWords } from './dialect/reserved-words.ts';
import { sessionWarnings } from './dialect/session-warnings.ts';

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
  meaning({ message }) {
    const [, what] = /^no such (table|column): /.exec(message) ?? [];
    if (what !== undefined) return what === 'table' ? 'unknown table' : 'unknown column';
    return message.startsWith('CHECK constraint failed: ') ? 'broken check' : null;
  },
  nameIn: message => /^(?:no such (?:table|column)|CHECK constraint failed): (.+)$/.exec(message)?.[1] ?? null,
  refusesReturning: { SQLITE_ERROR: notReturned },
};
