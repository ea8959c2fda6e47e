/** What happens to each line from the client: answered here, carried to the daemon, or dropped. Requests run side by side. */

import type { IncomingMessage } from 'node:http';
import { relayAnswer } from './answer.ts';
import type { DaemonAccess } from './daemon-access.ts';
import { exactNumbers } from './exact-numbers.ts';
import { errorLine, type Failure, lost, notRunning, tooLong, unforeseen, unknownMethod } from './failures.ts';
import type { Finder } from './finding.ts';
import { bridgeLimits } from './limits.ts';
import { cancelledIdText, type Message, type Request, readLine } from './message.ts';
import { OlderEraClient, type Upward } from './older-eras.ts';
import type { Output } from './output.ts';
import { NotSent, wasNeverRead } from './sending-failures.ts';
import { toldFailure } from './told-failures.ts';
import { mirroredHeaders } from './wire-headers.ts';

export interface RelayPorts {
  readonly finder: Finder;
  readonly output: Output;
  /** One sentence for whoever reads stderr. */
  readonly report: (sentence: string) => void;
  readonly bridgeId: string;
}

interface Carried {
  readonly idText: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly translate: (answer: string) => string;
  readonly restore: (message: string) => string;
  /** As older-eras.ts says it. */
  readonly discovers: boolean;
}

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

export class Relay {
  readonly #ports: RelayPorts;
  readonly #olderEra = new OlderEraClient();
  readonly #underWay = new Map<string, AbortController>();
  #unansweredRequests = 0;
  #unansweredBytes = 0;
  #onChange: () => void = () => {};
  #upstream: Promise<typeof import('./upstream.ts')> | null = null;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
  }

  /** @param listener called whenever a request has come to its end. */
  onSettled(listener: () => void): void {
    this.#onChange = listener;
  }

  get isFull(): boolean {
    return (
      this.#unansweredBytes > bridgeLimits.maxUnansweredBytes ||
      this.#unansweredRequests >= bridgeLimits.maxUnansweredRequests ||
      this.#ports.output.isFull
    );
  }

  get isIdle(): boolean {
    return this.#unansweredRequests === 0;
  }

  accept(text: string): void {
    const line = readLine(text);
    switch (line.kind) {
      case 'request':
        this.#request(line.request);
        break;
      case 'notification':
        this.#notification(line.notification);
        break;
      case 'refused':
        this.#ports.output.line(errorLine(line.idText, line.failure));
        break;
      case 'response':
        break;
    }
  }

  refuseTooLong(): void {
    this.#ports.output.line(errorLine('null', tooLong(bridgeLimits.maxLineBytes)));
  }

  #request(request: Request): void {
    const { text, claimedVersion, method } = request;
    // Without a claim `server/discover` is still the newer era's: the daemon says what its envelope lacks.
    if (claimedVersion !== null || method === 'server/discover') {
      this.#prepare(request, { body: text, message: request, translate: answer => answer, discovers: false });
      return;
    }
    const treated = this.#olderEra.treat(request);
    if (treated.kind === 'answered') this.#ports.output.line(treated.line);
    else this.#prepare(request, treated);
  }

  /** Keeps of a message no more than what is sent: it may be megabytes, and wait. */
  #prepare(request: Request, { body, message, translate, discovers }: Omit<Upward, 'kind'>): void {
    const { idText } = request;
    const headers = mirroredHeaders(message);
    if (headers === null) {
      this.#fail(idText, unknownMethod());
      return;
    }
    const { method } = message;
    const { body: exactBody, restore } = exactNumbers(request, body);
    this.#start({ idText, method, headers, body: Buffer.from(exactBody), translate, restore, discovers });
  }

  /** No notification but this one means anything to a server that keeps no session; older eras' are the bridge's own to end. */
  #notification(notification: Message): void {
    if (notification.method !== 'notifications/cancelled') return;
    const idText = cancelledIdText(notification);
    if (idText !== null) this.#underWay.get(idText)?.abort();
  }

  #start(carried: Carried): void {
    const abort = new AbortController();
    const bytes = carried.body.length;
    this.#underWay.set(carried.idText, abort);
    this.#unansweredRequests++;
    this.#unansweredBytes += bytes;
    void this.#carry(carried, abort.signal)
      .catch(error => this.#fail(carried.idText, unforeseen(error)))
      .finally(() => {
        if (this.#underWay.get(carried.idText) === abort) this.#underWay.delete(carried.idText);
        this.#unansweredRequests--;
        this.#unansweredBytes -= bytes;
        this.#onChange();
      });
  }

  /**
   * Sent again once, and only where the daemon can't have taken it up (nobody read it, or its token was refused), or where it does
   * nothing but tell.
   */
  async #carry(carried: Carried, signal: AbortSignal): Promise<void> {
    if (carried.discovers && (await this.#answerFromProof(carried, signal))) return;
    const deadline = performance.now() + bridgeLimits.findMilliseconds;
    this.#loadUpstream();
    for (let isRepeat = false; ; isRepeat = true) {
      const found = await this.#ports.finder.find(deadline);
      if (signal.aborted) return;
      if (found.kind === 'failed') return this.#fail(carried.idText, found.failure);
      const { access } = found;
      const sent = await this.#send(access, carried, signal);
      if (signal.aborted) return;
      if (sent === 'lost') {
        const mayRepeat = !isRepeat && telling.has(carried.method) && deadline - performance.now() > leastMilliseconds;
        if (mayRepeat) continue;
        return this.#fail(carried.idText, lost());
      }
      if (sent === 'not sent') {
        access.drop();
        if (isRepeat) return this.#fail(carried.idText, notRunning('it accepts no connection'));
      } else if (sent.statusCode === 401 && !isRepeat) {
        sent.resume();
        await access.prove();
      } else return this.#answer(sent, carried, signal);
    }
  }

  /** The first answer of most sessions: with it comes no request, so nothing that requests need is waited for. */
  async #answerFromProof({ translate }: Carried, signal: AbortSignal): Promise<boolean> {
    const discovery = await this.#ports.finder.discovery();
    if (discovery === null) return false;
    if (!signal.aborted) this.#ports.output.line(translate(JSON.stringify({ result: discovery })));
    this.#loadUpstream();
    return true;
  }

  #loadUpstream(): Promise<typeof import('./upstream.ts')> {
    this.#upstream ??= import('./upstream.ts');
    return this.#upstream;
  }

  async #send(
    access: DaemonAccess,
    { method, headers, body }: Carried,
    signal: AbortSignal,
  ): Promise<IncomingMessage | 'not sent' | 'lost'> {
    const { post } = await this.#loadUpstream();
    // A subscription is silent by nature; whatever else is asked is owed an answer.
    const settled = method === 'subscriptions/listen' ? () => {} : access.awaitAnswer();
    try {
      const response = await post(access, { body, headers, bridgeId: this.#ports.bridgeId, signal });
      response.once('close', settled);
      return response;
    } catch (error) {
      settled();
      if (error instanceof NotSent) return 'not sent';
      return wasNeverRead(error) && !(await access.prove()) ? 'not sent' : 'lost';
    }
  }

  async #answer(
    response: IncomingMessage,
    { idText, method, translate, restore }: Carried,
    signal: AbortSignal,
  ): Promise<void> {
    const { output, report } = this.#ports;
    const onAnswer = (answer: string) => {
      const told = toldFailure(answer);
      if (told !== null) report(told);
    };
    const relayed = await relayAnswer(response, { idText, output, translate, restore, onAnswer }).catch(() => null);
    if (signal.aborted || relayed?.answered) return;
    if (method === 'subscriptions/listen') this.#endSubscription(idText);
    else this.#fail(idText, lost());
  }

  /** How a server ends a subscription on stdio, where no stream closes to show it (MCP 2026-07-28, Cancellation). */
  #endSubscription(idText: string): void {
    const reason = 'The connection to Sallyport ended.';
    this.#ports.output.line(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${idText},"reason":"${reason}"}}`,
    );
  }

  #fail(idText: string, failure: Failure): void {
    this.#ports.report(failure.message);
    this.#ports.output.line(errorLine(idText, failure));
  }
}
