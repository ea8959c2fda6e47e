/** Judges CREATE: a write, destructive where it replaces data, forbidden where it reaches out of the database. */

import { blockEnds } from './stored-code.ts';
import { nameAt, touchedTables } from './tables.ts';
import { at, follows, has, isName, type Token } from './tokens.ts';
import { alone, destructive, forbidden, type Verdict, write } from './verdict.ts';

const storedCode = new Set(['FUNCTION', 'PROCEDURE', 'TRIGGER', 'EVENT', 'PACKAGE', 'LIBRARY']);

const kinds = new Set([
  ...storedCode,
  ...'TABLE VIEW INDEX DATABASE SCHEMA USER ROLE SERVER SEQUENCE TABLESPACE LOGFILE RESOURCE CATALOG'.split(' '),
]);

/** Behind CREATE and what may follow it: OR REPLACE, DEFINER = CURRENT_USER(), ALGORITHM = x, SQL SECURITY x, … */
function kindAt(tokens: readonly Token[]): number {
  for (let index = 1; index < tokens.length; index++) {
    const { key } = at(tokens, index);
    if (key === ';' || key === 'AS' || (key === '(' && at(tokens, index + 1).key !== ')')) return -1;
    const isDefiner = at(tokens, index - 1).key === '=' || at(tokens, index - 1).text === '@';
    if (kinds.has(key) && !isDefiner) return index;
    if (key === 'SPATIAL' && follows(tokens, index + 1, 'REFERENCE')) return index;
  }
  return -1;
}

export function isStoredCode(tokens: readonly Token[]): boolean {
  const kind = at(tokens, kindAt(tokens)).key;
  return (at(tokens, 0).key === 'CREATE' || at(tokens, 0).key === 'ALTER') && storedCode.has(kind);
}

export function judgeCreate(tokens: readonly Token[]): Verdict {
  const index = kindAt(tokens);
  const kind = at(tokens, index).key;
  const replaces = follows(tokens, 1, 'OR', 'REPLACE');
  if (kind === '') return forbidden('CREATE of something this gate does not know.');
  if (kind === 'USER' || kind === 'ROLE') return destructive(`CREATE ${kind} changes who may do what.`, alone);
  if (has(tokens, 'EXTERNAL', 'TABLE')) return forbidden('An external table reaches out of this server.');
  if (kind === 'SERVER') return forbidden('CREATE SERVER names another host for the server to reach.');
  if (kind === 'RESOURCE') return forbidden('CREATE RESOURCE GROUP controls the server.');
  if (kind === 'LOGFILE' || has(tokens, 'DATAFILE')) return forbidden(`CREATE ${kind} places a file on the server.`);
  if (storedCode.has(kind)) return judgeStoredCode(tokens, kind);
  const outside = outsideReach(tokens);
  if (outside !== null) return forbidden(outside);
  if (replaces && ['TABLE', 'DATABASE', 'SCHEMA', 'SEQUENCE', 'CATALOG'].includes(kind)) {
    return destructive(`CREATE OR REPLACE ${kind} drops what has that name.`, {
      ...alone,
      tables: created(tokens, index, kind),
    });
  }
  const isTemporary = kind === 'TABLE' && at(tokens, index - 1).key === 'TEMPORARY';
  const what = isTemporary ? 'TEMPORARY TABLE' : kind;
  return write(`CREATE ${what} adds a definition and loses nothing.`, {
    needsOwnSession: !isTemporary,
    tables: created(tokens, index, kind),
  });
}

function created(tokens: readonly Token[], index: number, kind: string): Verdict['tables'] {
  const from =
    kind === 'INDEX' ? tokens.findIndex((token, position) => position > index && token.key === 'ON') + 1 : index + 1;
  if (!['TABLE', 'VIEW', 'SEQUENCE', 'INDEX'].includes(kind) || from === 0) return [];
  const exists = follows(tokens, from, 'IF', 'NOT', 'EXISTS') ? from + 3 : from;
  const target = nameAt(tokens, exists);
  const query = tokens.findIndex(token => token.key === 'SELECT' || token.key === 'WITH');
  const read = query < 0 ? [] : touchedTables(tokens.slice(query));
  return target === null ? read : [target.name, ...read];
}

function judgeStoredCode(tokens: readonly Token[], kind: string): Verdict {
  if (has(tokens, 'SONAME')) return forbidden('SONAME loads code into the server.');
  const language = tokens.findIndex(token => token.key === 'LANGUAGE');
  const name = at(tokens, language + 1).text.toUpperCase();
  if (
    language > 0 &&
    kind !== 'TRIGGER' &&
    kind !== 'EVENT' &&
    !['SQL', 'JAVASCRIPT'].includes(name) &&
    isName(at(tokens, language + 1))
  ) {
    return forbidden('Code in a language other than SQL would run in the server.');
  }
  if (!blockEnds(tokens)) return forbidden('More than one statement was sent; send one at a time.');
  const outside = outsideReach(tokens);
  if (outside !== null) return forbidden(outside);
  return write(`CREATE ${kind} stores code for later.`, alone);
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

/** @returns why a table definition leaves the database, or null. */
export function outsideReach(tokens: readonly Token[]): string | null {
  for (let index = 0; index < tokens.length; index++) {
    const token = at(tokens, index);
    const equals = at(tokens, index + 1).key === '=' ? index + 2 : index + 1;
    const value = at(tokens, equals);
    if (token.key === 'ENGINE' || (token.key === 'TYPE' && at(tokens, index + 1).key === '=')) {
      if (reachingEngines.has(value.text.toUpperCase()))
        return `ENGINE=${value.text.toUpperCase()} reaches out of this server.`;
    }
    if (token.key === 'CONNECTION' && value.kind === 'string') return 'CONNECTION names another host.';
    if ((token.key === 'DATA' || token.key === 'INDEX') && follows(tokens, index + 1, 'DIRECTORY')) {
      const path = at(tokens, index + 2).key === '=' ? index + 3 : index + 2;
      if (at(tokens, path).kind === 'string') return `${token.key} DIRECTORY names a path on the server.`;
    }
    if (token.key === 'WRAPPER' && follows(tokens, index - 2, 'FOREIGN', 'DATA'))
      return 'A foreign data wrapper reaches another host.';
  }
  return null;
}
