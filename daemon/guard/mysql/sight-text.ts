/**
 * What a text may reach on a connection with tables out of sight (spec §6): every name that may be
 * a table's, and whether it is of a kind that can be judged so. Names are rather too many than too
 * few: a column that is taken for a table costs a question to the catalog.
 */

import type { QualifiedName } from '../types.ts';
import { calledFunctions } from './calls.ts';
import { kindAt, queryOf } from './definitions.ts';
import { schemaOfPlan } from './explain.ts';
import { type CatalogItem, functionsOf } from './question.ts';
import { readings } from './reading.ts';
import { withSchema } from './resolver.ts';
import { shownTables } from './show.ts';
import { isSystemSchema } from './system-tables.ts';
import { nameAt, touchedTables } from './tables.ts';
import { tokenize } from './tokenizer.ts';
import { isName, keywordsAt, type Token, tokenAt } from './tokens.ts';

/** A sentence's code; `engines/mysql/follow/sight.ts` has the words. */
export type SightRefusal = 'catalog' | 'kind' | 'definition';

export interface SightText {
  readonly refusal: SightRefusal | null;
  /** Surely tables, as the text is understood. */
  readonly tables: readonly QualifiedName[];
  /** What may be a table as well. */
  readonly others: readonly QualifiedName[];
  /** Functions in what a new view keeps. */
  readonly calls: readonly CatalogItem[];
  /** True for EXPLAIN, which names what is behind a view. */
  readonly isPlan: boolean;
  readonly isDrop: boolean;
  /** True for an UPDATE: it deletes nothing that others follow. */
  readonly isUpdate: boolean;
}

/** @param schema where names without one are looked up; empty if there is none. */
export function readSightText(sql: string, schema: string): SightText {
  const found: SightText[] = [];
  for (const way of readings(sql) ?? []) {
    const cut = tokenize(sql, way);
    if (cut.kind === 'failure' || cut.tokens.length === 0) continue;
    found.push(
      ofTokens(
        cut.tokens.filter(({ kind }) => kind !== 'hint'),
        schema === '' ? null : schema,
      ),
    );
  }
  return {
    refusal: found.length === 0 ? 'kind' : worstOf(found.map(({ refusal }) => refusal)),
    tables: unique(found.flatMap(({ tables }) => tables)),
    others: unique(found.flatMap(({ others }) => others)),
    calls: found.flatMap(({ calls }) => calls),
    isPlan: found.some(({ isPlan }) => isPlan),
    isDrop: found.some(({ isDrop }) => isDrop),
    isUpdate: found.length > 0 && found.every(({ isUpdate }) => isUpdate),
  };
}

/** `catalog` is the only one that doesn't matter to masks. */
function worstOf(refusals: readonly (SightRefusal | null)[]): SightRefusal | null {
  return refusals.find(each => each !== null && each !== 'catalog') ?? refusals.find(each => each !== null) ?? null;
}

function ofTokens(tokens: readonly Token[], callSchema: string | null): SightText {
  const schema = schemaOfPlan(tokens) ?? callSchema;
  const resolved = (names: readonly QualifiedName[]) => unique(names.map(name => withSchema(name, schema)));
  const { key } = tokenAt(tokens, 0);
  const isShow = key === 'SHOW';
  const tables = resolved([...touchedTables(tokens), ...(isShow ? shownTables(tokens) : [])]);
  const keys = new Set(tables.map(keyOf));
  const others = resolved(mayBeTables(tokens)).filter(name => !keys.has(keyOf(name)));
  const all = [...tables, ...others, ...systemNames(tokens)];
  const refusal = isShow
    ? refusalOfShow(tokens)
    : (refusalOfKind(tokens) ?? (all.some(name => isSystemName(name)) ? ('catalog' as const) : null));
  return {
    refusal,
    tables,
    others,
    calls: keywordsAt(tokens, kindAt(tokens), 'VIEW')
      ? functionsOf(calledFunctions(tokens.slice(Math.max(queryOf(tokens), 0))), schema)
      : [],
    // DESCRIBE of a table tells its columns alone, as SHOW COLUMNS does.
    isPlan: ['EXPLAIN', 'ANALYZE', 'DESCRIBE', 'DESC'].includes(key) && tokens.some(isPlanned),
    isDrop: key === 'DROP',
    isUpdate: key === 'UPDATE',
  };
}

/** The server's own tables that name no table of anybody's, and hold no values of one. */
const harmless: ReadonlyMap<string, RegExp> = new Map([
  [
    'information_schema',
    /^(character_sets|collations|collation_character_set_applicability|engines|keywords|sql_functions|global_variables|session_variables|system_variables|global_status|session_status|st_spatial_reference_systems|st_units_of_measure)$/,
  ],
  ['performance_schema', /^(global_variables|session_variables|global_status|session_status)$/],
  ['mysql', /^(help_\w+|time_zone\w*)$/],
  ['sys', /^version$/],
]);

/** True for a table of the server's own that may tell of others. */
export function isSystemName({ schema, name }: QualifiedName): boolean {
  return isSystemSchema(schema) && harmless.get(schema?.toLowerCase() ?? '')?.test(name.toLowerCase()) !== true;
}

/** Functions of `sys` have their own list; a table's name is followed by no parenthesis. */
function systemNames(tokens: readonly Token[]): readonly QualifiedName[] {
  return tokens.flatMap((token, index): QualifiedName[] => {
    const name = tokenAt(tokens, index + 2);
    const isPair = isName(token) && tokenAt(tokens, index + 1).key === '.' && isName(name);
    const isCall = tokenAt(tokens, index + 3).key === '(' && token.text.toLowerCase() === 'sys';
    return isPair && !isCall && isSystemSchema(token.text) ? [{ schema: token.text, name: name.text }] : [];
  });
}

const showModifiers = new Set(['FULL', 'EXTENDED', 'GLOBAL', 'SESSION', 'LOCAL', 'STORAGE']);
/** What SHOW tells of no table, or of the one that it names. */
const shown = new Set(
  'VARIABLES STATUS WARNINGS ERRORS COUNT ENGINES CHARACTER CHARSET COLLATION PLUGINS PRIVILEGES COLUMNS FIELDS INDEX INDEXES KEYS'.split(
    ' ',
  ),
);

function refusalOfShow(tokens: readonly Token[]): SightRefusal | null {
  const subject = tokens.slice(1).find(({ key }) => !showModifiers.has(key));
  return subject !== undefined && shown.has(subject.key) ? null : 'catalog';
}

const statements = new Set(
  'SELECT WITH TABLE VALUES ( INSERT REPLACE UPDATE DELETE EXPLAIN DESCRIBE DESC CALL TRUNCATE HELP'.split(' '),
);
const maintenance = new Set(['ANALYZE', 'CHECK', 'CHECKSUM', 'OPTIMIZE']);
/** Clauses of definitions that bring in another table's rows, or files. */
const foreign = new Set(['EXCHANGE', 'CONNECTION', 'DIRECTORY', 'TABLESPACE', 'IMPORT', 'DISCARD']);
const ownEngines = /^(innodb|myisam|aria|memory)$/i;

function refusalOfKind(tokens: readonly Token[]): SightRefusal | null {
  const { key } = tokenAt(tokens, 0);
  if (isPlanOfConnection(tokens)) return 'catalog';
  if (statements.has(key) || maintenance.has(key)) return null;
  if (!['CREATE', 'ALTER', 'DROP'].includes(key)) return 'kind';
  const kind =
    key === 'CREATE'
      ? tokenAt(tokens, kindAt(tokens)).key
      : (tokens.find(({ key: each }) => definable.has(each))?.key ?? '');
  if (!(key === 'ALTER' ? kind === 'TABLE' : ['TABLE', 'VIEW', 'INDEX'].includes(kind))) return 'definition';
  if (key === 'DROP') return null;
  let depth = 0;
  const isForeign = tokens.some((token, index) => {
    if (token.key === '(') depth += 1;
    if (token.key === ')') depth -= 1;
    if (foreign.has(token.key)) return depth === 0;
    const next = tokenAt(tokens, index + 1);
    if (token.key === 'UNION')
      return (
        next.key === '=' ||
        (next.key === '(' && isName(tokenAt(tokens, index + 2)) && !isQuery(tokenAt(tokens, index + 2)))
      );
    if (token.key !== 'ENGINE' || depth > 0) return false;
    return !ownEngines.test((next.key === '=' ? tokenAt(tokens, index + 2) : next).text);
  });
  return isForeign ? 'definition' : null;
}

function isPlanned(token: Token): boolean {
  return isQuery(token) || ['INSERT', 'REPLACE', 'UPDATE', 'DELETE'].includes(token.key);
}

function isQuery({ key }: Token): boolean {
  return ['SELECT', 'WITH', 'TABLE', 'VALUES'].includes(key);
}

const definable = new Set(
  'TABLE VIEW INDEX PROCEDURE FUNCTION TRIGGER EVENT PACKAGE DATABASE SCHEMA USER ROLE SERVER SEQUENCE TABLESPACE LOGFILE UNDO LIBRARY RESOURCE SPATIAL_REFERENCE INSTANCE'.split(
    ' ',
  ),
);

function isPlanOfConnection(tokens: readonly Token[]): boolean {
  return tokens.some((_, index) => keywordsAt(tokens, index, 'FOR', 'CONNECTION'));
}

/** Words after which a list of tables comes. */
const lists = new Set(['FROM', 'JOIN', 'STRAIGHT_JOIN', 'UPDATE', 'USING', 'DELETE', 'TABLES', 'DROP', 'TRUNCATE']);
/** Words after which one comes. */
const singles = new Set([
  'INTO',
  'INSERT',
  'REPLACE',
  'TABLE',
  'REFERENCES',
  'LIKE',
  'DESCRIBE',
  'DESC',
  'EXPLAIN',
  'CALL',
]);
/** Reserved on every server, so no name: a list of tables has ended. */
const ends = new Set(['WHERE', 'GROUP', 'ORDER', 'HAVING', 'LIMIT', 'SELECT', 'SET', 'PROCEDURE']);
const between = new Set(
  'LOW_PRIORITY IGNORE DELAYED HIGH_PRIORITY QUICK INTO TABLE TABLES LATERAL ONLY IF NOT EXISTS FROM OJ HISTORY TEMPORARY VIEW'.split(
    ' ',
  ),
);
/** Without quotes these are no names on any server. */
const reserved = new Set(
  `ALL AND AS BETWEEN CASE DELAYED DISTINCT DUAL ELSE EXISTS FOR FROM GROUP HAVING HIGH_PRIORITY IF IGNORE IN INDEX INTO IS KEY
  LIKE LIMIT LOW_PRIORITY NOT NULL ON OR ORDER PRIMARY SELECT SET TABLE THEN UNION USING VALUES WHEN WHERE WITH`.split(
    /\s+/,
  ),
);

/** Names where a table could be named, whatever the words around them mean to a server. */
function mayBeTables(tokens: readonly Token[]): readonly QualifiedName[] {
  const found: QualifiedName[] = [];
  const inList: boolean[] = [false];
  const addAt = (at: number): void => {
    const name = reserved.has(tokenAt(tokens, at).key) ? null : nameAt(tokens, at);
    if (name !== null) found.push(name.name);
  };
  const add = (from: number): void => {
    let at = from;
    for (; between.has(tokenAt(tokens, at).key) || ['(', '{'].includes(tokenAt(tokens, at).key); at++)
      // A word of the statement may be a name as well.
      addAt(at);
    addAt(at);
  };
  const isOfIndex = ['CREATE', 'DROP'].includes(tokenAt(tokens, 0).key);
  tokens.forEach(({ key, text }, index) => {
    const depth = inList.length - 1;
    if (key === '(') {
      inList.push(inList[depth] === true);
      if (inList[depth] === true) add(index + 1);
    } else if (key === ')') {
      if (depth > 0) inList.pop();
    } else if (lists.has(key)) {
      inList[depth] = true;
      add(index + 1);
    } else if (singles.has(key) || (key === 'ON' && isOfIndex)) add(index + 1);
    else if (ends.has(key) && tokenAt(tokens, index - 1).key !== 'FOR') inList[depth] = false;
    else if (key === ',' && inList[depth] === true) add(index + 1);
    else if (keywordsAt(tokens, index, 'VALUE', 'FOR')) add(index + 2);
    else if (/^(?:next|last|set)val$/i.test(text)) {
      if (tokenAt(tokens, index + 1).key === '(') add(index + 2);
      const before = tokenAt(tokens, index - 1).key === '.' ? tokenAt(tokens, index - 2) : null;
      const schema = tokenAt(tokens, index - 3).key === '.' ? tokenAt(tokens, index - 4).text : null;
      if (before !== null && isName(before)) found.push({ schema, name: before.text });
    }
  });
  return found;
}

/** @returns the names in code that a server keeps. */
export function namesInCode(tokens: readonly Token[], schema: string): Pick<SightText, 'tables' | 'others'> {
  const resolved = (names: readonly QualifiedName[]) => unique(names.map(name => withSchema(name, schema)));
  return { tables: resolved(touchedTables(tokens)), others: resolved(mayBeTables(tokens)) };
}

export function keyOf({ schema, name }: QualifiedName): string {
  return `${schema ?? ''}\0${name}`;
}

function unique(names: readonly QualifiedName[]): readonly QualifiedName[] {
  return [...new Map(names.map(name => [keyOf(name), name])).values()];
}
