/** All connections, saved or removed, fetched page by page and asked several at once. */

import type { ControlCommands } from '../shared/asked-commands.ts';
import type { ConnectionView, RemovedConnectionView } from '../shared/control-commands.ts';
import type { ControlClient } from './control-client.ts';

export async function everyConnection(client: Pick<ControlClient, 'ask'>): Promise<readonly ConnectionView[]> {
  const all: ConnectionView[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: ControlCommands['connections.list']['result'] = await client.ask('connections.list', { from });
    all.push(...page.connections);
    from = page.next;
  }
  return all;
}

export async function everyRemovedConnection(
  client: Pick<ControlClient, 'ask'>,
): Promise<readonly RemovedConnectionView[]> {
  const all: RemovedConnectionView[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: ControlCommands['connections.removed']['result'] = await client.ask('connections.removed', { from });
    all.push(...page.removed);
    from = page.next;
  }
  return all;
}

/** The daemon answers 32 requests of one shell at once (daemon/shells/socket/control-limits.ts). */
const mostAtOnce = 16;

interface Bounds {
  /** After so long no further one is asked. */
  readonly milliseconds?: number;
  /** Told how many have answered, after each. */
  readonly told?: (answered: number) => void;
}

/**
 * Side by side, as each waits for its own server.
 * @returns in the order of the connections; without those that there was no time for.
 */
export async function askOfEach<Answer>(
  connections: readonly ConnectionView[],
  ask: (connection: ConnectionView) => Promise<Answer>,
  { milliseconds = Number.POSITIVE_INFINITY, told = () => {} }: Bounds = {},
): Promise<Answer[]> {
  const began = performance.now();
  const answers = new Map<number, Answer>();
  const left = connections.entries();
  const askInTurn = async (): Promise<void> => {
    for (const [at, connection] of left) {
      if (performance.now() - began >= milliseconds) return;
      answers.set(at, await ask(connection));
      told(answers.size);
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, askInTurn));
  return [...answers].toSorted(([one], [other]) => one - other).map(([, answer]) => answer);
}
