/** The verdict on each single statement of a stored body. */

import { type ReasonPart, say } from '../reason.ts';
import type { QualifiedName, StatementClass } from '../types.ts';
import { isPartOfQuery } from './query.ts';
import type { Change, KeyValue } from './question.ts';
import { classifyRunnable } from './runnable.ts';
import { classifyTokens, unknownVerb } from './statements.ts';
import { closingParenthesis, isName, keywordsAt, type Token, tokenAt } from './tokens.ts';

export interface Stored {
  readonly class: StatementClass;
  /** Completes "adv.f() …". */
  readonly why: readonly ReasonPart[];
  readonly changes?: readonly QualifiedName[];
  readonly change?: Change;
  readonly by?: readonly KeyValue[];
  /** True if what it does can't be counted, or can't be taken back. */
  readonly isUncounted?: true;
}

const nothing: Stored = { class: 'read', why: say('only reads.') };
const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/**
 * Control flow and expressions. The functions that these call are found among the calls of the
 * whole body.
 */
const flow = words(
  'IF ELSEIF CASE WHEN WHILE UNTIL FOR END RETURN DECLARE OPEN FETCH CLOSE LEAVE ITERATE SIGNAL RESIGNAL NULL DO EXIT CONTINUE RAISE GOTO',
);
/**
 * A client's procedure in a session of its own may end and begin transactions, so these aren't
 * reads.
 */
const transactions = words('COMMIT ROLLBACK START SAVEPOINT RELEASE XA LOCK UNLOCK BEGIN');
const dml = words('INSERT REPLACE UPDATE DELETE');
const queries = words('SELECT WITH VALUES TABLE (');
const sessionVariables =
  /^(sql_|tx_|transaction_|max_|min_|character_set_|collation_|optimizer_|innodb_|gtid_|binlog_|pseudo_|group_concat_|default_|net_|wait_|lock_wait|foreign_key_checks|unique_checks|autocommit|timestamp|insert_id|last_insert_id|rand_seed|time_zone|lc_|names$|server_id|debug|identity$|session_track|low_priority|read_only|secure_|general_log|slow_query|log_)/i;

/** @param schema where names without a schema are looked up. */
export function classifyStored(statement: readonly Token[], kind: 'routine' | 'trigger', schema: string): Stored {
  const { key } = tokenAt(statement, 0);
  if (flow.has(key)) return hiddenIn(statement) ?? nothing;
  if (queries.has(key)) return classifyQueryIn(statement);
  if (dml.has(key)) return classifyDml(statement, kind);
  if (transactions.has(key)) return { class: 'write', why: say('controls transactions or locks.'), isUncounted: true };
  if (key === 'SET') return classifySet(statement);
  if (key === 'CALL') return nothing;
  if (key === 'GET') {
    const stores = statement.some(token => token.kind === 'variable');
    return stores ? { class: 'write', why: say('sets a variable of the session.') } : nothing;
  }
  if (['PREPARE', 'EXECUTE', 'DEALLOCATE'].includes(key) || keywordsAt(statement, 0, 'DROP', 'PREPARE'))
    return classifyDynamic(statement);
  if (tokenAt(statement, 1).key === 'TEMPORARY' && ['CREATE', 'DROP'].includes(key))
    return { class: 'write', why: say('makes or removes a temporary table.') };
  // Oracle mode: a := 1, or a procedure without CALL.
  if (isName(tokenAt(statement, 0)) && tokenAt(statement, 1).key === ':=') return nothing;
  return ofClassified(statement, schema);
}

function ofClassified(statement: readonly Token[], schema: string): Stored {
  const answer = classifyTokens(statement, schema);
  const verb = tokenAt(statement, 0).text.toUpperCase().slice(0, 40);
  if (answer.class === 'read') return nothing;
  if (answer.class === 'write') return { class: 'write', why: say('holds %@, which writes.', verb), isUncounted: true };
  if (answer.reason === unknownVerb) return hiddenIn(statement) ?? unknown;
  return {
    class: 'destructive',
    why: say('holds %@, which its caller could not run unasked.', verb),
    isUncounted: true,
  };
}

const unknown: Stored = { class: 'write', why: say('holds a statement this gate does not know.'), isUncounted: true };
const changing =
  /^(ALTER|ANALYZE|CALL|CREATE|DELETE|DROP|GRANT|INSERT|KILL|LOAD|OPTIMIZE|PURGE|RENAME|REPLACE|REVOKE|UPDATE)$/;

/** Verbs after flow that wasn't understood, such as Oracle's EXCEPTION WHEN … THEN DELETE. */
function hiddenIn(statement: readonly Token[]): Stored | null {
  const verbs = statement
    .slice(1)
    .filter(({ key }, index) => changing.test(key) && !isPartOfQuery(statement, index + 1));
  const [first] = verbs;
  if (first === undefined) return null;
  const worst = verbs.find(({ key }) => !mildly.test(key));
  return worst === undefined
    ? { class: 'write', why: say('holds %@, which writes.', first.key), isUncounted: true }
    : {
        class: 'destructive',
        why: say('holds %@ where this gate cannot tell how far it goes.', worst.key),
        isUncounted: true,
      };
}

const mildly = /^(INSERT|UPDATE|REPLACE|CALL)$/;

/**
 * SELECT … INTO a, b stores into the code's own variables only, so INTO is left out before the rest
 * is looked at.
 */
function classifyQueryIn(statement: readonly Token[]): Stored {
  let into = -1;
  for (let index = 0; index < statement.length && into < 0; index++) {
    const { key } = tokenAt(statement, index);
    if (key === '(') index = closingParenthesis(statement, index);
    else if (
      key === 'INTO' &&
      isName(tokenAt(statement, index + 1)) &&
      !['OUTFILE', 'DUMPFILE'].includes(tokenAt(statement, index + 1).key)
    )
      into = index;
  }
  let end = into + 2;
  while (into >= 0 && ['.', ','].includes(tokenAt(statement, end).key)) end += 2;
  if (into >= 0 && statement.slice(into, end).some(token => token.kind === 'variable'))
    return { class: 'write', why: say('sets a variable of the session.') };
  const rest = into < 0 ? statement : [...statement.slice(0, into), ...statement.slice(end)];
  const answer = classifyRunnable(rest, 0);
  if (answer === null || answer.class === 'forbidden')
    return { class: 'write', why: say('holds a query this gate does not know.'), isUncounted: true };
  if (dml.has(tokenAt(statement, 0).key) || answer.isDml) return classifyDml(statement, 'routine');
  return answer.class === 'read' ? nothing : { class: 'write', why: say('holds a query that stores or locks.') };
}

function classifyDml(statement: readonly Token[], kind: 'routine' | 'trigger'): Stored {
  const verb = tokenAt(statement, 0).key;
  const answer = classifyRunnable(statement, 0);
  if (answer === null) return { class: 'write', why: say('changes rows.'), isUncounted: true };
  const { changes, change, by } = answer;
  // A trigger may keep a table of a single row up to date, with an UPDATE of every row.
  const destroys = answer.class === 'destructive' && !(kind === 'trigger' && verb === 'UPDATE');
  return destroys
    ? { class: 'destructive', why: say('holds %@ of every row.', verb), changes, change, by }
    : { class: 'write', why: say('holds %@, which changes rows.', verb), changes, change, by };
}

function classifySet(statement: readonly Token[]): Stored {
  const { key } = tokenAt(statement, 1);
  const scope = statement.some(
    ({ key: each, text }) =>
      ['GLOBAL', 'PERSIST', 'PERSIST_ONLY'].includes(each) || /^@@(global|persist\w*)\./i.test(text),
  );
  const isCredential = statement.some(
    ({ key: each }, index) => each === 'PASSWORD' && ['SET', ','].includes(tokenAt(statement, index - 1).key),
  );
  if (scope || isCredential || ['ROLE', 'DEFAULT', 'RESOURCE', 'STATEMENT'].includes(key))
    return {
      class: 'destructive',
      why: say('sets a variable of the server, a password or a role.'),
      isUncounted: true,
    };
  const isSession = statement.some(({ kind, key: each, text }, index) =>
    kind === 'variable'
      ? ['=', ':='].includes(tokenAt(statement, index + 1).key) &&
        ['SET', ','].includes(tokenAt(statement, index - 1).key)
      : ['SESSION', 'LOCAL'].includes(each) ||
        (kind === 'word' &&
          ['=', ':='].includes(tokenAt(statement, index + 1).key) &&
          ['SET', ','].includes(tokenAt(statement, index - 1).key) &&
          sessionVariables.test(text)),
  );
  const isWhole =
    ['TRANSACTION', 'NAMES', 'CHARACTER', 'CHARSET', 'CHAR'].includes(key) && tokenAt(statement, 2).key !== '=';
  return isSession || isWhole ? { class: 'write', why: say('sets a variable of the session.') } : nothing;
}

/** SQL from a string, which may come from the caller's argument. */
function classifyDynamic(statement: readonly Token[]): Stored {
  if (['DEALLOCATE', 'DROP'].includes(tokenAt(statement, 0).key)) return nothing;
  const from = statement.findIndex(({ key }) => key === 'FROM' || key === 'IMMEDIATE');
  // EXECUTE name: its PREPARE was classified.
  if (from < 0) return { class: 'write', why: say('runs a prepared statement.'), isUncounted: true };
  return { class: 'destructive', why: say('runs SQL from a string, which nobody can look into.'), isUncounted: true };
}
