/**
 * What a text may read of columns (spec §6): each name that isn't plainly one that it sets, and the
 * tables of which it takes all columns. Without a grammar, so rather too many than too few.
 */

import type { QualifiedName } from '../types.ts';
import { readings } from './reading.ts';
import { namesInCode, readSightText, type SightText } from './sight-text.ts';
import { tokenize } from './tokenizer.ts';
import { closingParenthesis, isName, keywordsAt, type Token, tokenAt } from './tokens.ts';

export interface MaskText {
  /** Names that may be columns and are read. */
  readonly names: readonly string[];
  /** What a star, NATURAL, TABLE or a checksum may take all columns of. */
  readonly stars: readonly QualifiedName[];
  /** True if a table may get another name. */
  readonly renames: boolean;
  /** True for SHOW of what holds values or other statements' texts. */
  readonly showsValues: boolean;
}

/** All that a judge of tables and one of columns take from a text. */
export interface ReadText {
  readonly text: SightText;
  readonly mask: MaskText;
}

/** @param schema where names without one are looked up; empty if there is none. */
export function readText(sql: string, schema: string): ReadText {
  return { text: readSightText(sql, schema), mask: readMaskText(sql, schema) };
}

function readMaskText(sql: string, schema: string): MaskText {
  const found: MaskText[] = [];
  for (const way of readings(sql) ?? []) {
    const cut = tokenize(sql, way);
    if (cut.kind !== 'failure' && cut.tokens.length > 0)
      found.push(
        ofTokens(
          cut.tokens.filter(({ kind }) => kind !== 'hint'),
          schema,
        ),
      );
  }
  return {
    names: [...new Set(found.flatMap(({ names }) => names))],
    stars: unique(found.flatMap(({ stars }) => stars)),
    renames: found.some(({ renames }) => renames),
    showsValues: found.some(({ showsValues }) => showsValues),
  };
}

function ofTokens(tokens: readonly Token[], schema: string): MaskText {
  const { key } = tokenAt(tokens, 0);
  if (key === 'SHOW') {
    const showsValues = tokens.slice(1).some(({ key: word }) => valuesShown.has(word));
    return { names: [], stars: [], renames: false, showsValues };
  }
  // Another session's plan, with its values.
  const showsValues = plans.has(key) && tokens.some((_, at) => keywordsAt(tokens, at, 'FOR', 'CONNECTION'));
  const set = columnsSet(tokens);
  const names = tokens.flatMap((token, at) => (isName(token) && !set.has(at) ? [token.text] : []));
  const isRenamed = ({ key: word }: Token, at: number): boolean =>
    word === 'RENAME' && !['COLUMN', 'INDEX', 'KEY'].includes(tokenAt(tokens, at + 1).key);
  return {
    names: [...new Set(names)],
    stars: starsIn(tokens, schema),
    renames: key === 'ALTER' && tokens.some(isRenamed),
    showsValues,
  };
}

const plans = new Set('EXPLAIN DESCRIBE DESC ANALYZE'.split(' '));
const valuesShown = new Set(
  'PROCESSLIST ENGINE BINLOG RELAYLOG PROFILE PROFILES WARNINGS ERRORS EXPLAIN ANALYZE'.split(' '),
);

/** @returns names and stars in code that a server keeps: all names are read. */
export function maskTextOfCode(tokens: readonly Token[], schema: string): Pick<MaskText, 'names' | 'stars'> {
  const names = new Set(tokens.filter(isName).map(({ text }) => text));
  return { names: [...names], stars: starsIn(tokens, schema) };
}

/** Words that a column's star stands behind. */
const beforeStar = /^(?:SELECT|DISTINCT|DISTINCTROW|ALL|HIGH_PRIORITY|STRAIGHT_JOIN|RETURNING|SQL_\w+|,|\.|)$/;
/** What follows no factor. */
const afterStar = new Set(
  `FROM INTO UNION EXCEPT INTERSECT MINUS WHERE ORDER GROUP HAVING LIMIT FOR LOCK PROCEDURE ON AS WINDOW FETCH OFFSET RETURNING , ) ;`.split(
    /\s+/,
  ),
);
/** Statements whose first TABLE is no query. */
const definesTable = new Set('CREATE ALTER DROP TRUNCATE ANALYZE CHECK OPTIMIZE'.split(' '));

function starsIn(tokens: readonly Token[], schema: string): readonly QualifiedName[] {
  const first = tokenAt(tokens, 0).key;
  const ofDefinition = definesTable.has(first)
    ? tokens.findIndex(({ key }) => key === 'TABLE' || key === 'TABLES')
    : -1;
  return unique(
    levelsOf(tokens).flatMap(({ level, from }) => {
      const takesAll = level.some((token, at) => {
        if (token.key === '*') return isStar(level, at);
        if (token.key === 'TABLE' || token.key === 'TABLES') return from + at !== ofDefinition;
        return token.key === 'NATURAL' || token.key === 'CHECKSUM' || refersToKey(level, at);
      });
      if (!takesAll) return [];
      const { tables, others } = namesInCode(level, schema);
      return [...tables, ...others];
    }),
  );
}

function isStar(tokens: readonly Token[], at: number): boolean {
  const [before, next] = [tokenAt(tokens, at - 1), tokenAt(tokens, at + 1)];
  if (before.key === '(' && next.key === ')') return false;
  const isWord = before.kind === 'word' || before.kind === 'punctuation';
  return (isWord && beforeStar.test(before.key)) || next.text === '' || afterStar.has(next.key);
}

/** A foreign key without columns means the primary key. */
function refersToKey(tokens: readonly Token[], at: number): boolean {
  if (tokenAt(tokens, at).key !== 'REFERENCES') return false;
  const end = tokenAt(tokens, at + 2).key === '.' ? at + 4 : at + 2;
  return tokenAt(tokens, end).key !== '(';
}

const hole: Token = { kind: 'number', text: '0', key: '', start: 0, end: 0 };

/** The text and each query in parentheses, without the queries within it. */
function levelsOf(tokens: readonly Token[]): readonly { readonly level: readonly Token[]; readonly from: number }[] {
  const opens = tokens.flatMap(({ key }, at) =>
    key === '(' && ['SELECT', 'WITH', 'TABLE', 'VALUES'].includes(tokenAt(tokens, at + 1).key) ? [at] : [],
  );
  const level = [...tokens];
  const levels: { level: readonly Token[]; from: number }[] = [];
  // An inner one has a hole for its level before the outer is taken.
  for (const open of opens.reverse()) {
    const end = closingParenthesis(tokens, open);
    levels.push({ level: level.slice(open + 1, end), from: open + 1 });
    level.fill(hole, open + 1, end);
  }
  return [...levels, { level, from: 0 }];
}

/** Indexes of names that the statement sets, and does nothing else with there. */
function columnsSet(tokens: readonly Token[]): ReadonlySet<number> {
  const { key } = tokenAt(tokens, 0);
  if (key === 'UPDATE') return assigned(tokens, atTop(tokens, 'SET'));
  if (key !== 'INSERT' && key !== 'REPLACE') return new Set();
  const duplicate = tokens.findIndex((_, at) => keywordsAt(tokens, at, 'ON', 'DUPLICATE', 'KEY', 'UPDATE'));
  const set = atTop(tokens, 'SET');
  const beginsWithSet =
    set >= 0 && set <= 6 && !tokens.slice(0, set).some(({ key: word }) => word === '(' || word === 'SELECT');
  return new Set([
    ...listed(tokens),
    ...(beginsWithSet ? assigned(tokens, set) : []),
    ...(duplicate < 0 ? [] : assigned(tokens, duplicate + 3)),
  ]);
}

function atTop(tokens: readonly Token[], word: string): number {
  let depth = 0;
  return tokens.findIndex(({ key }) => {
    if (key === '(') depth++;
    if (key === ')') depth--;
    return depth === 0 && key === word;
  });
}

const endsAssignments = new Set('WHERE ORDER LIMIT RETURNING FROM SELECT UNION ON AS ;'.split(' '));

/** `a = …, t.b = …` behind `from`. */
function assigned(tokens: readonly Token[], from: number): ReadonlySet<number> {
  const found = new Set<number>();
  if (from < 0) return found;
  let depth = 0;
  for (let at = from + 1; at < tokens.length; at++) {
    const token = tokenAt(tokens, at);
    if (token.key === '(') depth++;
    if (token.key === ')') depth--;
    if (depth < 0 || (depth === 0 && endsAssignments.has(token.key))) break;
    const begins = at === from + 1 || tokenAt(tokens, at - 1).key === ',';
    if (depth > 0 || !begins || !isName(token)) continue;
    let last = at;
    while (tokenAt(tokens, last + 1).key === '.' && isName(tokenAt(tokens, last + 2))) last += 2;
    if (tokenAt(tokens, last + 1).key === '=') for (let each = at; each <= last; each += 2) found.add(each);
  }
  return found;
}

const beforeTable = new Set('LOW_PRIORITY DELAYED HIGH_PRIORITY IGNORE INTO'.split(' '));

/** The list of columns behind the table of an INSERT. */
function listed(tokens: readonly Token[]): ReadonlySet<number> {
  const found = new Set<number>();
  let at = 1;
  while (beforeTable.has(tokenAt(tokens, at).key)) at++;
  at += tokenAt(tokens, at + 1).key === '.' ? 3 : 1;
  if (tokenAt(tokens, at).key !== '(') return found;
  const end = closingParenthesis(tokens, at);
  for (let each = at + 1; each < end; each++) {
    const token = tokenAt(tokens, each);
    const isBetween = token.key === ',' || token.key === '.';
    if (isBetween ? !found.has(each - 1) : !isName(token) || found.has(each - 1)) return new Set();
    if (!isBetween) found.add(each);
  }
  return found;
}

function unique(names: readonly QualifiedName[]): readonly QualifiedName[] {
  return [...new Map(names.map(name => [`${name.schema ?? ''}\0${name.name}`, name])).values()];
}
