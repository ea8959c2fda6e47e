/** Whether one of several alternatives is the opposite of another, so that together they leave nothing out. */

import { type ConditionToken, isOperator, isWord, unwrapped } from './condition-tokens.ts';

/** `a IS NULL OR a IS NOT NULL`, `a = 1 OR a <> 1`, `x OR NOT x`: nothing is left out, or nothing but NULL. */
export function holdsComplements(alternatives: readonly (readonly ConditionToken[])[]): boolean {
  const seen = alternatives.map(polarityOf);
  return seen.some(one => seen.some(other => one.text === other.text && one.isNegated !== other.isNegated));
}

const negations: ReadonlyMap<string, string> = new Map([
  ['<>', '='],
  ['!=', '='],
  ['>=', '<'],
  ['<=', '>'],
]);

function plainOperator({ kind, text }: ConditionToken): string {
  if (kind !== 'operator') return text;
  return text === '==' ? '=' : (negations.get(text) ?? text);
}

function polarityOf(tokens: readonly ConditionToken[]): { readonly text: string; readonly isNegated: boolean } {
  const inside = unwrapped(tokens);
  if (isWord(inside[0], 'not')) {
    const { text, isNegated } = polarityOf(inside.slice(1));
    return { text, isNegated: !isNegated };
  }
  // Without the qualifier, so that `t.v` is `v`.
  const words = inside.filter((_, at) => !isOperator(inside[at + 1], '.') && !isOperator(inside[at], '.'));
  const text = words.map(plainOperator).join(' ');
  const isNull = / (is null|isnull|is not null|not null|notnull)$/.exec(text);
  if (isNull !== null)
    return {
      text: `${text.slice(0, isNull.index)} is null`,
      isNegated: text.endsWith('not null') || text.endsWith('notnull'),
    };
  return { text, isNegated: words.some(token => token.kind === 'operator' && negations.has(token.text)) };
}
