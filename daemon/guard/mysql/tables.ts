/**
 * Which tables a text names. Reads FROM, JOIN, UPDATE and INTO lists at any nesting, and follows
 * the scopes of common table expressions. For statements with other lists, `namesAt` is called.
 */

import type { QualifiedName } from '../types.ts';
import { aliasedTargets } from './delete-targets.ts';
import { closingParenthesis, isName, keywordsAt, type Token, tokenAt } from './tokens.ts';

/**
 * @returns the name at `index`, `schema.name` or `name`, and where it ends; null if there is none.
 */
export function nameAt(tokens: readonly Token[], index: number): { name: QualifiedName; end: number } | null {
  const first = tokenAt(tokens, index);
  if (first.key === '.' && isName(tokenAt(tokens, index + 1))) {
    return { name: { schema: null, name: tokenAt(tokens, index + 1).text }, end: index + 2 };
  }
  if (!isName(first)) return null;
  const second = tokenAt(tokens, index + 2);
  if (tokenAt(tokens, index + 1).key === '.' && isName(second)) {
    return { name: { schema: first.text, name: second.text }, end: index + 3 };
  }
  return { name: { schema: null, name: first.text }, end: index + 1 };
}

/**
 * @returns the names of a plain list (`DROP TABLE a, b.c`). Words between a name and a comma are
 *   ignored.
 */
export function namesAt(tokens: readonly Token[], index: number): QualifiedName[] {
  const names: QualifiedName[] = [];
  let from = index;
  for (;;) {
    const found = nameAt(tokens, from);
    if (found === null) return names;
    names.push(found.name);
    from = found.end;
    while (from < tokens.length && tokenAt(tokens, from).key !== ',') from++;
    if (from >= tokens.length) return names;
    from++;
  }
}

const listStart = new Set(['FROM', 'JOIN', 'STRAIGHT_JOIN', 'UPDATE', 'INTO', 'TABLE', 'REPLACE', 'INSERT', 'DELETE']);
const modifiers = new Set(['LOW_PRIORITY', 'IGNORE', 'DELAYED', 'HIGH_PRIORITY', 'INTO']);
/** Names like any other, except right after DELETE. */
const modifiersOfDelete = new Set(['QUICK', 'HISTORY']);
const listEnd = new Set(
  `WHERE SET GROUP ORDER HAVING LIMIT WINDOW UNION EXCEPT INTERSECT MINUS FOR LOCK VALUES VALUE SELECT ON USING RETURNING
  PROCEDURE WITH QUALIFY ;`.split(/\s+/),
);
/**
 * The words of `listEnd` that some servers take for a name: `FROM value`, `FROM a minus, b`,
 * `FROM a JOIN b ON CASE value … END, c`. They end no list. If a column is taken for a table, the
 * catalog is asked about it, and nothing more.
 */
const unreserved = new Set(['VALUE', 'MINUS', 'QUALIFY', 'RETURNING', 'WINDOW', 'EXCEPT', 'INTERSECT']);
const beforeOperand = new Set(
  'ON AND OR XOR NOT IS LIKE IN BETWEEN REGEXP RLIKE DIV MOD WHEN THEN ELSE CASE'.split(' '),
);
const queryStart = new Set(['SELECT', 'WITH', 'TABLE', 'VALUES']);

/**
 * @returns every table that the text reads or writes, once. Names of common table expressions are
 *   left out in their scope.
 */
export function touchedTables(tokens: readonly Token[]): QualifiedName[] {
  const found = new Map<string, QualifiedName>();
  const aliased = aliasedTargets(tokens);
  collect(tokens, 0, tokens.length, false, new Scope(null), (name, scope, index) => {
    if (aliased.has(index)) return;
    if (name.schema === null && (scope.hides(name.name) || tokenAt(tokens, index).key === 'DUAL')) return;
    found.set(`${name.schema}.${name.name}`, name);
  });
  return [...found.values()];
}

/**
 * The common table expressions whose names hide tables at a place. A name hides nothing before it
 * is defined. It hides tables within its own body only if the clause is RECURSIVE, and never
 * outside the parentheses that hold its WITH.
 */
class Scope {
  readonly #outer: Scope | null;
  readonly #names = new Set<string>();

  constructor(outer: Scope | null) {
    this.#outer = outer;
  }

  define(name: string): void {
    this.#names.add(name);
  }

  /**
   * Compares names as written. If a server tells capitals apart, `USER` is not the expression
   * `user`.
   */
  hides(name: string): boolean {
    return this.#names.has(name) || (this.#outer?.hides(name) ?? false);
  }
}

type Add = (name: QualifiedName, scope: Scope, index: number) => void;

/** @param inList true if the first thing in the range is a table, as in `FROM (a, b)`. */
function collect(tokens: readonly Token[], from: number, to: number, inList: boolean, outer: Scope, add: Add): void {
  let scope = outer;
  let list = inList;
  let expects = inList;
  for (let index = from; index < to; index++) {
    const { key } = tokenAt(tokens, index);
    const isClause = key === 'WITH' && !expects && isName(tokenAt(tokens, index + 1));
    const clause = isClause ? withClause(tokens, index, to, scope, add) : null;
    if (clause !== null) {
      scope = clause.scope;
      index = clause.end - 1;
      list = false;
    } else if (key === '(') {
      const end = Math.min(closingParenthesis(tokens, index), to);
      const isQuery = queryStart.has(tokenAt(tokens, index + 1).key);
      // FROM in EXTRACT(YEAR FROM x) or TRIM(' ' FROM x) names no table.
      if (isQuery || expects || tokenAt(tokens, index + 1).key === '(')
        collect(tokens, index + 1, end, expects && !isQuery, scope, add);
      else collectQueries(tokens, index + 1, end, scope, add);
      index = end;
      expects = false;
    } else if (key === '{' && expects) {
      // ODBC: FROM { OJ a LEFT JOIN b ON … }
      index++;
    } else if (listStart.has(key) && !isOther(tokens, index)) {
      list = true;
      expects = true;
      while (
        modifiers.has(tokenAt(tokens, index + 1).key) ||
        (key === 'DELETE' && modifiersOfDelete.has(tokenAt(tokens, index + 1).key))
      )
        index++;
    } else if (key === 'USING' && tokenAt(tokens, index + 1).key !== '(') {
      // DELETE FROM a USING a, b
      list = true;
      expects = true;
    } else if (listEnd.has(key) && !(expects && unreserved.has(key))) {
      // The next statement of a body begins.
      if (key === ';') scope = outer;
      // ON ends the expectation of a table, not the list: FROM a JOIN b ON a.x = b.x, c
      list = list && (['ON', 'USING', 'FOR'].includes(key) || isWithinList(tokens, index));
      expects = false;
    } else if (key === ',') expects = list;
    else if (expects) {
      const name = nameAt(tokens, index);
      expects = false;
      if (name === null) continue;
      if (tokenAt(tokens, name.end).key !== '(' || !/^json_table$/i.test(name.name.name)) add(name.name, scope, index);
      index = name.end - 1;
    }
  }
}

/**
 * Reads `WITH a AS (…), b (x) AS (…)`.
 * @returns the scope after it and where it ends; null if none begins here.
 */
function withClause(
  tokens: readonly Token[],
  from: number,
  to: number,
  outer: Scope,
  add: Add,
): { readonly scope: Scope; readonly end: number } | null {
  const scope = new Scope(outer);
  const isRecursive = tokenAt(tokens, from + 1).key === 'RECURSIVE' && isName(tokenAt(tokens, from + 2));
  let index = isRecursive ? from + 2 : from + 1;
  for (;;) {
    const name = tokenAt(tokens, index);
    const after = tokenAt(tokens, index + 1).key === '(' ? closingParenthesis(tokens, index + 1) + 1 : index + 1;
    if (!isName(name) || !keywordsAt(tokens, after, 'AS', '(')) return index > from + 2 ? { scope, end: index } : null;
    const end = Math.min(closingParenthesis(tokens, after + 1), to);
    if (isRecursive) scope.define(name.text);
    collect(tokens, after + 2, end, false, scope, add);
    scope.define(name.text);
    index = end + 1;
    // MariaDB: CYCLE a, b RESTRICT
    if (tokenAt(tokens, index).key === 'CYCLE')
      while (index < to && tokenAt(tokens, index - 1).key !== 'RESTRICT') index++;
    if (tokenAt(tokens, index).key !== ',') return { scope, end: index };
    index++;
  }
}

/** True for a name, the function VALUES() and USE INDEX FOR ORDER BY (a): tables may follow. */
function isWithinList(tokens: readonly Token[], index: number): boolean {
  const { key } = tokenAt(tokens, index);
  const before = tokenAt(tokens, index - 1);
  if (key === 'ORDER' || key === 'GROUP') return before.key === 'FOR';
  if (key === 'VALUES') return beforeOperand.has(before.key) || (before.kind === 'punctuation' && before.key !== ')');
  return unreserved.has(key);
}

function collectQueries(tokens: readonly Token[], from: number, to: number, scope: Scope, add: Add): void {
  for (let index = from; index < to; index++) {
    if (tokenAt(tokens, index).key !== '(') continue;
    const end = Math.min(closingParenthesis(tokens, index), to);
    if (queryStart.has(tokenAt(tokens, index + 1).key)) collect(tokens, index + 1, end, false, scope, add);
    else collectQueries(tokens, index + 1, end, scope, add);
    index = end;
  }
}

/**
 * True for FOR UPDATE, ON UPDATE, ON DUPLICATE KEY UPDATE, INTO @x, DELETE FROM and the functions
 * INSERT() and REPLACE(): no list of tables begins.
 */
function isOther(tokens: readonly Token[], index: number): boolean {
  const { key } = tokenAt(tokens, index);
  const before = tokenAt(tokens, index - 1).key;
  if (key === 'UPDATE') return before === 'FOR' || before === 'ON' || before === 'KEY';
  if (key === 'INTO')
    return !['INSERT', 'REPLACE', 'IGNORE', 'DELAYED', 'LOW_PRIORITY', 'HIGH_PRIORITY'].includes(before);
  if (key === 'DELETE' || key === 'TABLE')
    return keywordsAt(tokens, index + 1, 'FROM') || before === 'ON' || before === 'CREATE';
  return (key === 'INSERT' || key === 'REPLACE') && tokenAt(tokens, index + 1).key === '(';
}
