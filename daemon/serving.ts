/**
 * Whether and where AI clients are served during this run (spec §2 Off, Taken port). It starts and
 * stops listener, bridge token and handshake together, one change at a time, in such an order that
 * a handshake never names a port that isn't ours. If the port is unavailable at the start, the
 * server stays down but the daemon runs: its settings must stay reachable.
 */

import type { Duplex } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { NotKept } from './access/not-kept.ts';
import type { StoreDoubt } from './access/store-doubt.ts';
import { type BridgeTokenKeeper, keepBridgeToken, type PublishedToken } from './access/tokens/bridge-token.ts';
import type { TokenRegister } from './access/tokens/token-register.ts';
import type { RunningHttpServer } from './clients/http/listener.ts';
import type { CommonEnd } from './clients/http/requests-in-flight.ts';
import { oneAtATime } from './one-at-a-time.ts';

export interface WantedServer {
  readonly enabled: boolean;
  readonly port: number;
  readonly fallback: boolean;
}

export interface ServingPorts {
  /** @throws if the port is unavailable. */
  readonly listen: (port: number, fallback: boolean) => Promise<RunningHttpServer>;
  readonly tokens: Pick<TokenRegister, 'mintBridgeToken' | 'endBridgeTokens'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly publish: (port: number, token: PublishedToken) => void;
  readonly unpublish: () => void;
  /** False if somebody removed the handshake: without it no bridge can connect. */
  readonly isPublished: () => boolean;
  /** The program on a taken port, if the system tells. */
  readonly portHolder: (port: number) => string | null;
  /** Keeps a pause over restarts: it lasts until a person resumes. */
  readonly pause: { readonly isPaused: boolean; readonly save: (isPaused: boolean, why?: StoreDoubt) => Promise<void> };
  /** Called when there was a change of where, or whether, clients are served. */
  readonly onChanged: () => void;
  /** Gets the error if the listener on the former port could not be closed. */
  readonly report: (error: unknown) => void;
}

/** Where clients are served now. `taken` if another program has the configured port. */
export interface ServedPort {
  readonly port: number;
  readonly taken: { readonly port: number; readonly holder: string | null } | null;
}

export interface Serving {
  /** Null while switched off, or not up yet. */
  served(): ServedPort | null;
  /** True if the server is to run, perhaps for this run only. See `problem` if it doesn't. */
  isWanted(): boolean;
  /** @returns false if nobody is served. */
  serveBox(connection: Duplex, boxId: string): boolean;
  /**
   * Why nobody is served though the server is switched on, without a full stop; null if all is
   * well. Checked again at each `tend`.
   */
  problem(): string | null;
  /**
   * Resolves once a running change has ended; null while switched off. May rotate the token first.
   */
  identity(): Promise<Identity | null>;
  /** @returns null, or a sentence on why that can't be; then everything is as before. */
  change(wanted: WantedServer): Promise<string | null>;
  /** Serves in this run though the server is switched off. Returns as `change` does. */
  startForThisRun(): Promise<string | null>;
  /**
   * Rotates a due token, restores a lost handshake, and tries an unavailable port again. Call it
   * now and then.
   */
  tend(): void;
  isPaused(): boolean;
  /**
   * Refuses every request from now on, and ends running ones.
   * @param why absent if a person pauses.
   * @throws NotKept if the pause can't be stored: then it counts for this run.
   */
  pause(why?: StoreDoubt): Promise<void>;
  resume(): Promise<void>;
  stop(drainMilliseconds: number): Promise<void>;
}

/** What `identify` proves itself with. */
interface Identity {
  readonly port: number;
  readonly token: PublishedToken;
}

interface Listening {
  readonly http: RunningHttpServer;
  readonly served: ServedPort;
}

interface Up extends Listening {
  readonly keeper: BridgeTokenKeeper;
}

/** Time for requests on the former port to finish. */
const movedDrainMilliseconds = 3_000;

/**
 * Starts what is wanted; an unavailable port becomes a `problem`.
 * @throws if the port can't be announced.
 */
export async function startServing(ports: ServingPorts, first: WantedServer): Promise<Serving> {
  let wanted = first;
  let up: Up | null = null;
  let problem: string | null = null;
  let paused = ports.pause.isPaused;
  let atStop: Identity | 'off' | null = null;
  const inTurn = oneAtATime();
  const leaving = new Set<Promise<void>>();

  async function listen(port: number, fallback: boolean): Promise<Listening> {
    const http = await ports.listen(port, fallback).catch(error => {
      throw problemOf(port, error, ports.portHolder);
    });
    const taken = http.portTaken ? { port, holder: ports.portHolder(port) } : null;
    return { http, served: { port: http.port, taken } };
  }

  /**
   * Publishes the handshake of a listener, or closes the listener: without a handshake it is of no
   * use.
   * @param former the token to continue with; null for a new one.
   */
  async function publishOn(listening: Listening, former: PublishedToken | null): Promise<Up> {
    const publish = (token: PublishedToken): void => ports.publish(listening.served.port, token);
    try {
      return { ...listening, keeper: keepBridgeToken(ports.tokens, ports.now, publish, former) };
    } catch (error) {
      await listening.http.close(0);
      throw error;
    }
  }

  async function takeDown(drainMilliseconds: number, cause: CommonEnd): Promise<void> {
    if (up === null) return;
    const { http } = up;
    ports.unpublish();
    // Requests end before the token: they must hear the reason, not that their token is wrong.
    await http.close(drainMilliseconds, cause);
    ports.tokens.endBridgeTokens();
    up = null;
  }

  /**
   * Moves to another port. Both listen for a while, so running requests can finish.
   * @param mayStay true if everything may stay as it is while the port is unavailable.
   */
  async function move(from: Up, { port, fallback }: WantedServer, mayStay: boolean): Promise<void> {
    const listening = await listen(port, fallback && !mayStay).catch(error => {
      if (!mayStay) throw error;
      return null;
    });
    if (listening === null) return;
    ports.unpublish();
    try {
      up = await publishOn(listening, from.keeper.current());
    } catch (error) {
      ports.publish(from.served.port, from.keeper.current());
      throw error;
    }
    const closing = from.http.close(movedDrainMilliseconds, 'moved').catch(ports.report);
    leaving.add(closing);
    void closing.finally(() => leaving.delete(closing));
  }

  async function apply(next: WantedServer): Promise<void> {
    if (atStop !== null) throw new Error('Sallyport is stopping');
    if (!next.enabled) await takeDown(0, 'switched_off');
    else if (up === null) up = await publishOn(await listen(next.port, next.fallback), null);
    else if (up.served.port !== next.port) await move(up, next, next.port === wanted.port && next.fallback);
    wanted = next;
    problem = null;
    ports.onChanged();
  }

  /** Serves as the settings want it, or not at all. */
  async function applyOrStayDown(): Promise<void> {
    await apply(wanted).catch(error => {
      if (!(error instanceof PortUnusable)) throw error;
      problem = error instanceof PortTaken ? `${error.message}, and port.fallback is false` : error.message;
    });
  }

  function show(isPaused: boolean): void {
    if (paused === isPaused) return;
    paused = isPaused;
    ports.onChanged();
  }

  const change = (next: () => WantedServer): Promise<string | null> =>
    inTurn(() =>
      apply(next()).then(
        () => null,
        error => `Nothing was changed: ${error instanceof Error ? error.message : String(error)}.`,
      ),
    );

  /** Publishes a new token that is due, or a lost handshake: without it nobody finds the daemon. */
  function keepPublished(): void {
    if (up === null || up.keeper.rotateIfDue() || ports.isPublished()) return;
    ports.publish(up.served.port, up.keeper.current());
  }

  function standing(): Identity | null {
    return up === null ? null : { port: up.served.port, token: up.keeper.current() };
  }

  await inTurn(applyOrStayDown);

  return {
    served: () => up?.served ?? null,
    isWanted: () => wanted.enabled,
    serveBox(connection, boxId) {
      up?.http.serveBox(connection, boxId);
      return up !== null;
    },
    problem: () => problem,
    async identity() {
      // A stopping server isn't switched off: a client finds no handshake and looks again.
      if (atStop !== null) return atStop === 'off' ? null : atStop;
      return inTurn(async () => {
        keepPublished();
        return standing();
      });
    },
    change: next => change(() => next),
    startForThisRun: () => change(() => ({ ...wanted, enabled: true })),
    tend() {
      if (atStop !== null) return;
      // The holder of the port may have ended meanwhile.
      inTurn(async () => (problem === null ? keepPublished() : applyOrStayDown())).catch(ports.report);
    },
    isPaused: () => paused,
    pause(why) {
      show(true);
      up?.http.endRequests('paused');
      return inTurn(async () => {
        // This is shown again, since a resume may have been running.
        show(true);
        await ports.pause.save(true, why).catch(error => {
          throw new NotKept('paused', error);
        });
      });
    },
    resume: () =>
      inTurn(async () => {
        await ports.pause.save(false);
        show(false);
      }),
    stop(drainMilliseconds) {
      return inTurn(async () => {
        // From here on nothing is published any more: the home itself may be gone.
        atStop = standing() ?? 'off';
        await takeDown(drainMilliseconds, 'stopping');
        await Promise.all(leaving);
      });
    },
  };
}

class PortUnusable extends Error {}
class PortTaken extends PortUnusable {}

/** Why a port can't be used, without a full stop: the caller appends the remedy. */
function problemOf(port: number, error: unknown, portHolder: ServingPorts['portHolder']): Error {
  const code = isNativeError(error) && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return new PortTaken(`port ${port} belongs to ${portHolder(port) ?? 'another program'}`);
  if (code === 'EACCES') return new PortUnusable(`port ${port} is reserved to the system: one from 1024 on is not`);
  return new PortUnusable(`port ${port} can't be used (${isNativeError(error) ? error.message : String(error)})`);
}
