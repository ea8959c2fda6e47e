/**
 * Records sessions, and kills those that the last run left: a server notices a lost client only
 * when it writes to it. Kills only what is provably ours: on the same server, up since before the
 * session was dialled, an id is never reused.
 */

import { uptime } from 'node:os';
import type { Endpoint } from '../../../access/connection.ts';
import type { SessionNote, SessionNotes } from '../../session-notes.ts';
import type { Dial } from '../dial.ts';
import { addressOf } from '../failure.ts';
import type { Session } from '../session.ts';
import { rowsOf } from './rows-of.ts';

/** One address may lead to several servers. */
const identity = "SELECT CONCAT_WS(' ', @@hostname, @@port, @@server_id)";
const endSeconds = 5;
/** The next dial to such an address may reach another server. */
const mostDials = 3;

/** @returns a dial that records each session until its end. */
export function noting(dial: Dial, notes: SessionNotes | undefined): Dial {
  if (notes === undefined) return dial;
  return async (to, timeoutSeconds, signal, at) => {
    const dialled = await dial(to, timeoutSeconds, signal, at);
    if (dialled.kind !== 'done') return dialled;
    const session = dialled.value;
    const stop = (): void => session.destroy();
    signal.addEventListener('abort', stop, { once: true });
    const server = await identityOf(session);
    signal.removeEventListener('abort', stop);
    const { threadId } = session;
    const clocks = { wall: Date.now(), uptime: uptime() };
    // A session whose server doesn't identify itself gets no KILL.
    if (server !== null && !session.dead)
      session.onEnd = notes.opened({ server: addressOf(session.endpoint), identity: server, threadId, ...clocks });
    return dialled;
  };
}

/** Never rejects. */
export async function endLeft(dial: Dial, servers: readonly Endpoint[], notes: readonly SessionNote[]): Promise<void> {
  for (const server of servers) {
    let left: readonly SessionNote[] = notes.filter(note => note.server === addressOf(server));
    for (let dials = 0; dials < mostDials && left.length > 0; dials += 1) left = await endAt(dial, server, left);
  }
}

/** @returns those that belong to another server behind the same address. */
async function endAt(dial: Dial, server: Endpoint, notes: readonly SessionNote[]): Promise<readonly SessionNote[]> {
  const to = { client: 'cancellation', database: null };
  const dialled = await dial(to, endSeconds, AbortSignal.timeout(endSeconds * 1000), server);
  if (dialled.kind !== 'done') return [];
  const session = dialled.value;
  const guard = setTimeout(() => session.destroy(), endSeconds * 1000);
  guard.unref();
  try {
    const reached = await identityOf(session);
    const here = notes.filter(note => note.identity === reached);
    const up = Number((await rowsOf(session, "SHOW GLOBAL STATUS LIKE 'Uptime'"))[0]?.[1] ?? 0);
    const since = { wall: Date.now() - up * 1000, uptime: uptime() - up };
    const running = await rowsOf(session, 'SHOW PROCESSLIST');
    for (const note of here) {
      const isSameServer = since.wall <= Number(note.wall) && since.uptime <= Number(note.uptime);
      const isOurs = running.some(([id, user]) => Number(id) === note.threadId && user === server.user);
      if (isSameServer && isOurs) await session.ask(`KILL ${Number(note.threadId)}`);
    }
    return notes.filter(note => note.identity !== reached);
  } finally {
    clearTimeout(guard);
    session.destroy();
  }
}

async function identityOf(session: Session): Promise<string | null> {
  const [row] = await rowsOf(session, identity);
  return typeof row?.[0] === 'string' ? row[0] : null;
}
