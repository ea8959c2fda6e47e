/**
 * Stays attached to the daemon for what waits (spec §12): over one connection, and for a window
 * across the daemon's restarts.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { ControlNotifications, DeskChange } from '../../shared/control-commands.ts';
import { CliError, failed, noDaemon } from '../cli-error.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import type { Terminal } from '../terminal.ts';
import { type Ask, ofClients, waitingAsks } from './asks.ts';
import type { Watching } from './watched.ts';

type Server = Pick<ControlNotifications['server.changed'], 'state' | 'port'>;

export type Ended = NonNullable<DeskChange['ended']>;

interface Told {
  asked(question: Ask): void;
  withdrawn(ended: Ended): void;
  /** All access requests that wait, after each change of them. */
  waiting(requests: readonly Ask[]): void;
  changed?(server: Server): void;
}

export const needsTerminalToAnswer =
  'What waits is shown here, but answered in a terminal: run `sallyport allow --follow` in one. Nobody is asked here.';

const retryMilliseconds = 1_000;

interface Attached {
  /** What waits at that moment; some may have been told already. */
  readonly asks: readonly Ask[];
  /** False if the daemon asks nobody here. */
  readonly attached: boolean;
}

/** @param answers true if a person can answer here. */
export async function attach(client: ControlClient, told: Told, answers: boolean): Promise<Attached> {
  const over = new Set<string>();
  const listed = async (): Promise<void> => told.waiting(requestsOf(await waitingAsks(client)));
  // Listens first, so nothing is lost between the answer and this line.
  client.onNotification(({ method, params }) => {
    if (method === 'server.changed') told.changed?.(params);
    if (method !== 'desk.changed') return;
    const { asked, ended } = params;
    if (ended !== null) {
      over.add(ended.id);
      told.withdrawn(ended);
    } else if (asked?.waits === true) ofClients([asked]).forEach(told.asked);
    // A daemon that ends meanwhile is told by the connection's own end.
    else void listed().catch(() => {});
  });
  const { asks, attached } = await client.ask('desk.attach', { answers });
  return { asks: ofClients(asks).filter(({ id }) => !over.has(id)), attached };
}

export function requestsOf(asks: readonly Ask[]): readonly Ask[] {
  return asks.filter(({ waits }) => !waits);
}

/**
 * Keeps the watched state current until `left`.
 * @param begun called each time it is attached.
 * @throws CliError if no daemon runs at first.
 */
export async function watchDesk(
  terminal: Terminal,
  watching: Watching,
  begun: () => void,
  left: AbortSignal,
): Promise<void> {
  const leaving = new Promise<void>(resolve => left.addEventListener('abort', () => resolve()));
  let wasAttached = false;

  async function stay(client: ControlClient): Promise<void> {
    const came = (ask: Ask): void => {
      terminal.stdout.write('\u0007');
      void findEngine(client, ask, watching);
    };
    const asked = (question: Ask): void => {
      if (watching.add(question)) came(question);
    };
    const waiting = (requests: readonly Ask[]): void => watching.setRequests(requests).forEach(came);
    const changed = (server: Server): void => {
      watching.link = { kind: 'attached', server: serverSentence(server) };
    };
    watching.attached(serverSentence(await client.ask('status', {})));
    const { asks, attached } = await attach(
      client,
      { asked, withdrawn: ended => watching.ended(ended), waiting, changed },
      true,
    );
    if (!attached) throw failed(needsTerminalToAnswer);
    for (const ask of asks) if (ask.waits) asked(ask);
    waiting(requestsOf(asks));
    wasAttached = true;
    begun();
    await Promise.race([client.closed, leaving]);
  }

  while (!left.aborted) {
    let problem = noDaemon().message;
    try {
      await withDaemon(terminal, stay);
    } catch (error) {
      if (!wasAttached || !(error instanceof CliError)) throw error;
      problem = error.message;
    }
    if (left.aborted) return;
    watching.lost(problem);
    await wait(retryMilliseconds, undefined, { signal: left }).catch(() => {});
  }
}

async function findEngine(client: ControlClient, { connection }: Ask, watching: Watching): Promise<void> {
  try {
    watching.engines.set(connection.id, (await client.ask('connections.show', { connection: connection.id })).engine);
  } catch {
    // Goes on without it: the connection was removed, or the daemon has gone, which is reported
    // elsewhere.
  }
}

function serverSentence({ state, port }: Server): string {
  const states: Readonly<Record<Server['state'], string>> = {
    starting: 'a server that is starting',
    ready: 'the server',
    paused: 'the server, paused: no client is answered',
    off: 'the server, switched off: no client is answered',
    stopping: 'a server that is stopping',
  };
  return port === null ? states[state] : `${states[state]}, port ${port}`;
}
