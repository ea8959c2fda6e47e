/**
 * A statement to approve, as facts of its confirmation (spec §11, §12): for a question and for an
 * access request alike.
 */

import {
  fact,
  type IncreaseFact,
  linesFact,
  quoted,
  sizeWords,
} from '../../access/privilege-increases/increase-words.ts';
import type { AskedStatement, AskView } from '../messages/ask.ts';

/** The first line of what it takes, and how many more: `: "empties t (500 rows)" and 2 more`. */
export function effectPhrase(lines: readonly string[]): string {
  const [first, ...more] = lines;
  if (first === undefined) return '';
  return `: ${quoted(first)}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}

type Shown = Pick<AskedStatement, 'reason' | 'tables' | 'takes' | 'text'> &
  Partial<Pick<NonNullable<AskView['statement']>, 'database' | 'schema' | 'parameters'>>;

export function statementFacts({
  reason,
  tables,
  takes: { lines, note } = nothingCounted,
  database = null,
  schema = null,
  text,
  parameters = [],
}: Shown): IncreaseFact[] {
  return [
    fact('Why', reason),
    fact('Tables', tables.length === 0 ? '(none named)' : tables.join(', ')),
    // One fact per line: these break between words, while a statement breaks anywhere.
    ...lines.map(line => fact('Takes', line)),
    ...(note === null ? [] : [fact('Not counted', note)]),
    ...(database === null ? [] : [fact('Database', database)]),
    ...(schema === null ? [] : [fact('Schema', schema)]),
    fact('Statement length', sizeWords(text)),
    linesFact('Statement', text),
    ...parameters.map((value, at) => linesFact(`Parameter ${at + 1}`, value)),
  ];
}

const nothingCounted = { lines: [], note: null };
