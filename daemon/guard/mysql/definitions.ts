/**
 * Classifies CREATE. It is a write; destructive if it replaces data or stores code; forbidden if it
 * reaches out of the database.
 */

import { keptByIndex } from './kept-by-alter.ts';
import { itemsOf } from './question.ts';
import { keptInside } from './storage-engines.ts';
import { blockEnds } from './stored-code.ts';
import { nameAt, namesAt, touchedTables } from './tables.ts';
import { hasKeywords, isName, keywordsAt, outsideParentheses, type Token, tokenAt } from './tokens.ts';
import { destructive, forbidden, inOwnSession, type Reason, say, type Verdict, write } from './verdict.ts';

const storedCode = new Set(['FUNCTION', 'PROCEDURE', 'TRIGGER', 'EVENT', 'PACKAGE', 'LIBRARY']);

const kinds = new Set([
  ...storedCode,
  ...'TABLE VIEW INDEX DATABASE SCHEMA USER ROLE SERVER SEQUENCE TABLESPACE LOGFILE RESOURCE CATALOG'.split(' '),
]);

/**
 * Index of the kind, after CREATE and what may follow it: OR REPLACE, DEFINER = CURRENT_USER(),
 * ALGORITHM = x, SQL SECURITY x, …
 */
export function kindAt(tokens: readonly Token[]): number {
  for (let index = 1; index < tokens.length; index++) {
    const { key } = tokenAt(tokens, index);
    if (key === ';' || key === 'AS' || (key === '(' && tokenAt(tokens, index + 1).key !== ')')) return -1;
    const isDefiner = tokenAt(tokens, index - 1).key === '=' || tokenAt(tokens, index - 1).text === '@';
    if (kinds.has(key) && !isDefiner) return index;
    if (key === 'SPATIAL' && keywordsAt(tokens, index + 1, 'REFERENCE')) return index;
  }
  return -1;
}

export function isStoredCode(tokens: readonly Token[]): boolean {
  const kind = tokenAt(tokens, kindAt(tokens)).key;
  return (tokenAt(tokens, 0).key === 'CREATE' || tokenAt(tokens, 0).key === 'ALTER') && storedCode.has(kind);
}

export function classifyCreate(tokens: readonly Token[], schema: string | null): Verdict {
  const index = kindAt(tokens);
  const kind = tokenAt(tokens, index).key;
  const replaces = keywordsAt(tokens, 1, 'OR', 'REPLACE');
  if (kind === '') return forbidden('CREATE of something this gate does not know.');
  if (kind === 'USER' || kind === 'ROLE')
    return destructive(say('CREATE %@ changes who may do what.', kind), inOwnSession);
  if (hasKeywords(tokens, 'EXTERNAL', 'TABLE')) return forbidden('An external table reaches out of this server.');
  if (kind === 'SERVER') return forbidden('CREATE SERVER names another host for the server to reach.');
  if (kind === 'RESOURCE') return forbidden('CREATE RESOURCE GROUP controls the server.');
  if (kind === 'LOGFILE' || hasKeywords(tokens, 'DATAFILE'))
    return forbidden(`CREATE ${kind} places a file on the server.`);
  if (storedCode.has(kind)) return classifyStoredCode(tokens, kind);
  const reach = outsideReach(tokens);
  if (reach !== null) return forbidden(reach);
  if (replaces && ['TABLE', 'INDEX', 'DATABASE', 'SCHEMA', 'SEQUENCE', 'CATALOG', 'SPATIAL'].includes(kind)) {
    return destructive(say('CREATE OR REPLACE %@ drops what has that name.', kind), {
      ...inOwnSession,
      tables: created(tokens, index, kind),
    });
  }
  const tables = created(tokens, index, kind);
  const unknown = notKeeping(tokens, index);
  if (unknown !== null) return destructive(unknown, { ...inOwnSession, tables });
  if (replaces && kind === 'VIEW') {
    const question = itemsOf('replaced', tables.slice(0, 1), schema);
    return write(say('CREATE OR REPLACE VIEW adds a definition.'), { ...inOwnSession, tables: tables, question });
  }
  if (kind === 'INDEX') {
    const isUnique = tokenAt(tokens, index - 1).key === 'UNIQUE';
    const effect = isUnique ? 'constrains' : keptByIndex(tokens.slice(index));
    const question = itemsOf(effect === 'keeps' ? 'altered' : 'constrained', tables.slice(0, 1), schema);
    return write(say('CREATE INDEX adds a definition.'), { ...inOwnSession, tables, question });
  }
  const isTemporary = kind === 'TABLE' && tokenAt(tokens, index - 1).key === 'TEMPORARY';
  const what = isTemporary ? 'TEMPORARY TABLE' : kind;
  return write(say('CREATE %@ adds a definition and loses nothing.', what), {
    needsOwnSession: !isTemporary,
    tables,
  });
}

/**
 * What may stand between CREATE and the kind. Any other word makes it another kind, such as JSON
 * DUALITY VIEW.
 */
const kindsThatKeep: ReadonlyMap<string, RegExp> = new Map([
  ['TABLE', /^(TEMPORARY)?$/],
  ['INDEX', /^(ONLINE |OFFLINE )?(UNIQUE|FULLTEXT|SPATIAL|VECTOR)?$/],
  ['DATABASE', /^$/],
  ['SCHEMA', /^$/],
  ['SEQUENCE', /^(TEMPORARY)?$/],
]);

/**
 * @param kindIndex index of the kind.
 * @returns why it isn't known to leave everything that exists as it is, or null.
 */
function notKeeping(tokens: readonly Token[], kindIndex: number): Reason | null {
  const kind = tokenAt(tokens, kindIndex).key;
  const start = keywordsAt(tokens, 1, 'OR', 'REPLACE') ? 3 : 1;
  const before = tokens.slice(start, kindIndex).map(({ key }) => key);
  const isKnown =
    kind === 'VIEW' ? isViewsOwn(tokens.slice(start, kindIndex)) : kindsThatKeep.get(kind)?.test(before.join(' '));
  if (isKnown !== true)
    return say('CREATE %@ is not known to keep what is there.', [...before, kind].join(' ').slice(0, 60));
  if (kind !== 'TABLE') return null;
  const query = queryOf(tokens);
  const own = outsideParentheses(query < 0 ? tokens : tokens.slice(0, query));
  const engines = own.flatMap(({ key }, index) => {
    const value = tokenAt(own, tokenAt(own, index + 1).key === '=' ? index + 2 : index + 1);
    const isOption = key === 'ENGINE' && index > kindIndex + 1 && (isName(value) || value.kind === 'string');
    return isOption ? [value.text.toUpperCase()] : [];
  });
  const other = engines.find(engine => !keptInside.has(engine));
  return other === undefined ? null : say('A table with ENGINE=%@ is not known to keep rows of its own.', other);
}

/** ALGORITHM = x DEFINER = y SQL SECURITY z, in any order: names and values, no further words. */
function isViewsOwn(tokens: readonly Token[]): boolean {
  for (let index = 0; index < tokens.length; ) {
    const { key } = tokenAt(tokens, index);
    if (key === 'ALGORITHM' && tokenAt(tokens, index + 1).key === '=') index += 3;
    else if (key === 'SQL' && tokenAt(tokens, index + 1).key === 'SECURITY') index += 3;
    else if (key === 'DEFINER' && tokenAt(tokens, index + 1).key === '=') {
      index += 3;
      // CURRENT_USER(), 'a'@'host'
      if (tokenAt(tokens, index).key === '(') index += 2;
      while (tokenAt(tokens, index).kind === 'variable' || tokenAt(tokens, index).kind === 'string') index++;
    } else return false;
  }
  return true;
}

function created(tokens: readonly Token[], index: number, kind: string): Verdict['tables'] {
  const from =
    kind === 'INDEX' ? tokens.findIndex((token, position) => position > index && token.key === 'ON') + 1 : index + 1;
  if (!['TABLE', 'VIEW', 'SEQUENCE', 'INDEX'].includes(kind) || from === 0) return [];
  const exists = keywordsAt(tokens, from, 'IF', 'NOT', 'EXISTS') ? from + 3 : from;
  const target = nameAt(tokens, exists);
  const query = queryOf(tokens);
  const like = tokens.findIndex(token => token.key === 'LIKE');
  const read =
    query >= 0
      ? touchedTables(tokens.slice(query))
      : like > 0 && kind === 'TABLE'
        ? namesAt(tokens, like + 1).slice(0, 1)
        : [];
  return target === null ? read : [target.name, ...read];
}

/**
 * @returns the index of the query in CREATE TABLE … AS or CREATE VIEW, without its opening
 *   parentheses; -1 if there is none.
 */
export function queryOf(tokens: readonly Token[]): number {
  const kind = kindAt(tokens);
  return tokens.findIndex(
    ({ key }, index) =>
      index > kind + 1 &&
      (key === 'SELECT' ||
        key === 'VALUES' ||
        (key === 'WITH' && tokenAt(tokens, index - 1).key !== ')') ||
        key === 'TABLE'),
  );
}

function classifyStoredCode(tokens: readonly Token[], kind: string): Verdict {
  if (hasKeywords(tokens, 'SONAME')) return forbidden('SONAME loads code into the server.');
  const language = tokens.findIndex(token => token.key === 'LANGUAGE');
  const name = tokenAt(tokens, language + 1).text.toUpperCase();
  if (
    language > 0 &&
    kind !== 'TRIGGER' &&
    kind !== 'EVENT' &&
    !['SQL', 'JAVASCRIPT'].includes(name) &&
    isName(tokenAt(tokens, language + 1))
  ) {
    return forbidden('Code in a language other than SQL would run in the server.');
  }
  if (!blockEnds(tokens)) return forbidden('More than one statement was sent; send one at a time.');
  const reach = outsideReach(tokens);
  if (reach !== null) return forbidden(reach);
  return destructive(say('%@ %@ stores code that runs later.', tokenAt(tokens, 0).key, kind), inOwnSession);
}

/** Engines whose tables live on other hosts or in files that the definition names. */
const reachingEngines = new Set([
  'FEDERATED',
  'FEDERATEDX',
  'CONNECT',
  'SPIDER',
  'S3',
  'CASSANDRA',
  'OQGRAPH',
  'MROONGA',
  'SPHINX',
  'NDB',
  'NDBCLUSTER',
  'HANDLERSOCKET',
]);

/** @returns why a table definition reaches out of the database, or null. */
export function outsideReach(tokens: readonly Token[]): string | null {
  for (let index = 0; index < tokens.length; index++) {
    const token = tokenAt(tokens, index);
    const equals = tokenAt(tokens, index + 1).key === '=' ? index + 2 : index + 1;
    const value = tokenAt(tokens, equals);
    if (token.key === 'ENGINE' || (token.key === 'TYPE' && tokenAt(tokens, index + 1).key === '=')) {
      if (reachingEngines.has(value.text.toUpperCase()))
        return `ENGINE=${value.text.toUpperCase()} reaches out of this server.`;
    }
    if (token.key === 'CONNECTION' && value.kind === 'string') return 'CONNECTION names another host.';
    if ((token.key === 'DATA' || token.key === 'INDEX') && keywordsAt(tokens, index + 1, 'DIRECTORY')) {
      const path = tokenAt(tokens, index + 2).key === '=' ? index + 3 : index + 2;
      if (tokenAt(tokens, path).kind === 'string') return `${token.key} DIRECTORY names a path on the server.`;
    }
    if (token.key === 'WRAPPER' && keywordsAt(tokens, index - 2, 'FOREIGN', 'DATA'))
      return 'A foreign data wrapper reaches another host.';
  }
  return null;
}
