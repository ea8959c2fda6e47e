/**
 * Whether a WHERE restricts (spec §7: `WHERE 1=1` doesn't), told from its tokens alone. What is not understood counts as
 * restricting nothing: the statement is then asked about, not let through.
 */

import { holdsComplements } from './complements.ts';
import {
  type ConditionToken,
  closingAt,
  deepest,
  depthChange,
  isOperator,
  isWord,
  sameTokens,
  splitAt,
  unwrapped,
} from './condition-tokens.ts';

/** `always` and `never`: the same for each row. */
type Verdict = 'always' | 'never' | 'restricts';

const constants: ReadonlyMap<string, Verdict> = new Map([
  ['true', 'always'],
  ['false', 'never'],
  ['null', 'never'],
]);
const comparisons = new Set([
  '=',
  '==',
  '<>',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '<=>',
  'is',
  'like',
  'glob',
  'regexp',
  'rlike',
]);
const trueOfEqualSides = new Set(['=', '==', '<=', '>=', '<=>', 'is', 'like', 'glob', 'regexp', 'rlike']);

/** SQLite takes no expression deeper than 1,000; what nests or chains so far is not understood, and costs no time. */
const mostNested = 64;
const mostConnectives = 1_000;

export function restricts(condition: readonly ConditionToken[]): boolean {
  const connectives = condition.filter(token => ['and', 'or', 'not', '||', '&&', '!'].includes(token.text)).length;
  if (connectives > mostConnectives || deepest(condition) > mostNested) return false;
  return condition.length > 0 && judge(condition) !== 'always';
}

function judge(tokens: readonly ConditionToken[]): Verdict {
  const inside = unwrapped(tokens);
  const alternatives = splitAt(inside, token => isWord(token, 'or') || isOperator(token, '||'));
  if (alternatives.length > 1) return holdsComplements(alternatives) ? 'always' : anyOf(alternatives.map(judge));
  const parts = splitAt(inside, token => isWord(token, 'and') || isOperator(token, '&&'));
  // BETWEEN's AND joins two values, not two conditions.
  if (parts.length > 1 && !inside.some(token => isWord(token, 'between'))) return allOf(parts.map(judge));
  const [first] = inside;
  if (first === undefined) return 'always';
  if (isWord(first, 'not') || isOperator(first, '!')) return opposite(judge(inside.slice(1)));
  return judgeLeaf(inside);
}

function anyOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('always')) return 'always';
  return verdicts.includes('restricts') ? 'restricts' : 'never';
}

function allOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('never')) return 'never';
  return verdicts.includes('restricts') ? 'restricts' : 'always';
}

function opposite(verdict: Verdict): Verdict {
  return verdict === 'always' ? 'never' : verdict === 'never' ? 'always' : 'restricts';
}

function judgeLeaf(tokens: readonly ConditionToken[]): Verdict {
  const comparison = topLevelComparison(tokens);
  if (comparison !== null) return judgeComparison(comparison);
  const [first] = tokens;
  if (tokens.length === 1 && first !== undefined) {
    const known = first.kind === 'word' ? constants.get(first.text) : undefined;
    if (known !== undefined) return known;
    if (first.kind === 'number') return Number(first.text) === 0 ? 'never' : 'always';
    // A column alone is a condition of its own (`WHERE active`), and so is no literal.
    return isColumn(first) ? 'restricts' : 'always';
  }
  if (first !== undefined && isWord(first, 'exists')) return judgeSubquery(unwrapped(tokens.slice(1)));
  return dependsOnColumn(tokens) ? 'restricts' : 'always';
}

interface Comparison {
  readonly operator: string;
  readonly left: readonly ConditionToken[];
  readonly right: readonly ConditionToken[];
}

function topLevelComparison(tokens: readonly ConditionToken[]): Comparison | null {
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    depth += depthChange(token);
    if (depth !== 0 || !(token.kind === 'operator' || token.kind === 'word') || !comparisons.has(token.text)) continue;
    return { operator: token.text, left: tokens.slice(0, index), right: tokens.slice(index + 1) };
  }
  return null;
}

function judgeComparison({ operator, left, right }: Comparison): Verdict {
  const [a, b] = [unwrapped(withoutCollation(left)), unwrapped(withoutCollation(right))];
  if (sameTokens(a, b) || sameColumn(a, b)) return trueOfEqualSides.has(operator) ? 'always' : 'never';
  if (operator === 'like' && isLiteral(b, /^%+$/)) return 'always';
  if (operator === 'glob' && isLiteral(b, /^\*+$/)) return 'always';
  if (dependsOnColumn(a) || dependsOnColumn(b)) return 'restricts';
  return compareNumbers(operator, a, b) ?? 'always';
}

function compareNumbers(operator: string, a: readonly ConditionToken[], b: readonly ConditionToken[]): Verdict | null {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left === null || right === null) return null;
  const holds = {
    '=': left === right,
    '==': left === right,
    is: left === right,
    '<=>': left === right,
    '<>': left !== right,
    '!=': left !== right,
    '<': left < right,
    '>': left > right,
    '<=': left <= right,
    '>=': left >= right,
  }[operator];
  return holds === undefined ? null : holds ? 'always' : 'never';
}

function numberOf(tokens: readonly ConditionToken[]): number | null {
  const [first] = tokens;
  return tokens.length === 1 && first?.kind === 'number' ? Number(first.text) : null;
}

function isLiteral(tokens: readonly ConditionToken[], pattern: RegExp): boolean {
  return tokens.length === 1 && tokens[0]?.kind === 'string' && pattern.test(tokens[0].text);
}

/** A name that is no constant and no function. A subquery may be the same for each row: it counts by its own condition. */
function dependsOnColumn(tokens: readonly ConditionToken[]): boolean {
  if (isQuery(tokens)) return judgeSubquery(tokens) === 'restricts';
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (isOperator(token, '(') && isQuery(tokens.slice(index + 1, index + 2))) {
      const end = closingAt(tokens, index);
      if (judgeSubquery(tokens.slice(index + 1, end)) === 'restricts') return true;
      index = end;
    } else if (token !== undefined && isColumn(token) && !isOperator(tokens[index + 1], '(')) {
      return true;
    }
  }
  return false;
}

function isQuery(tokens: readonly ConditionToken[]): boolean {
  return ['select', 'with', 'values'].some(word => isWord(tokens[0], word));
}

/** A subquery restricts only by a condition of its own. */
function judgeSubquery(tokens: readonly ConditionToken[]): Verdict {
  const where = tokens.findIndex(token => isWord(token, 'where'));
  if (where === -1) return 'always';
  const condition = tokens.slice(where + 1);
  // A column in it against one outside, `id = t.id`, is no column against itself.
  const isCorrelated = sidesOf(condition).some(([a, b]) => sameColumn(a, b) && !sameTokens(a, b));
  return isCorrelated ? 'restricts' : judge(condition);
}

function sidesOf(condition: readonly ConditionToken[]): readonly (readonly [ConditionToken[], ConditionToken[]])[] {
  return splitAt(unwrapped(condition), token => isWord(token, 'and') || isWord(token, 'or')).flatMap(part => {
    const found = topLevelComparison(part);
    return found === null ? [] : [[[...found.left], [...found.right]] as const];
  });
}

/** `id` and `t.id`. */
function sameColumn(a: readonly ConditionToken[], b: readonly ConditionToken[]): boolean {
  const [bare, qualified] = a.length < b.length ? [a, b] : [b, a];
  const [name] = bare;
  if (bare.length !== 1 || name === undefined || !isColumn(name)) return false;
  return qualified.length === 3 && isOperator(qualified[1], '.') && qualified[2]?.text === name.text;
}

function withoutCollation(tokens: readonly ConditionToken[]): readonly ConditionToken[] {
  return isWord(tokens.at(-2), 'collate') ? tokens.slice(0, -2) : tokens;
}

const wordsThatAreNoColumns = new Set(
  `and or not is null true false like glob regexp rlike match in between exists case when then else end cast as collate
   escape isnull notnull distinct from all any some div mod xor binary interval select current_date current_time
   current_timestamp unknown`.split(/\s+/),
);

function isColumn(token: ConditionToken): boolean {
  if (token.kind === 'name') return true;
  return token.kind === 'word' && !wordsThatAreNoColumns.has(token.text);
}
