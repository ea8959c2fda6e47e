/** What MySQL and MariaDB write and say in their own way. */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import { byCode, type Dialect, notReturned, scalars, sendAgain, shownBinaryIsText } from '../dialect.ts';
import type { Parameter } from '../request.ts';
import { reservedWords } from './dialect/reserved-words.ts';
import { sessionWarnings } from './dialect/session-warnings.ts';

const syntax = '1064';
/** A deadlock, a changed snapshot (MariaDB), and TiDB's conflicts of writes and of definitions. */
const conflicts: ReadonlySet<string> = new Set(['1213', '1020', '8002', '8022', '8028', '9007']);
/** Of EXECUTE: more or fewer values than signs. */
const wrongArguments = '1210';

export const dialect: Dialect = {
  quote: name => quoteIdentifier('mysql', name),
  plainName: /^[A-Za-z_][\w$]*$/,
  reservedWords,
  textType: 'char',
  foldsCase: true,
  numbered: () => 'auto increment',
  rowUnder(table, columns, key, shown = ['*']) {
    const conditions = columns.map(
      (column, at) => `r.${column} = ${literal(key[at]?.value ?? null, key[at]?.type ?? '')}`,
    );
    // A locking read sees what the statement saw; InnoDB keeps its locks after a rollback to a
    // savepoint.
    return {
      sql: `SELECT ${shown.map(column => `r.${column}`).join(', ')} FROM ${table} AS r WHERE ${conditions.join(' AND ')} LOCK IN SHARE MODE`,
      parameters: [],
    };
  },
  parameters: scalars,
  parameterAdvice(sql, given, failure) {
    const isWrongCount = failure.endsWith(`(${wrongArguments})`) || (given.length === 0 && failure.includes("near '?"));
    if (sql.includes('?')) return isWrongCount ? `\`parameters\` has ${given.length}; give a value for each ?.` : null;
    return given.length === 0 ? null : 'The statement uses none of its `parameters`; write ? for each, in their order.';
  },
  shownBinaryWarning: shownBinaryIsText,
  sessionWarnings,
  meaning: byCode({
    '1146': 'unknown table',
    '1054': 'unknown column',
    '1049': 'unknown database',
    '1046': 'no database',
    '1265': 'cut value',
    '3819': 'broken check',
    '4025': 'broken check',
    '1213': 'interrupted',
    '1020': 'interrupted',
  }),
  refusesReturning: {
    '1142': 'this account may not read the table',
    '1143': 'this account may not read the table',
    [syntax]: notReturned,
  },
  failureAdvice(failure, sql) {
    const { code, message } = failure;
    if (conflicts.has(code ?? '')) return sendAgain(failure);
    return code === syntax && message.includes('MariaDB') && /^\s*explain\s+analyze\b/i.test(sql)
      ? 'On MariaDB write ANALYZE in the place of EXPLAIN ANALYZE.'
      : null;
  },
};

/** Hexadecimal, so no quote, backslash or `sql_mode` can end it. */
function literal(cell: Parameter, type: string): string {
  if (typeof cell === 'number') return String(cell);
  const text = String(cell);
  if (/int|decimal|numeric/i.test(type) && /^-?\d+(\.\d+)?$/.test(text)) return text;
  if (/binary|blob/i.test(type) && /^\\x([0-9a-f]{2})*$/.test(text)) return `x'${text.slice(2)}'`;
  return `_utf8mb4 x'${Buffer.from(text, 'utf8').toString('hex')}'`;
}
