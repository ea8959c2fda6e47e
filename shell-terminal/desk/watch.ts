/**
 * Stays attached to the daemon for what waits (spec §12): over one connection, and for a window
 * across the daemon's restarts.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { ControlNotifications } from '../../shared/control-commands.ts';
import { CliError, failed, noDaemon } from '../cli-error.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import type { Terminal } from '../terminal.ts';
import { type Ask, type Ended, ofClients } from './asks.ts';
import type { Watching } from './watched.ts';

type Server = Pick<ControlNotifications['server.changed'], 'state' | 'port'>;

interface Told {
  /** New, or changed. */
  asked(ask: Ask): void;
  ended(ended: Ended): void;
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
  // Listens first, so nothing is lost between the answer and this line.
  client.onNotification(({ method, params }) => {
    if (method === 'server.changed') told.changed?.(params);
    if (method !== 'desk.changed') return;
    const { asked, ended } = params;
    if (asked !== null) ofClients([asked]).forEach(told.asked);
    if (ended === null) return;
    over.add(ended.id);
    told.ended(ended);
  });
  const { asks, attached } = await client.ask('desk.attach', { answers });
  return { asks: ofClients(asks).filter(({ id }) => !over.has(id)), attached };
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
    const asked = (ask: Ask): void => {
      if (watching.put(ask)) terminal.stdout.write('\u0007');
    };
    const changed = (server: Server): void => {
      watching.link = { kind: 'attached', server: serverSentence(server) };
    };
    watching.attached(serverSentence(await client.ask('status', {})));
    const told = { asked, ended: (ended: Ended) => watching.ended(ended), changed };
    const { asks, attached } = await attach(client, told, true);
    if (!attached) throw failed(needsTerminalToAnswer, 'no_terminal');
    asks.forEach(asked);
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
