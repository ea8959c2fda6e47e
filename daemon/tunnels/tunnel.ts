/**
 * The life of one tunnel of any kind: started when first needed, kept while anything uses it,
 * restarted after it broke, ended after some idle time. What a server has refused isn't tried again
 * until a person has looked at it.
 */

import type { Line, LineTarget } from '../access/connection.ts';
import { DialError } from '../engines/dial-error.ts';
import { unlessAborted } from '../engines/unless-aborted.ts';

export interface Server {
  readonly host: string;
  readonly port: number;
}

/** Brings a tunnel to these servers up. Rejects with TunnelFailed. */
export type StartTunnel = (servers: readonly Server[], signal: AbortSignal) => Promise<RunningTunnel>;

export interface RunningTunnel {
  /** @param server one of those that it was started for. */
  at(server: Server): LineTarget['at'];
  /** What it said since the last call about something that it could not reach. */
  failure(): Promise<DialError | null>;
  /** Settles once it has ended, by itself or by {@link end}, and nothing of it is left. */
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

export class TunnelFailed extends DialError {
  /** Another try would fail again, or lock somebody out: a person has to act first. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, problem: DialError['problem'] = null) {
    super(message, problem);
    this.name = 'TunnelFailed';
    this.isFinal = isFinal;
  }
}

/** @param how it ended, or that it wasn't up in time. */
export function commandFailed(how: string): TunnelFailed {
  return new TunnelFailed(`its tunnel command ${how}`, false, 'tunnel_command');
}

export interface Tunnel {
  readonly line: Line;
  /** What was refused may be tried again. */
  retry(): void;
  close(): Promise<void>;
}

const idleMilliseconds = 300_000;

export function keepTunnel(
  start: StartTunnel,
  servers: readonly Server[],
  idleAfterMilliseconds = idleMilliseconds,
): Tunnel {
  let current: Promise<RunningTunnel> | null = null;
  let last: RunningTunnel | null = null;
  let refused: TunnelFailed | null = null;
  let inUse = 0;
  let idle: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  function up(): Promise<RunningTunnel> {
    if (closing.signal.aborted) return Promise.reject(new TunnelFailed('its tunnel was closed', false));
    if (refused !== null) return Promise.reject(refused);
    if (current !== null) return current;
    const started = start(servers, closing.signal);
    current = started;
    const gone = (): void => {
      if (current === started) current = null;
    };
    started.then(
      async running => {
        last = running;
        await running.ended;
        gone();
      },
      (error: unknown) => {
        gone();
        if (error instanceof TunnelFailed && error.isFinal) refused = error;
      },
    );
    return started;
  }

  function use(): () => void {
    clearTimeout(idle);
    inUse += 1;
    let isUsed = true;
    return () => {
      if (!isUsed) return;
      isUsed = false;
      inUse -= 1;
      if (inUse === 0) idle = setTimeout(() => void end(), idleAfterMilliseconds).unref();
    };
  }

  async function end(): Promise<void> {
    const ending = current;
    current = null;
    await ending?.then(
      running => running.end(),
      () => {},
    );
  }

  return {
    line: {
      async targetFor(host, port, signal) {
        const release = use();
        try {
          const running = await unlessAborted(up(), signal);
          return { at: running.at({ host, port }), release };
        } catch (error) {
          release();
          throw signal.aborted ? new TunnelFailed('its tunnel did not come up in time', false) : error;
        }
      },
      failure: async () => (await last?.failure()) ?? null,
    },
    retry() {
      refused = null;
    },
    async close() {
      closing.abort();
      clearTimeout(idle);
      await end();
    },
  };
}
