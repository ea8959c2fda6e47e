/**
 * The time limits of a statement on the server: the lower of ours and those that a session begins
 * with, which its server or user has.
 */

import { lockMilliseconds, serverSeconds } from '../../call-clock.ts';
import type { CallContext, SessionKind } from '../../engine.ts';
import { type OwnLimits, type ServerKind, type Session, unlimited } from '../session.ts';
import { withoutLead } from './emptiness.ts';
import { rowsOf } from './rows-of.ts';

/** A limit in force, and its name if it is the server's own. */
interface Limit {
  readonly seconds: number;
  readonly servers: string | null;
}

export interface TimeLimits {
  readonly statement: Limit;
  /** `isShort`: it is shorter than the call's time allows. */
  readonly lock: Limit & { readonly isShort: boolean };
  /** Whether the server knows the statement's limit: MySQL's is for a SELECT that only reads. */
  readonly isServers: boolean;
  /** What a SET sets. */
  readonly sql: string;
}

/** How long a statement of a `rollback` session waits for a lock. */
const rollbackLockSeconds = 2;
/**
 * A trial that waits for nothing is in no deadlock, in which InnoDB kills the smaller transaction.
 * MySQL's least is a second.
 */
const trialLockSeconds = { mariadb: 0, mysql: 1 } as const;

/** An EXPLAIN is one for MySQL too. */
const isSelect = /^(?:select|with|table|values|explain|describe|desc|\()/i;

export interface HowToLimit {
  /** For a trial: it waits for nobody. */
  readonly givesWay?: boolean | undefined;
  /** Left out for our own questions, which are SELECTs. */
  readonly sql?: string;
}

export function timeLimits(
  kind: SessionKind,
  { server, own }: Pick<Session, 'server' | 'own'>,
  context: Pick<CallContext, 'clock' | 'timeoutSeconds'>,
  { givesWay = false, sql = 'select' }: HowToLimit = {},
): TimeLimits {
  const seconds = serverSeconds(context);
  // Whole seconds, and sooner than the statement's own limit: its error says what was waited for.
  const ofStatement = Math.max(1, Math.floor(lockMilliseconds(seconds * 1_000) / 1_000));
  const ours = givesWay ? trialLockSeconds[server] : kind === 'rollback' ? rollbackLockSeconds : ofStatement;
  const [tableLock, rowLock] = [Math.min(ours, own.tableLock), Math.min(ours, own.rowLock)];
  const most = Math.min(seconds, own.statement);
  const name = statementLimit[server];
  const limited = server === 'mariadb' ? `${name} = ${most}` : `${name} = ${Math.ceil(most * 1_000)}`;
  const isServers = server === 'mariadb' || (kind === 'read' && isSelect.test(withoutLead(sql)));
  return {
    statement: isServers ? { seconds: most, servers: most < seconds ? name : null } : { seconds, servers: null },
    lock: {
      seconds: Math.min(tableLock, rowLock),
      isShort: Math.min(tableLock, rowLock) < ofStatement,
      servers: rowLock < ours ? 'innodb_lock_wait_timeout' : tableLock < ours ? 'lock_wait_timeout' : null,
    },
    isServers,
    sql: `SESSION ${limited}, SESSION lock_wait_timeout = ${tableLock}, SESSION innodb_lock_wait_timeout = ${rowLock}`,
  };
}

/** The server's variable. */
export const statementLimit: Readonly<Record<ServerKind, string>> = {
  mariadb: 'max_statement_time',
  mysql: 'max_execution_time',
};

/** Asks a session that nobody has set anything in; a server without one of them has none. */
export async function askLimits(session: Session): Promise<OwnLimits> {
  const names = [statementLimit[session.server], 'innodb_lock_wait_timeout', 'lock_wait_timeout'];
  const [row] = await rowsOf(session, `SELECT ${names.map(name => `@@SESSION.${name}`).join(', ')}`);
  const [statement = 0, rowLock = 0, tableLock = 0] = row?.map(Number) ?? [];
  if (row === undefined || row.some(cell => Number.isNaN(Number(cell)))) return unlimited;
  const seconds = session.server === 'mariadb' ? statement : statement / 1_000;
  return { statement: seconds || Number.POSITIVE_INFINITY, rowLock, tableLock };
}
