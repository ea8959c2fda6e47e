/** Every number the HTTP door holds itself to (spec §3, §4), with its reason. */
export const httpLimits = {
  /** Loopback only: nobody on the network may even connect. */
  address: '127.0.0.1',
  connections: 512,
  headerSeconds: 10,
  /** After the header is complete. */
  bodySeconds: 30,
  /** Longer than clients keep idle sockets in their pools: who closes first loses a request to the race. */
  keepAliveSeconds: 75,
  mcpBodyBytes: 10 * 1024 * 1024,
  exchangeBodyBytes: 8 * 1024,
  /** Declared to be this small, a body is read before its request is held to every limit: it may ask for nothing. */
  judgedLaterBytes: 64 * 1024,
  /** What a stopping server gives the requests it ends to hear so. */
  farewellMilliseconds: 200,
  /** How long a refused request may go on sending its body into the void. */
  refusedBodyMilliseconds: 1_000,
  legacySessions: 64,
  /** Of one kind of refusal one line at once, then one with a count. */
  refusalLogSeconds: 10,
  /** How long a token may have been expired before what still runs or listens under it ends. */
  expiryCheckSeconds: 1,
} as const;

export interface ConnectionLimits {
  readonly connections: number;
  readonly headerSeconds: number;
  readonly bodySeconds: number;
}
