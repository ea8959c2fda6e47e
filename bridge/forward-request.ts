/**
 * Carries one request to the daemon and its answer back: it finds the daemon, sends the request,
 * sends it again if that is safe, and relays the answer. It doesn't know the line that the request
 * came from, nor other requests.
 */

import { randomUUID } from 'node:crypto';
import { bridgeLimits, type LineLimits } from './bridge-limits.ts';
import { relayAnswer, wholeBody } from './client/answer.ts';
import { type ClientEnd, endSubscription, fail } from './client/client-end.ts';
import type { JsonObject } from './client/message.ts';
import type { Output } from './client/output.ts';
import { stderrMessage } from './client/stderr-messages.ts';
import type { Connections } from './daemon/connections.ts';
import type { Response } from './daemon/response.ts';
import { Semaphore } from './daemon/semaphore.ts';
import { NotSent, wasNeverRead } from './daemon/sending-failures.ts';
import { bridgeIdOf, daemonHeaders } from './daemon/wire-headers.ts';
import { elapsedMilliseconds } from './elapsed.ts';
import { connectionLost, crowded, type Failure, notRunning } from './failures.ts';
import { OwnTime } from './own-time.ts';

/**
 * The time from the first look for the daemon to the last word: 10 s for the launch (spec §2),
 * minus the time to report a failure. A call that gives itself less waits less until it is sent.
 */
const findMilliseconds = 9_700;

export interface ForwardingPorts extends ClientEnd {
  readonly output: Output;
  readonly finder: DaemonFinder;
  readonly limits: LineLimits;
}

/**
 * Finds the process that answers requests. In a client's process that is the daemon; inside the
 * daemon it is the door for boxes.
 */
export interface DaemonFinder {
  /** True if the process was found; this doesn't look again. */
  readonly isFound: boolean;
  /** An answer that may stand in for `server/discover`. If null, the daemon must be asked. */
  discovery(): Promise<JsonObject | null>;
  /** @param deadline on `elapsedMilliseconds()`. */
  find(
    deadline: number,
  ): Promise<
    { readonly kind: 'found'; readonly access: Access } | { readonly kind: 'failed'; readonly failure: Failure }
  >;
  /** Why nothing is found yet, for a request that waited so many seconds and can't wait longer. */
  failureSoFar(seconds: number): Failure;
}

/** The way to a daemon that was found. */
export interface Access {
  /** True once it is of no more use: find the daemon again. */
  readonly isVoid: boolean;
  readonly token: string;
  connections(): Promise<Pick<Connections, 'send'>>;
  /**
   * Call it with each request that waits for an answer; call its result when the answer has come.
   */
  awaitAnswer(): () => void;
  /** Proves the daemon again, and takes up a newer token. False: this access is void. */
  prove(): Promise<boolean>;
  /** Takes no new request from now on. */
  drop(): void;
}

/** A request as it is sent, and what its answer needs. */
export interface ForwardedRequest {
  readonly idText: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly translate: (answer: string) => string;
  /** True if the facts sent with the daemon's proof may answer it (client/older-eras.ts). */
  readonly discovers: boolean;
  /** How long the request may stay unsent, if it says so itself. */
  readonly ownMilliseconds?: number | undefined;
}

type DaemonLookup =
  | {
      readonly kind: 'reached';
      readonly access: Access;
      readonly giveBack: () => void;
      /** On `elapsedMilliseconds()`, for all that follows. */
      readonly deadline: number;
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

/** Methods that change nothing, so a second call does no harm. */
const repeatableMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);

/** Tools that only look. The bridge doesn't call one twice by itself: its answer may be long. */
const lookingTools: ReadonlySet<string> = new Set([
  'list_connections',
  'list_tables',
  'describe_table',
  'search_query_history',
]);

function lostFor({ method, headers }: Pick<ForwardedRequest, 'method' | 'headers'>): Failure {
  const looks = method === 'tools/call' && lookingTools.has(headers['Mcp-Name'] ?? '');
  return connectionLost(looks || repeatableMethods.has(method));
}

/** Minimum time for one more look for the daemon. */
const leastMilliseconds = 2_000;

export class RequestForwarder {
  readonly #ports: ForwardingPorts;
  readonly #semaphore = new Semaphore(bridgeLimits.maxConnections);
  /**
   * Names this process to the daemon: it is a principal of its own (spec §4). The first request
   * makes it, as the first answer may need none.
   */
  #bridgeId: string | null = null;

  constructor(ports: ForwardingPorts) {
    this.#ports = ports;
  }

  /**
   * Sends a request again at most once: if the daemon can't have started on it (nobody read it, or
   * its token was refused), or if the request changes nothing.
   * @param abort aborted when the client no longer wants an answer, or its own time is over.
   * @param end gets the answer. Resolves once that has it, or nobody wants it any more.
   */
  async forward(request: ForwardedRequest, abort: AbortController, end: ClientEnd = this.#ports): Promise<void> {
    const { ownMilliseconds, idText } = request;
    const ownTime = new OwnTime(ownMilliseconds, abort, awaited => {
      const seconds = Number(ownMilliseconds) / 1_000;
      fail(end, idText, awaited === 'place' ? crowded(seconds) : this.#ports.finder.failureSoFar(seconds));
    });
    await this.#carry(request, abort.signal, ownTime, end).finally(() => ownTime.end());
  }

  async #carry(request: ForwardedRequest, signal: AbortSignal, ownTime: OwnTime, end: ClientEnd): Promise<void> {
    let deadline = elapsedMilliseconds() + findMilliseconds;
    if (request.discovers && (await this.#answerFromProof(request, signal))) return;
    for (let isRepeat = false; ; isRepeat = true) {
      ownTime.sent(false);
      const reached = await this.#findDaemon(deadline, signal, ownTime);
      if (reached.kind === 'cancelled') return;
      if (reached.kind === 'failed') return fail(end, request.idText, reached.failure);
      const { access } = reached;
      deadline = reached.deadline;
      const sent = await this.#send(reached, request, signal, ownTime);
      if (signal.aborted) return;
      if (sent === 'lost') {
        const mayRepeat =
          !isRepeat && repeatableMethods.has(request.method) && deadline - elapsedMilliseconds() > leastMilliseconds;
        if (mayRepeat) continue;
        return fail(end, request.idText, lostFor(request));
      }
      if (sent === 'not sent') {
        access.drop();
        if (isRepeat) return fail(end, request.idText, notRunning('it accepts no connection'));
      } else if (sent.status === 401 && !isRepeat) {
        void wholeBody(sent).catch(() => {});
        await access.prove();
      } else return this.#answer(sent, request, signal, end);
    }
  }

  /**
   * The proven daemon, and a place in the queue to it. Waiting for the place doesn't use up the
   * time for finding the daemon.
   */
  async #findDaemon(deadline: number, signal: AbortSignal, ownTime: OwnTime): Promise<DaemonLookup> {
    for (;;) {
      const found = await this.#ports.finder.find(deadline);
      if (signal.aborted) return { kind: 'cancelled' };
      if (found.kind === 'failed') return found;
      const began = elapsedMilliseconds();
      ownTime.waitsFor = 'place';
      const giveBack = await this.#semaphore.acquire(signal);
      ownTime.waitsFor = 'daemon';
      if (giveBack === null) return { kind: 'cancelled' };
      deadline += elapsedMilliseconds() - began;
      if (!found.access.isVoid) return { kind: 'reached', access: found.access, giveBack, deadline };
      giveBack();
    }
  }

  /** Answers the first request of most sessions without asking the daemon. */
  async #answerFromProof({ translate }: ForwardedRequest, signal: AbortSignal): Promise<boolean> {
    const discovery = await this.#ports.finder.discovery();
    if (discovery === null) return false;
    if (!signal.aborted) this.#ports.output.line(translate(JSON.stringify({ result: discovery })));
    return true;
  }

  async #send(
    { access, giveBack }: DaemonLookup & { kind: 'reached' },
    { method, headers, body }: ForwardedRequest,
    signal: AbortSignal,
    ownTime: OwnTime,
  ): Promise<Response | 'not sent' | 'lost'> {
    // A subscription is silent by nature. Every other request must get an answer.
    const answered = method === 'subscriptions/listen' ? () => {} : access.awaitAnswer();
    const settled = () => {
      answered();
      giveBack();
    };
    try {
      this.#bridgeId ??= bridgeIdOf(process.pid, randomUUID());
      const bridgeId = this.#bridgeId;
      // Built after the connection's proof, because the proof may bring another token.
      const post = () => {
        ownTime.sent(true);
        return { body, headers: { ...headers, ...daemonHeaders(access.token, bridgeId) } };
      };
      return await (await access.connections()).send(post, signal, settled);
    } catch (error) {
      settled();
      if (error instanceof NotSent) return 'not sent';
      return wasNeverRead(error) && !(await access.prove()) ? 'not sent' : 'lost';
    }
  }

  async #answer(
    response: Response,
    { idText, method, headers, translate }: ForwardedRequest,
    signal: AbortSignal,
    end: ClientEnd,
  ): Promise<void> {
    const { output, report } = end;
    const onAnswer = (answer: string) => {
      const told = stderrMessage(answer);
      if (told !== null) report(told);
    };
    const answered = await relayAnswer(response, { idText, output, translate, onAnswer }).catch(() => false);
    if (signal.aborted || answered) return;
    if (method === 'subscriptions/listen') endSubscription(end, idText);
    else fail(end, idText, lostFor({ method, headers }));
  }
}
