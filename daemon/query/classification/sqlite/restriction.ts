/**
 * Whether a WHERE restricts (spec §7: `WHERE 1=1` doesn't), told from its tokens alone. What is not understood counts as
 * restricting nothing: the statement is then asked about, not let through.
 */

import { holdsComplements } from './complements.ts';
import { type ConditionToken, deepest, isOperator, isWord, Part } from './condition-tokens.ts';

/** `always` and `never`: the same for each row. */
type Verdict = 'always' | 'never' | 'restricts';

const constants: ReadonlyMap<string, Verdict> = new Map([
  ['true', 'always'],
  ['false', 'never'],
  ['null', 'never'],
]);
const trueOfEqualSides = new Set(['=', '==', '<=', '>=', '<=>', 'is', 'like', 'glob', 'regexp', 'rlike']);

/** SQLite takes no expression deeper than 1,000; what nests or chains so far is not understood, and costs no time. */
const mostNested = 64;
const mostConnectives = 1_000;
/** A parenthesis makes four of these steps at most; only subqueries chained without one, which SQLite refuses, go deeper. */
const mostSteps = 4 * (mostNested + 1);

export function restricts(condition: readonly ConditionToken[]): boolean {
  const connectives = condition.filter(token => ['and', 'or', 'not', '||', '&&', '!'].includes(token.text)).length;
  if (connectives > mostConnectives || deepest(condition) > mostNested) return false;
  return condition.length > 0 && judge(Part.whole(condition), 0) !== 'always';
}

/** @param steps how many of these are under way. */
function judge(condition: Part, steps: number): Verdict {
  if (steps > mostSteps) return 'always';
  const inside = condition.unwrapped();
  const alternatives = inside.split('or');
  const judgeEach = (parts: readonly Part[]) => parts.map(part => judge(part, steps + 1));
  if (alternatives.length > 1) return holdsComplements(alternatives) ? 'always' : anyOf(judgeEach(alternatives));
  const parts = inside.split('and');
  // BETWEEN's AND joins two values, not two conditions.
  if (parts.length > 1 && inside.find('between', 'anywhere') === -1) return allOf(judgeEach(parts));
  if (inside.length === 0) return 'always';
  let nots = 0;
  while (isWord(inside.at(nots), 'not') || isOperator(inside.at(nots), '!')) nots++;
  if (nots === 0) return judgeLeaf(inside, steps);
  const denied = judge(inside.slice(nots), steps + 1);
  return nots % 2 === 0 ? denied : opposite(denied);
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

function judgeLeaf(leaf: Part, steps: number): Verdict {
  const comparison = topLevelComparison(leaf);
  if (comparison !== null) return judgeComparison(comparison, steps);
  const first = leaf.at(0);
  if (leaf.length === 1 && first !== undefined) {
    const known = first.kind === 'word' ? constants.get(first.text) : undefined;
    if (known !== undefined) return known;
    if (first.kind === 'number') return Number(first.text) === 0 ? 'never' : 'always';
    // A column alone is a condition of its own (`WHERE active`), and so is no literal.
    return isColumn(first) ? 'restricts' : 'always';
  }
  if (isWord(first, 'exists')) return judgeSubquery(leaf.slice(1).unwrapped(), steps);
  return dependsOnColumn(leaf, steps) ? 'restricts' : 'always';
}

interface Comparison {
  readonly operator: string;
  readonly left: Part;
  readonly right: Part;
}

function topLevelComparison(part: Part): Comparison | null {
  const index = part.find('comparison', 'outside parentheses');
  const operator = index === -1 ? undefined : part.at(index);
  return operator === undefined
    ? null
    : { operator: operator.text, left: part.slice(0, index), right: part.slice(index + 1) };
}

function judgeComparison({ operator, left, right }: Comparison, steps: number): Verdict {
  const [a, b] = [withoutCollation(left).unwrapped(), withoutCollation(right).unwrapped()];
  if (a.isSameAs(b) || sameColumn(a, b)) return trueOfEqualSides.has(operator) ? 'always' : 'never';
  if (operator === 'like' && isLiteral(b, /^%+$/)) return 'always';
  if (operator === 'glob' && isLiteral(b, /^\*+$/)) return 'always';
  if (dependsOnColumn(a, steps) || dependsOnColumn(b, steps)) return 'restricts';
  return compareNumbers(operator, a, b) ?? 'always';
}

function compareNumbers(operator: string, a: Part, b: Part): Verdict | null {
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

function numberOf(part: Part): number | null {
  const first = part.at(0);
  return part.length === 1 && first?.kind === 'number' ? Number(first.text) : null;
}

function isLiteral(part: Part, pattern: RegExp): boolean {
  const first = part.at(0);
  return part.length === 1 && first?.kind === 'string' && pattern.test(first.text);
}

/** A name that is no constant and no function. A subquery may be the same for each row: it counts by its own condition. */
function dependsOnColumn(part: Part, steps: number): boolean {
  if (isQuery(part.at(0))) return judgeSubquery(part, steps) === 'restricts';
  for (let index = 0; index < part.length; index++) {
    const token = part.at(index);
    if (isOperator(token, '(') && isQuery(part.at(index + 1))) {
      const end = part.closing(index);
      if (judgeSubquery(part.slice(index + 1, end), steps) === 'restricts') return true;
      index = end;
    } else if (token !== undefined && isColumn(token) && !isOperator(part.at(index + 1), '(')) {
      return true;
    }
  }
  return false;
}

function isQuery(first: ConditionToken | undefined): boolean {
  return ['select', 'with', 'values'].some(word => isWord(first, word));
}

/** A subquery restricts only by a condition of its own. */
function judgeSubquery(query: Part, steps: number): Verdict {
  const where = query.find('where', 'anywhere');
  if (where === -1) return 'always';
  const condition = query.slice(where + 1);
  // A column in it against one outside, `id = t.id`, is no column against itself.
  const isCorrelated = sidesOf(condition).some(([a, b]) => sameColumn(a, b) && !a.isSameAs(b));
  return isCorrelated ? 'restricts' : judge(condition, steps + 1);
}

function sidesOf(condition: Part): readonly (readonly [Part, Part])[] {
  return condition
    .unwrapped()
    .split('connective word')
    .flatMap(part => {
      const found = topLevelComparison(part);
      return found === null ? [] : [[found.left, found.right] as const];
    });
}

/** `id` and `t.id`. */
function sameColumn(a: Part, b: Part): boolean {
  const [bare, qualified] = a.length < b.length ? [a, b] : [b, a];
  const name = bare.at(0);
  if (bare.length !== 1 || name === undefined || !isColumn(name)) return false;
  return qualified.length === 3 && isOperator(qualified.at(1), '.') && qualified.at(2)?.text === name.text;
}

function withoutCollation(part: Part): Part {
  return isWord(part.at(part.length - 2), 'collate') ? part.slice(0, part.length - 2) : part;
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
