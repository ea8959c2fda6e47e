/**
 * Classifies SHOW and DESCRIBE of a table: metadata, unless it shows a password hash or makes the
 * server load code.
 */

import { calledFunctions, userDefined } from './calls.ts';
import { foreignVerb } from './query.ts';
import { nameAt, touchedTables } from './tables.ts';
import { hasKeywords, isName, keywordsAt, type Token, tokenAt } from './tokens.ts';
import { forbidden, read, type Verdict } from './verdict.ts';

/** What SHOW knows, by the word that names it. */
const subjects = new Set(
  `ALL ANALYZE AUTHORS BINARY BINLOG CHAR CHARACTER CHARSET CLIENT_STATISTICS COLLATION COLUMNS CONTRIBUTORS COUNT CREATE
  DATABASES ENGINE ENGINES ERRORS EVENTS EXPLAIN EXTENDED FIELDS FORMAT FULL FUNCTION GLOBAL GRANTS INDEX INDEXES INDEX_STATISTICS
  INNODB KEYS LIBRARY LOCAL LOCALES MASTER MUTEX OPEN PACKAGE PARSE_TREE PLUGINS PRIVILEGES PROCEDURE PROCESSLIST PROFILE
  PROFILES QUERY_RESPONSE_TIME RELAYLOG REPLICA REPLICAS SCHEMAS SESSION SLAVE STATUS STORAGE TABLE TABLES TABLE_STATISTICS
  TRIGGERS TYPES USER_STATISTICS VARIABLES WARNINGS WSREP_MEMBERSHIP WSREP_STATUS`.split(/\s+/),
);

export function classifyShow(tokens: readonly Token[]): Verdict {
  const subject = tokenAt(tokens, 1);
  if (!subjects.has(subject.key)) return forbidden('SHOW of something this gate does not know.');
  if (['BINLOG', 'RELAYLOG'].includes(subject.key) && hasKeywords(tokens, 'EVENTS'))
    return forbidden("The logs hold other people's statements, passwords in them included.");
  if (subject.key === 'REPLICAS' || hasKeywords(tokens, 'SLAVE', 'HOSTS') || hasKeywords(tokens, 'REPLICA', 'HOSTS'))
    return forbidden('The list of replicas holds their passwords on some servers.');
  if (['PROCEDURE', 'FUNCTION', 'PACKAGE'].includes(subject.key) && hasKeywords(tokens, 'CODE'))
    return forbidden('SHOW … CODE is for debugging the server itself.');
  if (keywordsAt(tokens, 1, 'CREATE', 'USER')) return forbidden('SHOW CREATE USER shows a password hash.');
  if (keywordsAt(tokens, 1, 'CREATE', 'SERVER')) return forbidden('SHOW CREATE SERVER shows a password.');
  if (hasKeywords(tokens, 'SONAME')) return forbidden('SHOW PLUGINS SONAME makes the server load a library.');
  // SHOW PARSE_TREE parses what follows without running it.
  const where = tokens.findIndex(token => token.key === 'WHERE');
  const plain = where < 0 ? tokens : tokens.slice(0, where);
  if (subject.key !== 'PARSE_TREE' && !isPlain(plain)) return forbidden('SHOW in a form this gate does not know.');
  const foreign = where < 0 ? null : foreignVerb(tokens.slice(where));
  if (foreign !== null)
    return forbidden(`${foreign} stands in a condition of SHOW, and this gate knows no such statement; correct it.`);
  const condition = where < 0 ? [] : tokens.slice(where);
  const { unknown, hiding } = userDefined(calledFunctions(condition));
  // SHOW STATUS restores its session's counters when it ends, so the changes of stored code in it
  // wouldn't be counted.
  if (unknown.length + hiding.length + touchedTables(condition).length > 0)
    return forbidden('A query or stored function in a condition of SHOW is not run; SELECT from information_schema.');
  const named = shownTables(plain);
  return read('SHOW gives metadata.', { tables: named, named });
}

/**
 * Everything before WHERE is words, names and literals. The only parentheses are COUNT(*) and
 * CURRENT_USER().
 */
function isPlain(tokens: readonly Token[]): boolean {
  return tokens.every((token, index) => {
    if (token.kind !== 'punctuation') return true;
    if (token.key === '(')
      return (
        keywordsAt(tokens, index - 1, 'COUNT', '(', '*', ')') || keywordsAt(tokens, index - 1, 'CURRENT_USER', '(', ')')
      );
    if (token.key === '*') return keywordsAt(tokens, index - 1, '(', '*', ')');
    return ['.', ',', ')', '-', '='].includes(token.key);
  });
}

export function shownTables(tokens: readonly Token[]): Verdict['tables'] {
  const listed = tokens.findIndex(token => ['COLUMNS', 'FIELDS', 'INDEX', 'INDEXES', 'KEYS'].includes(token.key));
  const created =
    keywordsAt(tokens, 1, 'CREATE') && ['TABLE', 'VIEW', 'SEQUENCE'].includes(tokenAt(tokens, 2).key) ? 3 : -1;
  const from = listed > 0 && ['FROM', 'IN'].includes(tokenAt(tokens, listed + 1).key) ? listed + 2 : created;
  const found = from < 0 ? null : nameAt(tokens, from);
  if (found === null) return [];
  const schema = ['FROM', 'IN'].includes(tokenAt(tokens, found.end).key)
    ? tokenAt(tokens, found.end + 1).text
    : found.name.schema;
  return [{ ...found.name, schema }];
}

/** `DESC t`, `DESC t column`, `EXPLAIN s.t 'col%'`; null if no table follows. */
export function classifyDescribe(tokens: readonly Token[], from: number): Verdict | null {
  const found = nameAt(tokens, from);
  if (found === null) return null;
  const rest = tokens.slice(found.end);
  const column = tokenAt(rest, 0);
  const isColumn = rest.length === 0 || (rest.length === 1 && (isName(column) || column.kind === 'string'));
  return isColumn ? read('The columns of a table.', { tables: [found.name], named: [found.name] }) : null;
}
