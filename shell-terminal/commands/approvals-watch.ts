/**
 * Stays attached to the daemon for questions (spec §12): as one connection tells them, and for a
 * window over the daemon's restarts.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { ApprovalView, ApprovalWithdrawn, ControlNotifications } from '../../shared/control-commands.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { Ending, failed, noDaemon } from '../ending.ts';
import type { Watching } from '../sheet/watched.ts';
import type { Terminal } from '../terminal.ts';

type Server = Pick<ControlNotifications['server.changed'], 'state' | 'port'>;

interface Told {
  asked(question: ApprovalView): void;
  withdrawn(withdrawal: ApprovalWithdrawn): void;
  changed?(server: Server): void;
}

export const notAskedHere =
  'Questions are shown here, but answered in a terminal: run `sallyport approvals --follow` in one. Nobody is asked here.';

const retryMilliseconds = 1_000;

interface Attached {
  /** Open at that moment; some of it may have been told by then. */
  readonly questions: readonly ApprovalView[];
  /** False where the daemon asks nobody here. */
  readonly attached: boolean;
}

/** @param answers whether a person can answer here. */
export async function attach(client: ControlClient, told: Told, answers: boolean): Promise<Attached> {
  const over = new Set<string>();
  // Listening first: a question that comes between the answer and this line would be lost.
  client.onNotification(({ method, params }) => {
    if (method === 'approval.asked') told.asked(params);
    if (method === 'approval.withdrawn') {
      over.add(params.id);
      told.withdrawn(params);
    }
    if (method === 'server.changed') told.changed?.(params);
  });
  const { questions, attached } = await client.ask('approvals.attach', { answers });
  return { questions: questions.filter(({ id }) => !over.has(id)), attached };
}

/**
 * Keeps what is watched as it is until `left`.
 * @param begun called at each time it is attached.
 * @throws Ending where there is no daemon at first.
 */
export async function watchApprovals(
  terminal: Terminal,
  watching: Watching,
  told: Pick<Told, 'withdrawn'>,
  begun: () => void,
  left: AbortSignal,
): Promise<void> {
  const leaving = new Promise<void>(resolve => left.addEventListener('abort', () => resolve()));
  let wasAttached = false;

  async function stay(client: ControlClient): Promise<void> {
    const asked = (question: ApprovalView): void => {
      if (watching.questions.has(question.id)) return;
      watching.questions.set(question.id, question);
      terminal.stdout.write('\u0007');
      void findEngine(client, question, watching);
    };
    const changed = (server: Server): void => {
      watching.link = { kind: 'attached', server: serverSentence(server) };
    };
    watching.attached(serverSentence(await client.ask('status', {})));
    const { questions, attached } = await attach(client, { ...told, asked, changed }, true);
    if (!attached) throw failed(notAskedHere);
    questions.forEach(asked);
    wasAttached = true;
    begun();
    await Promise.race([client.closed, leaving]);
  }

  while (!left.aborted) {
    let problem = noDaemon().message;
    try {
      await withDaemon(terminal, stay);
    } catch (error) {
      if (!wasAttached || !(error instanceof Ending)) throw error;
      problem = error.message;
    }
    if (left.aborted) return;
    watching.lost(problem);
    await wait(retryMilliseconds, undefined, { signal: left }).catch(() => {});
  }
}

async function findEngine(client: ControlClient, { connection }: ApprovalView, watching: Watching): Promise<void> {
  try {
    watching.engines.set(connection.id, (await client.ask('connections.show', { connection: connection.id })).engine);
  } catch {
    // Shown without it: the connection was removed, or the daemon has gone, which is told
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
