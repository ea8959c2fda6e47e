/**
 * Change notices for clients of 2025-11-25 and 2025-06-18 (spec §15), which don't know
 * `subscriptions/listen`. The bridge holds one subscription for them while they need it, and
 * translates its notices. Never launches a daemon, keeps the process alive or reports a failure.
 */

import { parsedJson } from '../shared/json.ts';
import { type Message, type Request, readLine } from './client/message.ts';
import type { Upward } from './client/older-eras.ts';
import { mirroredHeaders } from './daemon/wire-headers.ts';
import type { ForwardingPorts, RequestForwarder } from './forward-request.ts';

/**
 * If a stream of changes ends while the daemon lives (its token expired, or Sallyport was paused),
 * the bridge asks again, less often each time.
 */
const leastListenPauseMilliseconds = 1_000;
const mostListenPauseMilliseconds = 60_000;

const method = 'subscriptions/listen';
const same = (text: string): string => text;

export class Listening {
  readonly #ports: ForwardingPorts;
  readonly #forwarder: Pick<RequestForwarder, 'forward'>;
  readonly #upward: (request: Request) => Upward | null;
  #wantsList = false;
  #listens = false;
  /** A stream ended, so changes may have gone unannounced. */
  #missed = false;
  #pause: number = leastListenPauseMilliseconds;
  #retry: NodeJS.Timeout | null = null;

  /** @param upward translates a request for the daemon. */
  constructor(
    ports: ForwardingPorts,
    forwarder: Pick<RequestForwarder, 'forward'>,
    upward: (request: Request) => Upward | null,
  ) {
    this.#ports = ports;
    this.#forwarder = forwarder;
    this.#upward = upward;
  }

  /** Only a client that called resources/list hears of its changes. */
  asked(method: string): void {
    if (method !== 'resources/list' || this.#wantsList) return;
    this.#wantsList = true;
    this.#listen();
  }

  /**
   * The client's own request has just found a daemon, so subscriptions lost with an earlier daemon
   * start again.
   */
  goOn(): void {
    if (this.#wantsList && !this.#listens && this.#retry === null && this.#ports.finder.isFound) this.#listen();
  }

  #listen(): void {
    const id = 'listening';
    const params = { notifications: { resourcesListChanged: true } };
    const line = readLine(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const upward = line.kind === 'request' ? this.#upward(line.request) : null;
    const headers = upward && mirroredHeaders(upward.message);
    if (upward === null || headers === null) return;

    this.#listens = true;
    const { output } = this.#ports;
    const end = {
      report: () => {},
      output: {
        line: (text: string) => this.#heard(text),
        drained: () => output.drained(),
        inTurn: <Result>(work: () => Promise<Result>) => output.inTurn(work),
      },
    };
    const body = Buffer.from(upward.body);
    const carried = { idText: JSON.stringify(id), method, headers, body, translate: same, discovers: false };
    void this.#forwarder
      .forward(carried, new AbortController(), end)
      .catch(() => {})
      .finally(() => this.#lost());
  }

  #lost(): void {
    this.#listens = false;
    this.#missed = true;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.goOn();
    }, this.#pause).unref();
    this.#pause = Math.min(this.#pause * 2, mostListenPauseMilliseconds);
  }

  #heard(text: string): void {
    const message: Partial<Message> | undefined = parsedJson(text) as object | undefined;
    if (message?.method === 'notifications/resources/list_changed') this.#tell();
    if (message?.method !== 'notifications/subscriptions/acknowledged') return;
    this.#pause = leastListenPauseMilliseconds;
    if (this.#missed) this.#tell();
    this.#missed = false;
  }

  #tell(): void {
    this.#ports.output.line('{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}');
  }
}
