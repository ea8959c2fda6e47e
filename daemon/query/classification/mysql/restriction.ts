/** Whether a WHERE clause can leave a row out, judged from its text: `1=1`, `id=id` and `x OR TRUE` can't. */

import { holdsAlways, isInWholeTable, isSameValue } from './always-true.ts';
import { at, closing, isName, type Token } from './tokens.ts';

const comparisons = new Set(['=', '<=>', '<>', '!=', '<', '>', '<=', '>=', 'LIKE', 'REGEXP', 'RLIKE']);
const opposite: Record<string, string> = {
  '=': '<>',
  '<': '>=',
  '>': '<=',
  IS: 'IS NOT',
  IN: 'NOT IN',
  LIKE: 'NOT LIKE',
};

/** Words of an expression that are no column. */
const words = new Set(
  `AND OR XOR NOT IS NULL TRUE FALSE UNKNOWN BETWEEN IN LIKE REGEXP RLIKE ESCAPE DIV MOD COLLATE BINARY CASE WHEN THEN ELSE END
  INTERVAL EXISTS ANY ALL SOME SOUNDS AS SELECT FROM WHERE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER LOCALTIME
  LOCALTIMESTAMP UTC_DATE UTC_TIME UTC_TIMESTAMP DAY HOUR MINUTE MONTH SECOND WEEK YEAR QUARTER MICROSECOND DATE TIME TIMESTAMP
  CHAR SIGNED UNSIGNED DECIMAL INTEGER INT USING N DUAL LIMIT`.split(/\s+/),
);

/** Tokens that may be looked at, some 100 ms: a condition of 100 KB that nests twenty deep to its last token needs as many. */
export const mostLooks = 2_000_000;

/**
 * What can't be told within `mostLooks` counts as no restriction.
 * @param effort `isOneTable`: the whole statement names one table alone.
 */
export function restricts(condition: readonly Token[], effort = { looksLeft: mostLooks, isOneTable: false }): boolean {
  const tokens = unwrapped(condition);
  effort.looksLeft -= tokens.length;
  if (tokens.length === 0 || effort.looksLeft < 0) return false;
  const restrictsToo = (part: readonly Token[]) => restricts(part, effort);
  const either = split(tokens, ['OR', '||', 'XOR']);
  if (either.length > 1) return either.every(restrictsToo) && !coverEverything(either);
  const both = split(tokens, ['AND', '&&']);
  if (both.length > 1) return both.some(restrictsToo);
  if (isFalse(tokens)) return true;
  if (at(tokens, 0).key === 'NOT' || at(tokens, 0).key === '!') return restrictsNegated(tokens.slice(1));
  // EXISTS (SELECT …) without a condition of its own holds for every row or none.
  if (at(tokens, 0).key === 'EXISTS') {
    const where = tokens.findIndex(token => token.key === 'WHERE');
    return where >= 0 && restrictsToo(tokens.slice(where + 1, tokens.length - 1));
  }
  if (holdsAlways(tokens) || (effort.isOneTable && isInWholeTable(tokens))) return false;
  return namesColumn(tokens) && !comparesWithItself(tokens) && !matchesAnything(tokens);
}

/** NOT turns a condition that holds never into one that holds always; what names no column is a constant either way. */
function restrictsNegated(tokens: readonly Token[]): boolean {
  const inner = unwrapped(tokens);
  const both = split(inner, ['AND', '&&']);
  if (isFalse(inner) || both.some(part => isFalse(unwrapped(part)))) return false;
  return namesColumn(inner) && split(inner, ['OR', '||', 'XOR', 'AND', '&&']).every(part => !comparesWithItself(part));
}

function unwrapped(tokens: readonly Token[]): readonly Token[] {
  let [from, to] = [0, tokens.length];
  while (
    at(tokens, from).key === '(' &&
    Math.min(closing(tokens, from), to) === to - 1 &&
    at(tokens, from + 1).key !== 'SELECT'
  ) {
    from++;
    to--;
  }
  return from === 0 ? tokens : tokens.slice(from, Math.max(from, to));
}

function split(tokens: readonly Token[], by: readonly string[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  let cases = 0;
  let between = 0;
  for (const token of tokens) {
    if (token.key === '(') depth++;
    if (token.key === ')') depth--;
    if (depth === 0 && token.key === 'CASE') cases++;
    if (depth === 0 && token.key === 'END') cases--;
    const isTop = depth === 0 && cases === 0;
    if (isTop && token.key === 'BETWEEN') between++;
    const closesBetween = isTop && token.key === 'AND' && between > 0;
    if (closesBetween) between--;
    if (isTop && !closesBetween && by.includes(token.key)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function namesColumn(condition: readonly Token[]): boolean {
  const tokens = withoutUnboundQueries(condition);
  return tokens.some((token, index) => {
    const isCall = at(tokens, index + 1).key === '(';
    const isIntroducer = at(tokens, index + 1).kind === 'string' && token.text.startsWith('_');
    return isName(token) && !words.has(token.key) && !isCall && !isIntroducer;
  });
}

/** A subquery without WHERE can't depend on the row at hand, so its columns restrict nothing. */
function withoutUnboundQueries(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  let where = -1;
  for (let index = 0; index < tokens.length; index++) {
    const isQuery = at(tokens, index).key === '(' && at(tokens, index + 1).key === 'SELECT';
    const end = isQuery ? closing(tokens, index) : index;
    while (isQuery && where < tokens.length && (where < index || at(tokens, where).key !== 'WHERE')) where++;
    if (isQuery && where >= end) index = end;
    else kept.push(at(tokens, index));
  }
  return kept;
}

/** `id = id`, `t.id = id`, `id LIKE id`. */
function comparesWithItself(tokens: readonly Token[]): boolean {
  const index = topLevel(tokens, token => comparisons.has(token.key));
  if (index < 0) return false;
  return isSameValue(tokens.slice(0, index), tokens.slice(index + 1));
}

function topLevel(tokens: readonly Token[], matches: (token: Token) => boolean): number {
  let depth = 0;
  return tokens.findIndex(token => {
    if (token.key === '(') depth++;
    if (token.key === ')') depth--;
    return depth === 0 && matches(token);
  });
}

/** `name LIKE '%'`. */
function matchesAnything(tokens: readonly Token[]): boolean {
  const like = tokens.findIndex(token => token.key === 'LIKE');
  const pattern = at(tokens, like + 1);
  return like > 0 && at(tokens, like - 1).key !== 'NOT' && pattern.kind === 'string' && /^%+$/.test(pattern.text);
}

/** A constant that is false for certain: 0, FALSE, NULL, 1=0. Such a condition leaves every row out. */
function isFalse(tokens: readonly Token[]): boolean {
  const [left, operator, right] = tokens;
  if (left === undefined) return false;
  if (operator === undefined)
    return left.key === 'FALSE' || left.key === 'NULL' || (/^0+(\.0*)?$/.test(left.text) && left.kind === 'number');
  const isPlain = (token: Token | undefined): boolean => token?.kind === 'number' && /^\d+$/.test(token.text);
  return (
    tokens.length === 3 &&
    operator.key === '=' &&
    isPlain(left) &&
    isPlain(right) &&
    Number(left.text) !== Number(right?.text)
  );
}

/** `x IS NULL OR x IS NOT NULL`, `a = 1 OR a <> 1`: one of two alternatives holds for every row (or every row but NULLs). */
function coverEverything(alternatives: readonly (readonly Token[])[]): boolean {
  const texts = new Set(
    alternatives.map(tokens =>
      unwrapped(tokens)
        .map(token => (token.key === '!=' ? '<>' : token.key || `${token.kind}:${token.text.toLowerCase()}`))
        .join(' '),
    ),
  );
  return [...texts].some(
    text =>
      Object.entries(opposite).some(
        ([one, other]) => text.includes(` ${one} `) && texts.has(text.replace(` ${one} `, ` ${other} `)),
      ) || texts.has(`NOT ${text}`),
  );
}
