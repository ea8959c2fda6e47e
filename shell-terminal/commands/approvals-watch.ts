/** Stays attached to the daemon and keeps what a window shows of it, over the daemon's restarts (spec §12). Draws and answers nothing. */

import { setTimeout as wait } from 'node:timers/promises';
import type { ControlNotification } from '../../shared/control.ts';
import type { ApprovalView, ApprovalWithdrawn, ControlNotifications } from '../../shared/control-commands.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { Ending, noDaemon } from '../ending.ts';
import { asked, attached, engineKnown, lost, nothingWatched, type Watched, withdrawn } from '../sheet/watched.ts';
import type { Terminal } from '../terminal.ts';

export interface Watch {
  readonly watched: () => Watched;
  change(change: (watched: Watched) => Watched): void;
  /** Called at each change, until the returned function is. */
  onChange(changed: () => void): () => void;
  /** Until the returned function is called, how this question ends is told to `ended` alone. */
  answering(id: string, ended: (withdrawal: ApprovalWithdrawn) => void): () => void;
  /** Resolves once attached for the first time. @throws Ending where there is no daemon then. */
  readonly attached: Promise<void>;
  /** Resolves after `end`. */
  readonly ended: Promise<void>;
  end(): void;
}

const retryMilliseconds = 1_000;

export function watchApprovals(terminal: Terminal): Watch {
  const ending = new AbortController();
  const asksEnd = new Promise<void>(resolve => ending.signal.addEventListener('abort', () => resolve()));
  const listeners = new Set<() => void>();
  const answered = new Map<string, (withdrawal: ApprovalWithdrawn) => void>();
  let watched = nothingWatched;
  const change: Watch['change'] = changed => {
    watched = changed(watched);
    for (const listener of listeners) listener();
  };

  function take(client: ControlClient, { method, params }: ControlNotification): void {
    // The daemon has proved itself, so what it sends has the form that both sides' types say.
    if (method === 'approval.asked') {
      const question = params as unknown as ApprovalView;
      change(before => asked(before, question));
      void findEngine(client, question);
    } else if (method === 'approval.withdrawn') {
      const withdrawal = params as unknown as ApprovalWithdrawn;
      const tell = answered.get(withdrawal.id);
      if (tell === undefined) change(before => withdrawn(before, withdrawal, 'elsewhere', Date.now()));
      else tell(withdrawal);
    } else if (method === 'server.changed') {
      const server = serverSentence(params as unknown as Server);
      change(before => ({ ...before, link: { kind: 'attached', server } }));
    }
  }

  async function findEngine(client: ControlClient, { connection }: ApprovalView): Promise<void> {
    try {
      const { engine } = await client.ask('connections.show', { connection: connection.id });
      change(before => engineKnown(before, connection.id, engine));
    } catch {
      // Shown without it: the connection was removed, or the daemon has gone, which is told elsewhere.
    }
  }

  async function attach(client: ControlClient, begun: () => void): Promise<void> {
    // Listening first: a question that comes between the answer and this line would be lost.
    client.onNotification(notification => take(client, notification));
    const { questions } = await client.ask('approvals.attach', { answers: true });
    const status = await client.ask('status', {});
    change(before => attached(before, serverSentence(status), questions, Date.now()));
    begun();
    for (const question of questions) void findEngine(client, question);
    await Promise.race([client.closed, asksEnd]);
  }

  async function stay(begun: () => void): Promise<void> {
    let wasAttached = false;
    while (!ending.signal.aborted) {
      let problem = noDaemon().message;
      try {
        await withDaemon(terminal, client =>
          attach(client, () => {
            wasAttached = true;
            begun();
          }),
        );
      } catch (error) {
        if (!wasAttached || !(error instanceof Ending)) throw error;
        problem = error.message;
      }
      if (ending.signal.aborted) return;
      change(before => lost(before, problem, Date.now()));
      await wait(retryMilliseconds, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  let begin = (): void => {};
  const begun = new Promise<void>(resolve => {
    begin = resolve;
  });
  const ended = stay(() => begin());
  return {
    watched: () => watched,
    change,
    onChange(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    answering(id, tell) {
      answered.set(id, tell);
      return () => void answered.delete(id);
    },
    attached: Promise.race([begun, ended]),
    ended,
    end: () => ending.abort(),
  };
}

type Server = Pick<ControlNotifications['server.changed'], 'state' | 'port'>;

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
