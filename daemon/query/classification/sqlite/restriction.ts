/**
 * Whether a WHERE restricts (SPEC §7: `WHERE 1=1` doesn't), told from its tokens alone. What is not understood counts as
 * restricting nothing: the statement is then asked about, not let through.
 */

/** As the tokenizer gives them: keywords and names in lower case. */
export interface ConditionToken {
  readonly kind: string;
  readonly text: string;
}

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

export function restricts(condition: readonly ConditionToken[]): boolean {
  return condition.length > 0 && judge(condition) !== 'always';
}

function judge(tokens: readonly ConditionToken[]): Verdict {
  const inside = unwrapped(tokens);
  const alternatives = splitAt(inside, token => isWord(token, 'or') || isOperator(token, '||'));
  if (alternatives.length > 1) return anyOf(alternatives.map(judge));
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
  if (first !== undefined && isWord(first, 'exists')) return dependsWithin(tokens) ? 'restricts' : 'always';
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
  const [a, b] = [unwrapped(left), unwrapped(right)];
  if (sameTokens(a, b)) return trueOfEqualSides.has(operator) ? 'always' : 'never';
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

/** A name that is no constant, no function and not inside a subquery, which may be the same for each row. */
function dependsOnColumn(tokens: readonly ConditionToken[]): boolean {
  let subqueryDepth = 0;
  const opened: boolean[] = [];
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (isOperator(token, '(')) {
      const isSubquery =
        next !== undefined && (isWord(next, 'select') || isWord(next, 'with') || isWord(next, 'values'));
      opened.push(isSubquery);
      if (isSubquery) subqueryDepth++;
    } else if (isOperator(token, ')')) {
      if (opened.pop() === true) subqueryDepth--;
    } else if (subqueryDepth === 0 && isColumn(token) && !(next !== undefined && isOperator(next, '('))) {
      return true;
    }
  }
  return false;
}

/** EXISTS restricts only by a condition of its own. */
function dependsWithin(tokens: readonly ConditionToken[]): boolean {
  const where = tokens.findIndex(token => isWord(token, 'where'));
  return where !== -1 && restricts(tokens.slice(where + 1, -1));
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

function unwrapped(tokens: readonly ConditionToken[]): readonly ConditionToken[] {
  let inside = tokens;
  while (inside.length >= 2 && isOperator(inside[0], '(') && closesAtEnd(inside)) inside = inside.slice(1, -1);
  return inside;
}

function closesAtEnd(tokens: readonly ConditionToken[]): boolean {
  let depth = 0;
  return tokens.every((token, index) => {
    depth += depthChange(token);
    return depth > 0 || index === tokens.length - 1;
  });
}

function splitAt(
  tokens: readonly ConditionToken[],
  isSeparator: (token: ConditionToken) => boolean,
): ConditionToken[][] {
  const parts: ConditionToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += depthChange(token);
    if (depth === 0 && isSeparator(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function sameTokens(a: readonly ConditionToken[], b: readonly ConditionToken[]): boolean {
  return (
    a.length === b.length && a.every((token, index) => token.kind === b[index]?.kind && token.text === b[index]?.text)
  );
}

function depthChange(token: ConditionToken): number {
  if (token.kind !== 'operator') return 0;
  return token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
}

function isWord(token: ConditionToken | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text;
}

function isOperator(token: ConditionToken | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text;
}
