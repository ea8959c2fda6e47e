/** Whether one of several alternatives is the opposite of another, so that together they leave nothing out. */

import { type ConditionToken, isOperator, isWord, type Part } from './condition-tokens.ts';

/** `a IS NULL OR a IS NOT NULL`, `a = 1 OR a <> 1`, `x OR NOT x`: nothing is left out, or nothing but NULL. */
export function holdsComplements(alternatives: readonly Part[]): boolean {
  const seen = new Map<string, boolean>();
  return alternatives.some(alternative => {
    const { text, isNegated } = polarityOf(alternative);
    const other = seen.get(text);
    seen.set(text, isNegated);
    return other === !isNegated;
  });
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

function polarityOf(alternative: Part): { readonly text: string; readonly isNegated: boolean } {
  let inside = alternative.unwrapped();
  let isDenied = false;
  while (isWord(inside.at(0), 'not')) {
    inside = inside.slice(1).unwrapped();
    isDenied = !isDenied;
  }
  const tokens = inside.tokens();
  // Without the qualifier, so that `t.v` is `v`.
  const words = tokens.filter((_, at) => !isOperator(tokens[at + 1], '.') && !isOperator(tokens[at], '.'));
  const text = words.map(plainOperator).join(' ');
  const isNull = / (is null|isnull|is not null|not null|notnull)$/.exec(text);
  if (isNull !== null) {
    const isNegated = text.endsWith('not null') || text.endsWith('notnull');
    return { text: `${text.slice(0, isNull.index)} is null`, isNegated: isNegated !== isDenied };
  }
  const isNegated = words.some(token => token.kind === 'operator' && negations.has(token.text));
  return { text, isNegated: isNegated !== isDenied };
}
