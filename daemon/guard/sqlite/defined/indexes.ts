/**
 * Whether a new index on a table in use keeps rows out, by the definition that SQLite wrote down.
 */

import { type Reason, say } from '../../reason.ts';
import { isOperator, isWord, type Token, tokenize } from '../tokenizer.ts';
import type { SchemaRow } from './facts.ts';

export function restrictsRows({ table, sql }: SchemaRow): readonly Reason[] {
  // The index of a key that is part of a table's definition comes with that table.
  const tokens = tokenize(sql ?? '');
  if (isWord(tokens[1], 'unique')) return [say('A unique index restricts what others may write to %@.', table)];
  return isTotal(tokens)
    ? []
    : [say('Its index is over an expression that may fail for what others write to %@.', table)];
}

/** True if each expression gives a value for any row. */
function isTotal(tokens: readonly Token[]): boolean {
  // The first parenthesis is the list's own.
  const [list = 0, ...others] = tokens.flatMap((token, at) => (isOperator(token, '(') ? [at] : []));
  return others.every(at => isTotalCall(tokens, at)) && !tokens.some((_, at) => at > list && mayFail(tokens, at));
}

/**
 * True if some rows may give no value: text that isn't JSON, a pattern that is too long, an ESCAPE
 * of two characters.
 */
function mayFail(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (['->', '->>'].some(text => isOperator(token, text)) || isWord(token, 'escape')) return true;
  if (!['like', 'glob', 'match', 'regexp'].some(word => isWord(token, word))) return false;
  const isFixed = tokens[at + 1]?.kind === 'string' && !isOperator(tokens[at + 2], '||');
  return !isFixed;
}

/** `date` isn't among them: an index refuses the text 'now'. */
const total = new Set('in lower upper trim ltrim rtrim length coalesce ifnull nullif substr'.split(' '));

function isTotalCall(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before?.kind === 'word' && total.has(before.text);
}
