/**
 * Stays attached to the daemon for questions (spec §12): over one connection, and for a window
 * across the daemon's restarts.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { ApprovalView, ApprovalWithdrawn, ControlNotifications } from '../../shared/control-commands.ts';
import { CliError, failed, noDaemon } from '../cli-error.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import type { Watching } from '../sheet/watched.ts';
import type { Terminal } from '../terminal.ts';

type Server = Pick<ControlNotifications['server.changed'], 'state' | 'port'>;

interface Told {
  asked(question: ApprovalView): void;
  withdrawn(withdrawal: ApprovalWithdrawn): void;
  changed?(server: Server): void;
}

export const needsTerminalToAnswer =
  'Questions are shown here, but answered in a terminal: run `sallyport approvals --follow` in one. Nobody is asked here.';

const retryMilliseconds = 1_000;

interface Attached {
  /** The questions open at that moment; some may have been notified already. */
  readonly questions: readonly ApprovalView[];
  /** False if the daemon asks nobody here. */
  readonly attached: boolean;
}

/** @param answers true if a person can answer here. */
export async function attach(client: ControlClient, told: Told, answers: boolean): Promise<Attached> {
  const over = new Set<string>();
  // Listens first, so no question is lost between the answer and this line.
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
 * Keeps the watched state current until `left`.
 * @param begun called each time it is attached.
 * @throws CliError if no daemon runs at first.
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
    if (!attached) throw failed(needsTerminalToAnswer);
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
      if (!wasAttached || !(error instanceof CliError)) throw error;
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
