import { waitingRequests } from '../../access/limits/request-limits.ts';

/** Every number the HTTP door holds itself to (spec §3, §4), with its reason. */
export const httpLimits = {
  /** Loopback only: nobody on the network may even connect. */
  address: '127.0.0.1',
  /** A thousand that listen, with room for their calls. */
  connections: 1_280,
  headerSeconds: 10,
  /** After the header is complete. */
  bodySeconds: 30,
  /**
   * Longer than clients keep idle sockets in their pools: who closes first loses a request to the
   * race.
   */
  keepAliveSeconds: 75,
  /** Ten times the longest statement (100 KB), for the values that are bound in it. */
  mcpBodyBytes: 1024 * 1024,
  /**
   * Parsed, and checked by the SDK several times over, 10,000 keys take some 40 ms; no call needs a
   * tenth of them.
   */
  mcpBodyMembers: 10_000,
  /** What walks a value walks it by recursion. */
  mcpBodyLevels: 64,
  /**
   * What is longer is answered one message in a turn of the event loop: it may take tens of
   * milliseconds.
   */
  shortBodyBytes: 16 * 1024,
  exchangeBodyBytes: 8 * 1024,
  /** For a slot, where a principal has taken all of its own (spec §13). */
  waitSeconds: waitingRequests.milliseconds / 1000,
  /**
   * Declared to be this small, a body is read before its request is held to every limit: it may ask
   * for nothing.
   */
  judgedLaterBytes: 64 * 1024,
  /** What a stopping server gives the requests it ends to hear so. */
  farewellMilliseconds: 200,
  /** How long a refused request may go on sending its body into the void. */
  refusedBodyMilliseconds: 3_000,
  /** A client has one; one that opens a new one for each question displaces its own. */
  legacySessionsOfPrincipal: 16,
  legacySessions: 256,
  legacyIdleSeconds: 30 * 60,
  /**
   * What a lockout refuses is a row of the activity log so often (spec §10, §13): more would be a
   * flood, less would be lost by a kill.
   */
  lockoutRowSeconds: 5,
  /** Of one kind of refusal one line at once, then one with a count. */
  refusalLogSeconds: 10,
  /**
   * How long a token may have been expired before what still runs or listens under it ends, and
   * descriptors used up unnoticed.
   */
  upkeepSeconds: 1,
} as const;

export interface ConnectionLimits {
  readonly connections: number;
  readonly headerSeconds: number;
  readonly bodySeconds: number;
  readonly waitSeconds: number;
}
