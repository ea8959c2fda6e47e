/** What PostgreSQL writes and says in its own way. */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import { byCode, type Dialect, rowByParameters, sendAgain } from '../dialect.ts';
import { commonValuesQuestion } from './dialect/common-values.ts';
import { jsonAdvice, postgresParameters } from './dialect/parameters.ts';
import { reservedWords } from './dialect/reserved-words.ts';

/** A protocol violation: of ours, a statement with more or fewer signs than parameters alone. */
const wrongCount = '08P01';
/** serialization_failure, which distributed servers give to reads too; deadlock_detected. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01']);
/** Nothing in the statement tells the parameter's type. */
const indeterminate = '42P18';
/** lastval or currval of a sequence that gave the session no value yet. */
const notYetDefined = '55000';

export const dialect: Dialect = {
  quote: name => quoteIdentifier('postgres', name),
  // PostgreSQL folds unquoted names to lower case.
  plainName: /^[a-z_][a-z0-9_$]*$/,
  reservedWords,
  textType: 'pg_catalog.text',
  numbered: generated => `generated ${generated.replace('_', ' ')} as identity`,
  rowUnder: rowByParameters(number => `$${number}`),
  parameters: postgresParameters,
  parameterAdvice(sql, given, failure) {
    if (failure.endsWith(`(${wrongCount})`))
      return `\`parameters\` has ${given.length}; give a value for each of $1, $2 and so on.`;
    if (given.length === 0) return null;
    return /\$\d/.test(sql)
      ? jsonAdvice(given, failure)
      : 'The statement uses none of its `parameters`; write $1, $2 and so on for them.';
  },
  commonValues: commonValuesQuestion,
  meaning: byCode({
    '42P01': 'unknown table',
    '42703': 'unknown column',
    '3F000': 'unknown schema',
    '3D000': 'unknown database',
    '22P02': 'no such value',
    '23514': 'broken check',
    '40001': 'conflict',
    '40P01': 'interrupted',
    '57014': 'interrupted',
  }),
  labelsOfType: `SELECT CAST(e.enumlabel AS pg_catalog.text) FROM pg_catalog.pg_enum AS e
  WHERE e.enumtypid = pg_catalog.to_regtype($1) ORDER BY e.enumsortorder`,
  failureAdvice(failure, sql) {
    const { code, message } = failure;
    if (conflicts.has(code ?? '')) return sendAgain(failure);
    if (code === indeterminate && /\$\d/.test(message)) return 'Write its type behind it, such as $1::text.';
    if (code === notYetDefined && /\b(?:currval|lastval)"?\s*\(/i.test(sql))
      return 'Each call has a session of its own: INSERT … RETURNING gives the id of a new row.';
    if (/\bpg_temp\b/i.test(message))
      return 'Each call has a session of its own, so there are no temporary tables of earlier calls.';
    return null;
  },
  doubleQuotesAdvice: 'Double quotes hold a name; text stands in single quotes.',
};
