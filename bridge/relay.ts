/** What happens to each line from the client: answered here, carried to the daemon, or dropped. Requests run side by side. */

import type { IncomingMessage } from 'node:http';
import { relayAnswer } from './answer.ts';
import type { DaemonAccess } from './daemon-access.ts';
import { errorLine, type Failure, lost, notRunning, tooLong, unforeseen, unknownMethod } from './failures.ts';
import type { Finder } from './finding.ts';
import { bridgeLimits } from './limits.ts';
import { cancelledIdText, type Message, type Request, readLine } from './message.ts';
import { OlderEraClient } from './older-eras.ts';
import type { Output } from './output.ts';
import { NotSent } from './proven-agent.ts';
import { post, wasNeverRead } from './upstream.ts';
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
  readonly body: string;
  readonly message: Message;
  readonly translate: (answer: string) => string;
}

export class Relay {
  readonly #ports: RelayPorts;
  readonly #olderEra = new OlderEraClient();
  readonly #underWay = new Map<string, AbortController>();
  #unansweredRequests = 0;
  #unansweredBytes = 0;
  #onChange: () => void = () => {};

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
      this.#unansweredRequests >= bridgeLimits.maxUnansweredRequests
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
    const { idText, text, claimedVersion, method } = request;
    // Without a claim `server/discover` is still the newer era's: the daemon says what its envelope lacks.
    if (claimedVersion !== null || method === 'server/discover') {
      this.#start({ idText, body: text, message: request, translate: answer => answer });
      return;
    }
    const treated = this.#olderEra.treat(request);
    if (treated.kind === 'answered') this.#ports.output.line(treated.line);
    else this.#start({ idText, ...treated });
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

  /** Sent again once, and only where the daemon can't have taken it up: nobody read it, or its token was refused. */
  async #carry(carried: Carried, signal: AbortSignal): Promise<void> {
    const headers = mirroredHeaders(carried.message);
    if (headers === null) return this.#fail(carried.idText, unknownMethod());
    for (let isRepeat = false; ; isRepeat = true) {
      const found = await this.#ports.finder.find();
      if (signal.aborted) return;
      if (found.kind === 'failed') return this.#fail(carried.idText, found.failure);
      const { access } = found;
      const sent = await this.#send(access, carried, headers, signal);
      if (signal.aborted) return;
      if (sent === 'lost') return this.#fail(carried.idText, lost());
      if (sent === 'not sent') {
        access.drop();
        if (isRepeat) return this.#fail(carried.idText, notRunning('it accepts no connection'));
      } else if (sent.statusCode === 401 && !isRepeat) {
        sent.resume();
        await access.prove();
      } else return this.#answer(sent, carried, signal);
    }
  }

  async #send(
    access: DaemonAccess,
    { body }: Carried,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<IncomingMessage | 'not sent' | 'lost'> {
    try {
      return await post(access, { body, headers, bridgeId: this.#ports.bridgeId, signal });
    } catch (error) {
      if (error instanceof NotSent) return 'not sent';
      return wasNeverRead(error) && !(await access.prove()) ? 'not sent' : 'lost';
    }
  }

  async #answer(
    response: IncomingMessage,
    { idText, message, translate }: Carried,
    signal: AbortSignal,
  ): Promise<void> {
    const relayed = await relayAnswer(response, idText, this.#ports.output, translate).catch(() => null);
    if (signal.aborted || relayed?.answered) return;
    if (message.method === 'subscriptions/listen') this.#endSubscription(idText);
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
