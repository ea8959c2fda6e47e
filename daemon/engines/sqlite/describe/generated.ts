/**
 * Finds the expressions of generated columns in a table's definition, the only place where SQLite
 * keeps them. AS is a reserved word, so outside quotes, comments and inner parentheses it can be
 * nothing else.
 */

import { closingsOf, isComment, isWord, type Token, tokensOf, unquoted } from './definition-tokens.ts';

/** By column name. */
export function generatedIn(definition: string): ReadonlyMap<string, string> {
  const found = tokensOf(definition).filter(token => !isComment(token));
  const closings = closingsOf(found);
  const expressions = new Map<string, string>();
  let depth = 0;
  let column = '';
  let before: Token | undefined;
  for (const token of found) {
    if (depth === 1 && (before?.text === '(' || before?.text === ',')) column = unquoted(token.text);
    if (token.text === '(') {
      const close = closings.get(token);
      if (depth === 1 && isWord(before, 'as') && close !== undefined)
        expressions.set(column, definition.slice(token.end, close.start).trim());
      depth += 1;
    } else if (token.text === ')') depth -= 1;
    before = token;
  }
  return expressions;
}
