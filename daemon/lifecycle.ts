/**
 * One run's own state: who it is, whether it serves yet, and the way to its shells once they can
 * connect. Opens nothing.
 */

import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { ControlNotification } from '../shared/control.ts';
import type { Serving } from './serving.ts';
import type { ControlSocket } from './shells/socket/control-socket.ts';
import { serverChanged, serverState } from './status.ts';

export type Run = ReturnType<typeof beginRun>;

/** @param wasPaused counts until somebody serves. */
export function beginRun(wasPaused: boolean) {
  let serving: Serving | null = null;
  let control: ControlSocket | null = null;
  let isStopping = false;
  let becomeReady = (_serving: Serving): void => {};
  const ready = new Promise<Serving>(resolve => {
    becomeReady = resolve;
  });
  const server = () => serverState(serving, isStopping);
  const push = (notification: ControlNotification): void => control?.push(notification);
  return {
    instance: randomUUID(),
    startedAt: new Date().toISOString(),
    /** Resolves once clients are served, or it is known why not. */
    ready,
    isPaused: (): boolean => serving?.isPaused() ?? wasPaused,
    server,
    /** @returns false if nobody is served. */
    serveBox: (connection: Duplex, boxId: string): boolean => serving?.serveBox(connection, boxId) ?? false,
    servesClients: (): boolean => (serving?.served() ?? null) !== null,
    push,
    tellOfServer: (): void => push(serverChanged(server())),
    /** Whether a shell that can ask a person is attached. */
    someoneAnswers: (): boolean => control?.someoneAnswers() ?? false,
    letIn(socket: ControlSocket): void {
      control = socket;
    },
    serve(started: Serving): void {
      serving = started;
      becomeReady(started);
      push(serverChanged(server()));
    },
    stop(): void {
      isStopping = true;
    },
  };
}
