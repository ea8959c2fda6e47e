/** Words a database's failure for a client: the error word, and a sentence on what to do. */

import { hostsIn } from '../../shared/server-hosts.ts';
import type { Connection } from '../access/connection.ts';
import type { DatabaseFailure } from '../engines/engine.ts';
import { wholeCharacters } from '../engines/shorten.ts';
import { type Refusal, toolError } from '../refusal.ts';

/** Nothing ran; the statement has to be classified again. */
export const outdated = toolError('query_failed', 'The catalog changed meanwhile; call again.');

/**
 * PostgreSQL quotes a whole cell in a message: for a model, a 900 KB error would cost more than any
 * answer.
 */
const longestMessage = 4_000;
const messageEnd = 1_000;

/** The beginning and the end, which may hold a position or the nearest names. */
function shortened(message: string): string {
  if (message.length <= longestMessage) return message;
  const start = wholeCharacters(message, longestMessage - messageEnd);
  const end = wholeCharacters(message, messageEnd, message.length - messageEnd);
  return `${start} […${message.length - start.length - end.length} characters left out…] ${end}`;
}

/** Whether a call could ask for more time: `fixed` if its tool has no `timeout_seconds`. */
export type TimeoutRaise = 'can-raise' | 'at-maximum' | 'fixed';

const advised: Readonly<Record<TimeoutRaise, string>> = {
  'can-raise': 'ask for less, or for more time with timeout_seconds.',
  'at-maximum': 'ask for less: no call may take longer.',
  fixed: 'ask for less.',
};

/** What a refusal tells of a connection, and what it leaves out. */
export type Named = Pick<Connection, 'name'> & Place;
type Place = Pick<Connection, 'host' | 'socketPath' | 'filePath' | 'tunnel'>;

export function refusalOf(failure: DatabaseFailure, named: Named, time: TimeoutRaise = 'fixed'): Refusal {
  const connection = named.name;
  switch (failure.kind) {
    case 'read_only':
      return toolError(
        'denied',
        `The statement would write, and what was asked for only reads. The database said: ${shortened(failure.message)}`,
      );
    case 'query_failed': {
      const code = failure.code === null ? '' : ` (${failure.code})`;
      return toolError('query_failed', `${shortened(failure.message)}${code}`);
    }
    case 'timeout':
      return toolError('timeout', `The statement was stopped after ${failure.seconds} s; ${advised[time]}`);
    case 'server_limit':
      return toolError(
        'timeout',
        `The server ended the statement by its own limit, ${failure.limit}, and nothing of it stays; ask for less, or ask the user to raise that limit for the connection's role.`,
      );
    case 'no_free_session':
      return toolError('timeout', noFreeSession(failure, connection, time));
    case 'not_connected':
      return toolError(
        'not_connected',
        `"${connection}" can't be reached: ${shortened(withoutAddress(failure.message, named))}`,
      );
    case 'outcome_unknown':
      return toolError(
        'outcome_unknown',
        `How the statement ended on "${connection}" is not known, for ${failure.reason}: it may have taken effect; look before you repeat it.`,
      );
    case 'unsupported':
      return toolError('unsupported', failure.message);
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'not_committed':
      return toolError(
        'denied',
        ['Nothing was changed: it was rolled back before its commit.', ...failure.remains].join(' '),
      );
    case 'unproved_wall':
      return toolError(
        'denied',
        `Nothing ran: the server of "${connection}" doesn't refuse writes in a transaction that only reads, so nothing but the look at its text would hold a read back. The user may accept that.`,
      );
    case 'not_as_provided':
      return outdated;
  }
}

/**
 * For what ran in a session that may write: the refusal isn't our wall's but a read-only role's, a
 * standby's or a file's.
 */
export function refusalOfWrite(failure: DatabaseFailure, connection: Named, time?: TimeoutRaise): Refusal {
  if (failure.kind !== 'read_only') return refusalOf(failure, connection, time);
  return toolError('denied', `The database itself lets this connection only read: ${shortened(failure.message)}`);
}

/** Where a server is, its person knows; a client needs it for nothing. */
export function withoutAddress(message: string, { host, socketPath, filePath, tunnel }: Place): string {
  if (filePath !== null) return message.replaceAll(` ${filePath}`, '');
  const hops = tunnel?.kind === 'ssh' ? [tunnel.destination, ...tunnel.jumps].map(hostOfHop) : [];
  const hosts = [...(hostsIn(host ?? 'localhost') ?? []).map(one => one.host), ...hops];
  const places = [...hosts, ...(socketPath === null ? [] : [socketPath])].map(place => place.replace(/\W/g, '\\$&'));
  const written = `(?<![\\w.-])\\[?(?:${places.join('|')})\\]?(?::\\d{1,5})?(?![\\w-])`;
  // Pattern excused: of names that a person saved, escaped, and a message has 64 KiB at most.
  const all = new RegExp(`${written}(?: or ${written})*`, 'gi');
  return message.replace(all, 'its address');
}

/** Without `user@` and `:port`. */
function hostOfHop(hop: string): string {
  return hop.slice(hop.lastIndexOf('@') + 1).replace(/:\d{1,5}$/, '');
}

type NoFreeSession = Extract<DatabaseFailure, { kind: 'no_free_session' }>;

function noFreeSession({ seconds, sessions, own }: NoFreeSession, connection: string, time: TimeoutRaise): string {
  const whose = own === sessions ? 'all' : own === 0 ? 'none' : `${own}`;
  const later = `call again later${time === 'can-raise' ? ', or wait for longer with timeout_seconds' : ''}`;
  const advice = own === 0 ? later : 'wait for one of your own to end, or cancel it, then call again';
  return `Nothing ran: all ${sessions} sessions of "${connection}" were busy for ${seconds} s, ${whose} of them with calls of your own; ${advice}.`;
}
