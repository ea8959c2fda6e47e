/**
 * The HTTP door (spec §3), on 127.0.0.1 alone and with two paths. It puts the gate, the MCP
 * endpoint and the exchange together; they decide what is allowed.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { AccessInUse } from '../../access/access-in-use.ts';
import type { Admission } from '../../access/limits/admission.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { TokenRegister } from '../../access/tokens/token-register.ts';
import type { Work } from '../../work.ts';
import { contextHandlers } from '../mcp/context-handlers.ts';
import { beginClock } from '../mcp/dispatch.ts';
import { factsOfError, type Log } from '../mcp/log.ts';
import type { ResourceNotifier } from '../mcp/resource-notifier.ts';
import { identityOf, serverMaker } from '../mcp/server.ts';
import type { Tool } from '../mcp/tool.ts';
import { buildCatalog } from '../mcp/tool-catalog.ts';
import type { ToolPorts } from '../mcp/tools/tool-ports.ts';
import { bind } from './bind.ts';
import { dropRest } from './body.ts';
import { countConnections } from './connections.ts';
import { type ExchangePorts, exchange } from './exchange.ts';
import { type BoxConnection, exchangePath, makeGate, mcpPath, type Passage } from './gate.ts';
import { type ConnectionLimits, httpLimits } from './http-limits.ts';
import { legacyEndpoint } from './legacy.ts';
import { legacySessionIds } from './legacy-session-id.ts';
import { legacySessions } from './legacy-sessions.ts';
import { logRefusals } from './log-refusal.ts';
import { answerMalformed, answerRaw } from './malformed.ts';
import { mcpEndpoint, type ResponseMaker } from './mcp-endpoint.ts';
import { modernEndpoint } from './modern.ts';
import { pauseAccepting } from './pause-accepting.ts';
import { pausedCallIn, pauseOf } from './paused-call.ts';
import { type LineageOfConnection, placeBridges } from './place-bridges.ts';
import { callEndpoint } from './plain-calls.ts';
import { recordRefusal } from './record-refusal.ts';
import { type HttpAnswer, type HttpRefusal, refuse } from './refuse.ts';
import { type CommonEnd, requestsInFlight } from './requests-in-flight.ts';
import { settlesWithin } from './settles-within.ts';
import { openSubscriptions } from './subscription.ts';

export interface HttpServerPorts extends ExchangePorts {
  /** 0 for any free port. */
  readonly port: number;
  /** True to take another port if that one is taken; false to throw. */
  readonly fallback: boolean;
  /**
   * The port of an earlier fallback, which is tried first: HTTP clients may have it configured.
   * Null if there was none.
   */
  readonly lastPort?: number | null;
  readonly tokens: Pick<TokenRegister, 'verify' | 'verifyBox' | 'find' | 'hasExpired' | 'onEnded'>;
  readonly admission: Admission;
  readonly accessInUse: AccessInUse;
  /** In the order in which clients see them listed. */
  readonly tools: readonly Tool[];
  /** For resources, prompts and completion; absent if only tools are served. */
  readonly toolPorts?: ToolPorts;
  /** Sallyport's own version. */
  readonly version: string;
  readonly log: Log;
  readonly notifier: Pick<ResourceNotifier, 'listen'>;
  /** Wraps work that may take long, so that a stalled event loop can be explained. */
  readonly work?: Work;
  /** Makes unguessable ids: sessions are named by them. */
  readonly newId: () => string;
  /** Whether file descriptors are left for more connections, or any at all. */
  readonly descriptors: () => 'enough' | 'few' | 'none';
  /** Which processes started the program at the other end of a connection; absent if unknown. */
  readonly lineageOfConnection?: LineageOfConnection;
  /** For tests that can't wait or open hundreds of sockets; else {@link httpLimits}. */
  readonly limits?: Partial<ConnectionLimits>;
}

export interface RunningHttpServer {
  /** The port that it listens on. */
  readonly port: number;
  /** True if another program has the configured port, so another port was taken. */
  readonly portTaken: boolean;
  /** Serves a connection to a box's socket; the socket is its credential. */
  serveBox(connection: Duplex, boxId: string): void;
  /** Ends the running requests; new ones are accepted. */
  endRequests(cause: CommonEnd): void;
  /** Accepts no more requests, gives running ones this long, then ends them. */
  close(drainMilliseconds: number, cause?: CommonEnd): Promise<void>;
}

interface Bindings {
  readonly incoming: IncomingMessage;
  /** Null for the exchange. */
  readonly principal: Principal | null;
  /** Null for the exchange. */
  readonly mcp: ResponseMaker | null;
}

/**
 * Serves from the start. `tokens` tells of revoked tokens, whose requests and sessions end; expiry
 * ends the requests. Nothing else is kept between requests. Close it before what the tools use.
 * @throws Error with code EADDRINUSE if the port is taken and `fallback` is false; TypeError for a
 *   tool that can't be published.
 */
export async function startHttpServer(ports: HttpServerPorts): Promise<RunningHttpServer> {
  const { log, newId, tokens, activity } = ports;
  const limits = { ...httpLimits, ...ports.limits };
  const inFlight = requestsInFlight();
  const recordRefused = (passage: Pick<Passage, 'principal' | 'refusedToken'>, refusal: HttpRefusal): void =>
    recordRefusal(ports, passage, refusal);
  const sessions = legacySessions({
    ofPrincipal: httpLimits.legacySessionsOfPrincipal,
    inAll: httpLimits.legacySessions,
    idleMilliseconds: httpLimits.legacyIdleSeconds * 1000,
    // A token's salted hash is the key of its sessions' ids: nobody outside knows it, it outlives a
    // restart, and it goes with its token.
    ids: legacySessionIds(id => tokens.find(id)?.hash ?? null, newId),
    elapsed: () => performance.now(),
    opened: ports.admission.clients.sessionOpened,
  });
  const forgetTokens = tokens.onEnded(id => {
    sessions.endToken(id);
    inFlight.endToken(id);
    ports.admission.clients.forgetToken(id);
  });
  const refusalLog = logRefusals(log);

  const dispatching = {
    catalog: buildCatalog(ports.tools),
    log,
    activity,
    accessInUse: ports.accessInUse,
    elapsed: () => performance.now(),
  };
  const mcpPorts = {
    ...dispatching,
    version: ports.version,
    newId,
    offerContext: ports.toolPorts && contextHandlers(dispatching, ports.toolPorts, ports.tools),
  };
  const makeServer = serverMaker(mcpPorts);
  const calls = callEndpoint(mcpPorts);
  const subscriptions = openSubscriptions(ports.notifier, identityOf(ports.version));
  const modern = modernEndpoint({ makeServer, log, subscriptions });
  const mcp = mcpEndpoint({
    calls,
    beginClock: () => beginClock(mcpPorts),
    modern,
    legacy: legacyEndpoint({ makeServer, calls, sessions, subscriptions, newId }),
    inFlight,
    accessInUse: ports.accessInUse,
    log,
    newId,
    bodySeconds: limits.bodySeconds,
    work: ports.work ?? { during: (_kind, work) => work() },
    clients: ports.admission.clients,
    refused: (principal, refusal) => recordRefused({ principal, refusedToken: null }, refusal),
  });
  const app = new Hono<{ Bindings: Bindings }>();
  app.on(['GET', 'POST'], mcpPath, ({ req, env }) => {
    if (env.mcp === null) throw new TypeError('A request passed the gate without a principal');
    return env.mcp(req.raw);
  });
  app.post(exchangePath, async ({ env }) => {
    const { status, headers, body } = await exchange(env.incoming, ports, limits.bodySeconds);
    return new Response(body, { status, headers });
  });
  const faultOf = (error: unknown, principal: Principal | null): HttpAnswer => {
    const fault = { kind: 'internal', requestId: newId() } as const;
    log.error({ requestId: fault.requestId, ...factsOfError(error) }, 'a request failed');
    recordRefused({ principal, refusedToken: null }, fault);
    return refuse(fault);
  };
  app.onError((error, { env }) => {
    const { status, headers, body } = faultOf(error, env.principal);
    return new Response(body, { status, headers });
  });

  const gate = makeGate(tokens, ports.admission, limits.waitSeconds * 1000);
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, passage: Passage): Promise<void> => {
    const { principal, quota } = passage;
    try {
      const isCall = principal !== null && quota !== null;
      const response = isCall ? await mcp({ principal, quota }, incoming, outgoing) : null;
      // A plain call is answered already.
      if (isCall && response === null) return;
      const route = (request: Request) => app.fetch(request, { incoming, principal, mcp: response });
      await getRequestListener(route)(incoming, outgoing);
    } catch (error) {
      write(incoming, outgoing, faultOf(error, principal));
    }
  };
  const connections = countConnections(limits.connections, () => ports.descriptors() !== 'enough');

  const server = createServer({
    headersTimeout: limits.headerSeconds * 1000,
    // This ends requests that nobody reads any more. A body that is read has its own time, from the
    // moment when reading begins.
    requestTimeout: Math.ceil((limits.headerSeconds + limits.waitSeconds + limits.bodySeconds) * 1000),
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: httpLimits.keepAliveSeconds * 1000,
    // Our check answers a missing Host with the same 403 as a foreign one.
    requireHostHeader: false,
    noDelay: true,
  });
  const placing = placeBridges(tokens, ports.lineageOfConnection ?? (async () => undefined));
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue = false): void => {
    const placed = placing(incoming);
    if (placed === null) {
      onPlaced(incoming, outgoing, expectsContinue);
      return;
    }
    connections.answering(incoming.socket, outgoing, true);
    void placed.then(() => {
      if (!incoming.socket.destroyed) onPlaced(incoming, outgoing, expectsContinue);
    });
  };
  const onPlaced = (incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue: boolean): void => {
    const { passage, refusal } = gate(incoming);
    const { principal, quota } = passage;
    connections.answering(incoming.socket, outgoing, principal !== null);
    if (quota !== null) outgoing.once('close', () => quota.release());
    if (refusal !== null) {
      recordRefused(passage, refusal);
      refusalLog.refused(refusal);
      const pause = principal === null ? null : pauseOf(refusal);
      if (pause !== null) {
        if (expectsContinue) outgoing.writeContinue();
        void pausedCallIn(incoming, limits.bodySeconds, pause).then(call =>
          write(incoming, outgoing, call ?? refuse(refusal)),
        );
      } else write(incoming, outgoing, refuse(refusal));
      return;
    }
    if (expectsContinue) outgoing.writeContinue();
    // The query means nothing here, and the SDK must see what the gate saw.
    incoming.url = passage.path;
    void answer(incoming, outgoing, passage);
  };
  server.on('request', onRequest);
  server.on('checkContinue', (incoming, outgoing) => onRequest(incoming, outgoing, true));
  // Node by itself would close a CONNECT silently, and answer an unknown Expect without a body.
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    answerRaw(socket, refuse(gate(incoming).refusal ?? { kind: 'method_not_allowed', allow: 'POST' }));
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connections.answering(incoming.socket, outgoing, false);
    write(incoming, outgoing, refuse({ kind: 'expectation_unknown' }));
  });
  server.on('connection', socket => connections.opened(socket));
  server.on('clientError', (error, socket) => answerMalformed(error, socket, connections));

  const portTaken = await bind(server, ports.port, othersOf(ports)).catch(error => {
    forgetTokens();
    throw error;
  });
  // A failing accept must not end the daemon.
  server.on('error', error => log.error(factsOfError(error), 'the listener met an error'));
  const { port } = server.address() as AddressInfo;
  const pauseWhereNone = pauseAccepting(server, port, () => ports.descriptors() === 'none', log);
  const upkeep = setInterval(() => {
    pauseWhereNone();
    inFlight.endExpired(tokens.hasExpired);
    ports.accessInUse.lookAgain();
    sessions.forgetIdle();
  }, httpLimits.upkeepSeconds * 1000).unref();
  return {
    port,
    portTaken,
    serveBox(connection, boxId) {
      server.emit('connection', Object.assign(connection, { boxId } satisfies BoxConnection));
    },
    endRequests: inFlight.endAll,
    async close(drainMilliseconds, cause = 'stopping') {
      clearInterval(upkeep);
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      subscriptions.endAll(cause);
      const drained = connections.drain();
      if (!(await settlesWithin(drained, drainMilliseconds))) {
        inFlight.endAll(cause);
        await settlesWithin(drained, httpLimits.farewellMilliseconds);
      }
      await modern.close();
      server.closeAllConnections();
      await closed;
      sessions.endAll();
      refusalLog.close();
      forgetTokens();
    },
  };
}

/** The ports to try if the configured one is taken; 0 for any free one. */
function othersOf({ fallback, lastPort = null }: Pick<HttpServerPorts, 'fallback' | 'lastPort'>): readonly number[] {
  if (!fallback) return [];
  return lastPort === null ? [0] : [lastPort, 0];
}

/**
 * Answers at once. If the connection ends with the answer, the end waits for the rest of the
 * request.
 */
function write(incoming: IncomingMessage, outgoing: ServerResponse, { status, headers, body }: HttpAnswer): void {
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  const awaitsBody = encoding !== undefined || Number(length ?? 0) > 0;
  if (outgoing.shouldKeepAlive || !awaitsBody) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body);
  void dropRest(incoming).then(() => outgoing.end());
}
