/**
 * Finds the CHECK constraints in a table's definition, the only place where SQLite keeps them.
 * CHECK and CONSTRAINT are reserved words, so outside quotes and comments they can be nothing else.
 */

import type { TableDescription } from '../../engine.ts';
import { closingsOf, isComment, isWord, tokensOf, unquoted } from './definition-tokens.ts';

export function checksIn(definition: string): TableDescription['checks'] {
  const found = tokensOf(definition).filter(token => !isComment(token));
  const closings = closingsOf(found);
  return found.flatMap((token, at) => {
    const open = found[at + 1];
    if (!isWord(token, 'check') || open?.text !== '(') return [];
    const close = closings.get(open);
    if (!close) return [];
    const name = isWord(found[at - 2], 'constraint') ? unquoted(found[at - 1]?.text ?? '') : null;
    return [{ name, expression: definition.slice(open.end, close.start).trim() }];
  });
}
