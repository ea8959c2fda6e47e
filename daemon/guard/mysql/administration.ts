/**
 * The verdict on each verb that neither queries nor defines. One line per verb, in the manuals'
 * words.
 */

import { namesAt, touchedTables } from './tables.ts';
import { keywordsAt, type Token, tokenAt } from './tokens.ts';
import { destructive, forbidden, inOwnSession, read, say, type Verdict, write } from './verdict.ts';

type Classify = (tokens: readonly Token[]) => Verdict;

const never =
  (sentence: string): Classify =>
  () =>
    forbidden(sentence);

const each = (verbs: string, classify: Classify): [string, Classify][] =>
  verbs.split(' ').map(verb => [verb, classify]);

export const administration: ReadonlyMap<string, Classify> = new Map([
  ...each('BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE XA', classifyTransaction),
  ...each(
    'USE',
    never('USE moves the connection to another database; name the database in the call or qualify names.'),
  ),
  ...each(
    'PREPARE EXECUTE DEALLOCATE',
    never('Prepared SQL from strings can hide anything; send the statement itself.'),
  ),
  ...each('DO', never('DO runs expressions for their effect alone; use SELECT to see a value.')),
  ...each('HANDLER', never('HANDLER keeps a cursor open in the session; use SELECT.')),
  ...each(
    'IF CASE LOOP WHILE REPEAT FOR DECLARE RETURN ITERATE LEAVE OPEN FETCH CLOSE GOTO EXIT RAISE ELSE END LABEL',
    never('Code blocks are not run; send single statements.'),
  ),
  ...each('SIGNAL RESIGNAL GET', never('Diagnostics statements belong to stored code.')),
  ...each('LOAD', never('LOAD reads a file of the server or of this machine, or loads indexes into caches.')),
  ...each('IMPORT', never('IMPORT TABLE reads files of the server.')),
  ...each('CHANGE STOP PURGE RESET', never('Replication and its logs are server control.')),
  ...each(
    'KILL',
    never('KILL ends other sessions, which no tool here does; ask the user to do it in a client of their own.'),
  ),
  ...each('SHUTDOWN RESTART CLONE BACKUP CACHE BINLOG', never('Server control is not for clients.')),
  ...each('INSTALL UNINSTALL', never('Plugins and components are code the server loads.')),
  ...each(
    'DELIMITER',
    never(
      'DELIMITER is a command of the command-line client; send each statement by itself, without it and with nothing behind its END.',
    ),
  ),
  ...each(
    'SOURCE EGO GO PAGER NOPAGER TEE NOTEE PROMPT REHASH CONNECT EDIT PRINT CHARSET CLEAR QUIT SYSTEM STATUS WARNINGS NOWARNING',
    never('A command of the command-line client, not SQL; send SQL.'),
  ),
  ...each('GRANT REVOKE', () => destructive(say('Grants change who may do what.'), inOwnSession)),
  ...each('SET', classifySet),
  ...each('FLUSH', classifyFlush),
  ...each('LOCK UNLOCK', classifyLock),
  ...each('CALL', classifyCall),
  ...each('ANALYZE OPTIMIZE REPAIR CHECK', classifyMaintenance),
  ...each('CHECKSUM', classifyChecksum),
  ...each('HELP', classifyHelp),
]);

function classifyTransaction(tokens: readonly Token[]): Verdict {
  if (keywordsAt(tokens, 0, 'BEGIN') && tokens.length > 1 && tokenAt(tokens, 1).key !== 'WORK') {
    return forbidden('Code blocks are not run; send single statements.');
  }
  const verbs = ['SLAVE', 'SLAVES', 'REPLICA', 'REPLICAS', 'ALL', 'GROUP_REPLICATION', 'SQL_THREAD', 'IO_THREAD'];
  if (verbs.includes(tokenAt(tokens, 1).key)) return forbidden('Replication is server control.');
  return forbidden('Transactions are opened and closed for each statement; send the statement itself.');
}

function classifySet(tokens: readonly Token[]): Verdict {
  if (keywordsAt(tokens, 0, 'SET', 'PASSWORD'))
    return destructive(say('SET PASSWORD changes a credential.'), inOwnSession);
  return forbidden('SET changes the session, the server or the roles in force.');
}

function classifyFlush(tokens: readonly Token[]): Verdict {
  const words = tokens.slice(1).filter(token => !['LOCAL', 'NO_WRITE_TO_BINLOG'].includes(token.key));
  if (words.length === 1 && tokenAt(words, 0).key === 'PRIVILEGES') {
    return destructive(say('FLUSH PRIVILEGES puts the grant tables into force for the whole server.'), inOwnSession);
  }
  return forbidden('FLUSH is server control.');
}

function classifyLock(tokens: readonly Token[]): Verdict {
  const verb = tokenAt(tokens, 0).key;
  if (!['TABLE', 'TABLES'].includes(tokenAt(tokens, 1).key) || tokenAt(tokens, 2).key === 'FOR')
    return forbidden(`${verb} of the whole server is server control.`);
  return write(say('%@ TABLES sets or ends table locks.', verb), {
    ...inOwnSession,
    tables: verb === 'LOCK' ? namesAt(tokens, 2) : [],
  });
}

function classifyCall(tokens: readonly Token[]): Verdict {
  const path = tokens.slice(1, 4).map(token => token.text.toLowerCase());
  if (path.includes('execute_prepared_stmt')) return forbidden('This procedure runs SQL from a string.');
  if (tokenAt(tokens, 1).kind !== 'word' && tokenAt(tokens, 1).kind !== 'name')
    return forbidden('CALL without a procedure.');
  const schema = path[1] === '.' ? tokenAt(tokens, 1).text : null;
  const name = schema === null ? tokenAt(tokens, 1).text : tokenAt(tokens, 3).text;
  // A procedure may store into an argument of the form @x.
  const isPlain = !tokens.some(token => token.kind === 'variable');
  return write(say('CALL runs a procedure, which may write.'), {
    calls: [{ schema, name }],
    // The tables of queries in its arguments.
    tables: touchedTables(tokens),
    ...(isPlain && { readsIfCalledDoes: true }),
  });
}

/** Only tables: MariaDB's ANALYZE of a statement is classified elsewhere. */
function classifyMaintenance(tokens: readonly Token[]): Verdict {
  const verb = tokenAt(tokens, 0).key;
  const index = ['LOCAL', 'NO_WRITE_TO_BINLOG'].includes(tokenAt(tokens, 1).key) ? 2 : 1;
  if (!['TABLE', 'TABLES', 'VIEW'].includes(tokenAt(tokens, index).key)) {
    return forbidden(`${verb} of something this gate does not know.`);
  }
  const found = { ...inOwnSession, tables: namesAt(tokens, index + 1) };
  if (verb === 'REPAIR' && tokens.some(token => token.key === 'USE_FRM'))
    return destructive(say('REPAIR TABLE … USE_FRM may lose rows.'), found);
  return write(say('%@ TABLE is maintenance, which the server commits by itself.', verb), found);
}

function classifyChecksum(tokens: readonly Token[]): Verdict {
  if (!['TABLE', 'TABLES'].includes(tokenAt(tokens, 1).key))
    return forbidden('CHECKSUM of something this gate does not know.');
  return read('CHECKSUM TABLE reads rows and adds them up.', { tables: namesAt(tokens, 2) });
}

function classifyHelp(tokens: readonly Token[]): Verdict {
  const topic = tokenAt(tokens, 1);
  const isTopic = tokens.length === 2 && ['word', 'string', 'name'].includes(topic.kind);
  return isTopic ? read("The server's own help.") : forbidden('HELP takes one topic.');
}
