/**
 * One request's way to the daemon and its answer's way back: found, sent, sent again where that is
 * safe, relayed. Knows nothing of the lines it came from or of the requests beside it.
 */

import { randomUUID } from 'node:crypto';
import { bridgeLimits, type LineLimits } from './bridge-limits.ts';
import { relayAnswer, wholeBody } from './client/answer.ts';
import { type ClientEnd, endSubscription, fail } from './client/client-end.ts';
import type { JsonObject } from './client/message.ts';
import type { Output } from './client/output.ts';
import { toldFailure } from './client/told-failures.ts';
import type { Connections } from './daemon/connections.ts';
import { Places } from './daemon/places.ts';
import type { Response } from './daemon/response.ts';
import { NotSent, wasNeverRead } from './daemon/sending-failures.ts';
import { bridgeIdOf, daemonHeaders } from './daemon/wire-headers.ts';
import { elapsedMilliseconds } from './elapsed.ts';
import { type Failure, lost, notRunning } from './failures.ts';

/**
 * From the first look to the last word: the launch's 10 s (spec §2), less what it takes to say so
 * within them.
 */
const findMilliseconds = 9_700;

export interface CarryingPorts extends ClientEnd {
  readonly output: Output;
  readonly finder: DaemonFinder;
  readonly limits: LineLimits;
}

/**
 * Finds whoever answers requests: the daemon from a client's process, or from inside the daemon its
 * own door for boxes.
 */
export interface DaemonFinder {
  /** Without a look. */
  readonly isFound: boolean;
  /** What may stand in for the answer to `server/discover`; null, and it has to be asked. */
  discovery(): Promise<JsonObject | null>;
  find(
    deadline: number,
  ): Promise<
    { readonly kind: 'found'; readonly access: Access } | { readonly kind: 'failed'; readonly failure: Failure }
  >;
}

export interface Access {
  readonly isVoid: boolean;
  readonly token: string;
  connections(): Promise<Pick<Connections, 'send'>>;
  /** With each request that is owed an answer; its result once that has come. */
  awaitAnswer(): () => void;
  prove(): Promise<boolean>;
  drop(): void;
}

/** No more than what is sent and what its answer needs. */
export interface Carried {
  readonly idText: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly translate: (answer: string) => string;
  /** As older-eras.ts says it. */
  readonly discovers: boolean;
}

type Reached =
  | {
      readonly kind: 'reached';
      readonly access: Access;
      readonly giveBack: () => void;
      /** For whatever comes after it, on `elapsedMilliseconds()`. */
      readonly deadline: number;
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

/** Methods that change nothing, so that one too many is as good as one. */
const telling: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);

/** What one more look for the daemon may take. */
const leastMilliseconds = bridgeLimits.identifyMilliseconds;

export class Carrier {
  readonly #ports: CarryingPorts;
  readonly #places = new Places(bridgeLimits.maxConnections);
  /**
   * Names this process to the daemon: a principal of its own (spec §4). Made by the first request:
   * the first answer needs none.
   */
  #bridgeId: string | null = null;

  constructor(ports: CarryingPorts) {
    this.#ports = ports;
  }

  /**
   * Sent again once, and only where the daemon can't have taken it up (nobody read it, or its token
   * was refused), or where it does nothing but tell.
   * @param signal aborted when the client wants no answer any more.
   * @param end who hears the answer.
   */
  async carry(carried: Carried, signal: AbortSignal, end: ClientEnd = this.#ports): Promise<void> {
    let deadline = elapsedMilliseconds() + findMilliseconds;
    if (carried.discovers && (await this.#answerFromProof(carried, signal))) return;
    for (let isRepeat = false; ; isRepeat = true) {
      const reached = await this.#reach(deadline, signal);
      if (reached.kind === 'cancelled') return;
      if (reached.kind === 'failed') return fail(end, carried.idText, reached.failure);
      const { access } = reached;
      deadline = reached.deadline;
      const sent = await this.#send(reached, carried, signal);
      if (signal.aborted) return;
      if (sent === 'lost') {
        const mayRepeat =
          !isRepeat && telling.has(carried.method) && deadline - elapsedMilliseconds() > leastMilliseconds;
        if (mayRepeat) continue;
        return fail(end, carried.idText, lost);
      }
      if (sent === 'not sent') {
        access.drop();
        if (isRepeat) return fail(end, carried.idText, notRunning('it accepts no connection'));
      } else if (sent.status === 401 && !isRepeat) {
        void wholeBody(sent).catch(() => {});
        await access.prove();
      } else return this.#answer(sent, carried, signal, end);
    }
  }

  /**
   * The proven daemon, and a place on the way to it. Waiting for the place takes nothing from the
   * time to find the daemon in.
   */
  async #reach(deadline: number, signal: AbortSignal): Promise<Reached> {
    for (;;) {
      const found = await this.#ports.finder.find(deadline);
      if (signal.aborted) return { kind: 'cancelled' };
      if (found.kind === 'failed') return found;
      const began = elapsedMilliseconds();
      const giveBack = await this.#places.take(signal);
      if (giveBack === null) return { kind: 'cancelled' };
      deadline += elapsedMilliseconds() - began;
      if (!found.access.isVoid) return { kind: 'reached', access: found.access, giveBack, deadline };
      giveBack();
    }
  }

  /** The first answer of most sessions, which then costs no request. */
  async #answerFromProof({ translate }: Carried, signal: AbortSignal): Promise<boolean> {
    const discovery = await this.#ports.finder.discovery();
    if (discovery === null) return false;
    if (!signal.aborted) this.#ports.output.line(translate(JSON.stringify({ result: discovery })));
    return true;
  }

  async #send(
    { access, giveBack }: Reached & { kind: 'reached' },
    { method, headers, body }: Carried,
    signal: AbortSignal,
  ): Promise<Response | 'not sent' | 'lost'> {
    // A subscription is silent by nature; whatever else is asked is owed an answer.
    const answered = method === 'subscriptions/listen' ? () => {} : access.awaitAnswer();
    const settled = () => {
      answered();
      giveBack();
    };
    try {
      this.#bridgeId ??= bridgeIdOf(process.pid, randomUUID());
      const bridgeId = this.#bridgeId;
      // Its making waits for the connection's proof, which may bring another token.
      const post = () => ({ body, headers: { ...headers, ...daemonHeaders(access.token, bridgeId) } });
      return await (await access.connections()).send(post, signal, settled);
    } catch (error) {
      settled();
      if (error instanceof NotSent) return 'not sent';
      return wasNeverRead(error) && !(await access.prove()) ? 'not sent' : 'lost';
    }
  }

  async #answer(
    response: Response,
    { idText, method, translate }: Carried,
    signal: AbortSignal,
    end: ClientEnd,
  ): Promise<void> {
    const { output, report } = end;
    const onAnswer = (answer: string) => {
      const told = toldFailure(answer);
      if (told !== null) report(told);
    };
    const answered = await relayAnswer(response, { idText, output, translate, onAnswer }).catch(() => false);
    if (signal.aborted || answered) return;
    if (method === 'subscriptions/listen') endSubscription(end, idText);
    else fail(end, idText, lost);
  }
}
