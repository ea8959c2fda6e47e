/** Puts a database's failure into words for a client: the error word, and what to do. */

import { hostsIn } from '../../shared/server-hosts.ts';
import type { Connection } from '../access/connection.ts';
import type { DatabaseFailure } from '../engines/engine.ts';
import { wholeCharacters } from '../engines/shorten.ts';
import { type Refusal, toolError } from '../refusal.ts';
import { type TimeoutRaise, waitedInVain } from './waiting-words.ts';

/** Nothing ran; the statement has to be classified again. */
export const outdated = toolError('query_failed', 'The catalog changed meanwhile; call again.');

/**
 * PostgreSQL quotes a whole cell in a message, and a hostile server sends what it likes: for a
 * model a 900 KB error would cost more than any answer, and no person reads it.
 */
const longestMessage = 4_000;
const messageEnd = 1_000;

/** The beginning of a message and its end, which may hold a position or the nearest names. */
export function shortened(message: string): string {
  if (message.length <= longestMessage) return message;
  const start = wholeCharacters(message, longestMessage - messageEnd);
  const end = wholeCharacters(message, messageEnd, message.length - messageEnd);
  return `${start} […${message.length - start.length - end.length} characters left out…] ${end}`;
}

/** What a refusal tells of a connection, and what it leaves out. */
export type Named = Pick<Connection, 'name'> & Place;
type Place = Pick<Connection, 'host' | 'socketPath' | 'filePath' | 'tunnel'>;

/**
 * The refusal of what was asked to read only.
 * @param time how the call's time can be raised, for the advice after a timeout.
 */
export function refusalOf(failure: DatabaseFailure, named: Named, time: TimeoutRaise = 'fixed'): Refusal {
  const connection = named.name;
  switch (failure.kind) {
    case 'read_only':
      return toolError(
        'denied',
        'The statement would write, and what was asked for only reads.',
        ` The database said: ${shortened(failure.message)}`,
      );
    case 'query_failed': {
      const code = failure.code === null ? '' : ` (${failure.code})`;
      return toolError('query_failed', `${beforeIt(failure)}${shortened(failure.message)}${code}`);
    }
    case 'busy': {
      const { why } = failure;
      if (why.who !== 'server') return waitedInVain(failure, named, time);
      const said = shortened(withoutAddress(why.said, named));
      return waitedInVain({ kind: 'busy', why: { ...why, said } }, named, time);
    }
    case 'not_connected':
      return toolError(
        'not_connected',
        `"${connection}" can't be reached: ${shortened(withoutAddress(failure.message, named))}`,
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
        failure.said === null ? null : ` The server said: ${shortened(withoutAddress(failure.said, named))}`,
      );
    case 'masked':
      return { kind: 'masked', columns: failure.columns };
    case 'not_as_provided':
      return outdated;
    default:
      return waitedInVain(failure, named, time);
  }
}

/** The words before a failure's message: which work before the statement failed; '' for none. */
export function beforeIt({ step }: Extract<DatabaseFailure, { kind: 'query_failed' }>): string {
  if (step === undefined) return '';
  return step === 'set_up'
    ? "The server can't set up the session as Sallyport needs it, so nothing ran. It said: "
    : "The server can't answer a question about its catalog. It said: ";
}

/**
 * The refusal of a statement in a session that may write. If such a session can't write, that is
 * due to a read-only role, a standby or a file, and not to our wall.
 */
export function refusalOfWrite(failure: DatabaseFailure, connection: Named, time?: TimeoutRaise): Refusal {
  if (failure.kind !== 'read_only') return refusalOf(failure, connection, time);
  return toolError('denied', 'The database itself lets this connection only read', `: ${shortened(failure.message)}`);
}

/** A message without the server's address, which a client needs for nothing. */
export function withoutAddress(message: string, { host, socketPath, filePath, tunnel }: Place): string {
  if (filePath !== null) return message.replaceAll(` ${filePath}`, '');
  const hops = tunnel?.kind === 'ssh' ? [tunnel.destination, ...tunnel.jumps].map(hostOfHop) : [];
  const hosts = [...(hostsIn(host ?? 'localhost') ?? []).map(one => one.host), ...hops];
  const places = [...hosts, ...(socketPath === null ? [] : [socketPath])].map(place => place.replace(/\W/g, '\\$&'));
  const written = `(?<![\\w.-])\\[?(?:${places.join('|')})\\]?(?::\\d{1,5})?(?![\\w-])`;
  // Pattern excused: of names that a person saved, escaped, and a message has 64 KiB at most.
  const all = new RegExp(`${written}(?: or ${written})*`, 'gi');
  const told = message.replace(all, 'its address');
  return tunnel?.kind === 'ssh' ? withoutSaid(told).replace(sshHost, '$1its address') : told;
}

/**
 * A message without ssh's own line, which may name a host that no connection names: an alias in
 * ~/.ssh/config stands for it.
 */
function withoutSaid(message: string): string {
  const [start, end] = [message.indexOf(' (ssh: '), message.lastIndexOf(')')];
  return start < 0 || end < start ? message : message.slice(0, start) + message.slice(end + 1);
}

const sshHost =
  /\b(SSH (?:host key of |server (?=\S+ can't be reached)|host (?=\S+ is unknown)|could not sign in at ))[^\s,]+/g;

/** The host of a hop, without `user@` and `:port`. */
function hostOfHop(hop: string): string {
  return hop.slice(hop.lastIndexOf('@') + 1).replace(/:\d{1,5}$/, '');
}
