/** Which tables a DELETE's list names by their aliases: `DELETE o FROM orders o`. */

import { indexAtTop, isName, type Token, tokenAt } from './tokens.ts';

const modifiers = new Set(['LOW_PRIORITY', 'QUICK', 'IGNORE']);
const ends = new Set(['WHERE', 'ORDER', 'LIMIT', 'RETURNING']);
/** Words after which a table stands, not its alias. */
const notAliased = new Set(
  `FROM USING JOIN STRAIGHT_JOIN INNER LEFT RIGHT CROSS OUTER NATURAL ON AND OR XOR NOT IN IS LIKE BETWEEN DIV MOD LATERAL`.split(
    ' ',
  ),
);

/**
 * @returns the indexes of the names in the list that are aliases, so they name no table themselves.
 */
export function aliasedTargets(tokens: readonly Token[]): ReadonlySet<number> {
  const verb = tokens.findIndex(({ key }) => key === 'DELETE');
  let from = verb + 1;
  while (modifiers.has(tokenAt(tokens, from).key)) from++;
  if (verb < 0) return new Set();
  const isUsing = tokenAt(tokens, from).key === 'FROM';
  const list = isUsing ? from + 1 : from;
  const references = indexAtTop(tokens, list, new Set([isUsing ? 'USING' : 'FROM']));
  const end = indexAtTop(tokens, references, ends);
  const aliases = new Set<string>();
  for (let index = references + 2; index < end; index++) {
    const [token, before] = [tokenAt(tokens, index), tokenAt(tokens, index - 1)];
    const isBehindTable = before.key === 'AS' || before.key === ')' || (isName(before) && !notAliased.has(before.key));
    if (isName(token) && isBehindTable && !notAliased.has(token.key)) aliases.add(token.text);
  }
  const found = new Set<number>();
  for (let index = list; index < references && references < tokens.length; index++) {
    const isAlone =
      tokenAt(tokens, index - 1).key !== '.' &&
      !(tokenAt(tokens, index + 1).key === '.' && isName(tokenAt(tokens, index + 2)));
    if (isName(tokenAt(tokens, index)) && isAlone && aliases.has(tokenAt(tokens, index).text)) found.add(index);
  }
  return found;
}
