/**
 * A shell that says what it likes beside a request, in the form that the app has, and keeps each
 * answer as it came.
 */

import type { DaemonInProcess } from './daemon-in-process.ts';
import { provedPeer, request } from './raw-peer.ts';

export interface Answered {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
  readonly unconfirmed?: boolean;
}
export interface SaidBeside {
  readonly passphrase?: string;
  readonly confirm?: 'app';
  readonly touchId?: string;
}
export type Ask = (method: string, params: object, said?: SaidBeside) => Promise<Answered>;

export interface AnsweredShell {
  readonly ask: Ask;
  /** The parameters of what was pushed before an answer, oldest first. */
  readonly pushed: readonly Record<string, unknown>[];
  end(): void;
}

export async function answeredShell(daemon: DaemonInProcess, name: string): Promise<AnsweredShell> {
  const { peer, line, open } = await provedPeer(daemon.socketPath, String(daemon.secrets.get('shell/secret')), {
    shell: name,
    pid: process.pid,
  });
  let [sent, received] = [0, 0];
  const pushed: Record<string, unknown>[] = [];
  return {
    pushed,
    end: () => peer.end(),
    async ask(method, params, said = {}) {
      sent += 1;
      peer.write(`${line(sent, { ...request(method, params, sent), ...said })}\n`);
      for (;;) {
        received += 1;
        const told = open(received, await peer.nextLine()) as Answered & { method?: string; params?: object };
        if (told.method === undefined) return told;
        pushed.push(told.params as Record<string, unknown>);
      }
    },
  };
}
