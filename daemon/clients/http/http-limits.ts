import { waitingRequests } from '../../access/limits/request-limits.ts';

/** Every limit of the HTTP door (spec §3, §4), with its reason. */
export const httpLimits = {
  /** Loopback only: nobody on the network may even connect. */
  address: '127.0.0.1',
  /** A thousand listeners, with room for their calls. */
  connections: 1_280,
  headerSeconds: 10,
  /** Counted from the end of the header. */
  bodySeconds: 30,
  /**
   * Longer than clients keep idle sockets in their pools: whoever closes first may lose a request.
   */
  keepAliveSeconds: 75,
  /** Ten times the longest statement (100 KB), for its parameters. */
  mcpBodyBytes: 1024 * 1024,
  /**
   * 10,000 keys, parsed and checked several times by the SDK, take some 40 ms; no call needs a
   * tenth of them.
   */
  mcpBodyMembers: 10_000,
  /** Code that walks a value does so by recursion. */
  mcpBodyLevels: 64,
  /**
   * Longer messages are answered one per turn of the event loop: each may take tens of
   * milliseconds.
   */
  shortBodyBytes: 16 * 1024,
  exchangeBodyBytes: 8 * 1024,
  /** For a slot, if a principal has taken all of its own (spec §13). */
  waitSeconds: waitingRequests.milliseconds / 1000,
  /**
   * A body declared to be this small is read before its request is held to every limit: the request
   * may need nothing.
   */
  judgedLaterBytes: 64 * 1024,
  /** Time for ended requests to be told when the server stops. */
  farewellMilliseconds: 2_500,
  /** Within it, time for a stopped write's server to say whether anything of it stays. */
  outcomeMilliseconds: 2_000,
  /** How long a refused request may keep sending its body into the void. */
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
  /** One line at once per kind of refusal, then one with a count. */
  refusalLogSeconds: 10,
  /**
   * How soon running requests and subscriptions end after their token expired, and lost descriptors
   * are noticed.
   */
  upkeepSeconds: 1,
} as const;

export interface ConnectionLimits {
  readonly connections: number;
  readonly headerSeconds: number;
  readonly bodySeconds: number;
  readonly waitSeconds: number;
}
