/**
 * Decides what happens to each line from the client: answered here, carried to the daemon, or
 * dropped. Requests run side by side.
 */

import { callMillisecondsOf } from '../shared/call-time.ts';
import type { LineLimits } from './bridge-limits.ts';
import { fail } from './client/client-end.ts';
import { cancelledIdText, type Message, type Request, readLine } from './client/message.ts';
import { OlderEraClient, type Upward } from './client/older-eras.ts';
import { mirroredHeaders } from './daemon/wire-headers.ts';
import { errorLine, type Failure, notUtf8, tooLong, unforeseen, unknownMethod } from './failures.ts';
import { type ForwardedRequest, type ForwardingPorts, RequestForwarder } from './forward-request.ts';
import { Listening } from './listening.ts';

export class Relay {
  readonly #ports: ForwardingPorts;
  readonly #forwarder: RequestForwarder;
  readonly #olderEra = new OlderEraClient();
  readonly #listening: Listening;
  readonly #underWay = new Map<string, AbortController>();
  #unansweredRequests = 0;
  #unansweredBytes = 0;
  #onChange: () => void = () => {};

  constructor(ports: ForwardingPorts) {
    this.#ports = ports;
    this.#forwarder = new RequestForwarder(ports);
    this.#listening = new Listening(ports, this.#forwarder, request => {
      const treated = this.#olderEra.treat(request);
      return treated.kind === 'upstream' ? treated : null;
    });
  }

  /** @param listener called whenever a request has ended. */
  onSettled(listener: () => void): void {
    this.#onChange = listener;
  }

  get limits(): LineLimits {
    return this.#ports.limits;
  }

  get isFull(): boolean {
    return (
      this.#unansweredBytes > this.limits.maxUnansweredBytes ||
      this.#unansweredRequests >= this.limits.maxUnansweredRequests ||
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
        this.#refuse(line.idTexts, line.failure);
        break;
      case 'nothing':
        break;
    }
  }

  /** @param idText as much as could be read. */
  refuseTooLong(idText: string | null): void {
    this.#refuse(idText === null ? [] : [idText], tooLong(this.limits.maxLineBytes));
  }

  /**
   * Repaired text would be another statement than the client's, so it never runs.
   * @param repaired used only to find the id.
   */
  refuseNotUtf8(repaired: string): void {
    const line = readLine(repaired);
    if (line.kind === 'request') this.#refuse([line.request.idText], notUtf8);
    else if (line.kind === 'refused') this.#refuse(line.idTexts, notUtf8);
  }

  #refuse(idTexts: readonly string[], failure: Failure): void {
    const { output } = this.#ports;
    if (idTexts.length === 0) output.line(errorLine(null, failure));
    for (const idText of idTexts) output.line(errorLine(idText, failure));
  }

  #request(request: Request): void {
    const { text, claimedVersion, method } = request;
    // Without a claim, `server/discover` still belongs to the newer era: the daemon says what its
    // envelope lacks.
    if (claimedVersion !== null || method === 'server/discover') {
      this.#prepare(request, { body: text, message: request, translate: answer => answer, discovers: false });
      return;
    }
    this.#listening.asked(method);
    const treated = this.#olderEra.treat(request);
    if (treated.kind === 'answered') this.#ports.output.line(treated.line);
    else this.#prepare(request, treated);
  }

  /** Keeps only what is sent: a message may be megabytes, and wait. */
  #prepare({ idText }: Request, { body, message, translate, discovers }: Omit<Upward, 'kind'>): void {
    const headers = mirroredHeaders(message);
    if (headers === null) {
      fail(this.#ports, idText, unknownMethod);
      return;
    }
    const { method } = message;
    const ownMilliseconds = callMillisecondsOf(message.params);
    this.#start({ idText, method, headers, body: Buffer.from(body), translate, discovers, ownMilliseconds });
  }

  /**
   * No other notification matters to a server without sessions; the bridge itself ends requests of
   * older eras.
   */
  #notification(notification: Message): void {
    if (notification.method !== 'notifications/cancelled') return;
    const idText = cancelledIdText(notification);
    if (idText !== null) this.#underWay.get(idText)?.abort();
  }

  #start(request: ForwardedRequest): void {
    const abort = new AbortController();
    const bytes = request.body.length;
    this.#underWay.set(request.idText, abort);
    this.#unansweredRequests++;
    this.#unansweredBytes += bytes;
    void this.#forwarder
      .forward(request, abort)
      .catch(error => fail(this.#ports, request.idText, unforeseen(error)))
      .finally(() => {
        if (this.#underWay.get(request.idText) === abort) this.#underWay.delete(request.idText);
        this.#unansweredRequests--;
        this.#unansweredBytes -= bytes;
        this.#onChange();
        this.#listening.goOn();
      });
  }
}
