/**
 * Change notices for clients of 2025-11-25 and 2025-06-18 (spec §15), which don't know
 * `subscriptions/listen`. The bridge holds one subscription for them while they need it, and
 * translates its notices. Never launches a daemon, keeps the process alive or reports a failure.
 */

import { parsedJson } from '../shared/json.ts';
import { type Message, type Request, readLine } from './client/message.ts';
import type { Upward } from './client/older-eras.ts';
import { mirroredHeaders } from './daemon/wire-headers.ts';
import { errorLine, noUri, tooManyUris } from './failures.ts';
import type { ForwardingPorts, RequestForwarder } from './forward-request.ts';

/** Clients subscribe to what their user has open. */
const maxSubscribedUris = 256;
/**
 * If a stream of changes ends while the daemon lives (its token expired, or Sallyport was paused),
 * the bridge asks again, less often each time.
 */
const leastListenPauseMilliseconds = 1_000;
const mostListenPauseMilliseconds = 60_000;

const method = 'subscriptions/listen';
const same = (text: string): string => text;

interface Held {
  readonly abort: AbortController;
  readonly idText: string;
}

export class Listening {
  readonly #ports: ForwardingPorts;
  readonly #forwarder: Pick<RequestForwarder, 'forward'>;
  readonly #upward: (request: Request) => Upward | null;
  #wantsList = false;
  readonly #uris = new Set<string>();
  #held: Held | null = null;
  #count = 0;
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

  /** @returns true if the request was handled here. */
  treat({ method: asked, idText, params }: Request): boolean {
    // Only clients that called resources/list hear list_changed.
    if (asked === 'resources/list' && !this.#wantsList) {
      this.#wantsList = true;
      void this.#listen();
    }
    if (asked !== 'resources/subscribe' && asked !== 'resources/unsubscribe') return false;
    void this.#change(asked === 'resources/subscribe', params?.uri).then(failure => {
      const line = failure === null ? `{"jsonrpc":"2.0","id":${idText},"result":{}}` : errorLine(idText, failure);
      this.#ports.output.line(line);
    });
    return true;
  }

  /**
   * The client's own request has just found a daemon, so subscriptions lost with an earlier daemon
   * start again.
   */
  goOn(): void {
    if (this.#held === null && this.#retry === null && this.#wants && this.#ports.finder.isFound) void this.#listen();
  }

  get #wants(): boolean {
    return this.#wantsList || this.#uris.size > 0;
  }

  /** Resolves once the subscription holds, so the client hears of changes that it makes next. */
  async #change(isWanted: boolean, uri: unknown) {
    if (typeof uri !== 'string') return noUri;
    if (isWanted === this.#uris.has(uri)) return null;
    if (isWanted && this.#uris.size >= maxSubscribedUris) return tooManyUris;
    if (isWanted) this.#uris.add(uri);
    else this.#uris.delete(uri);
    if (this.#wants) await this.#listen();
    else this.#end();
    return null;
  }

  #end(): void {
    this.#held?.abort.abort();
    this.#held = null;
  }

  /**
   * Starts a new stream. The old one ends when the new one is acknowledged, so nothing is lost in
   * between.
   */
  #listen(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    const notifications = {
      ...(this.#wantsList && { resourcesListChanged: true }),
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris] }),
    };
    const id = `listening ${++this.#count}`;
    const line = readLine(JSON.stringify({ jsonrpc: '2.0', id, method, params: { notifications } }));
    const upward = line.kind === 'request' ? this.#upward(line.request) : null;
    const headers = upward && mirroredHeaders(upward.message);
    if (upward === null || headers === null) return Promise.resolve();

    const before = this.#held;
    const held: Held = { abort: new AbortController(), idText: JSON.stringify(id) };
    this.#held = held;
    return new Promise(resolve => {
      const acknowledged = (): void => {
        before?.abort.abort();
        this.#pause = leastListenPauseMilliseconds;
        if (this.#missed) this.#tellAll();
        this.#missed = false;
        resolve();
      };
      const { output } = this.#ports;
      const end = {
        report: () => {},
        output: {
          line: (text: string) => this.#heard(text, acknowledged),
          drained: () => output.drained(),
          inTurn: <Result>(work: () => Promise<Result>) => output.inTurn(work),
        },
      };
      const body = Buffer.from(upward.body);
      const carried = { idText: held.idText, method, headers, body, translate: same, discovers: false };
      void this.#forwarder
        .forward(carried, held.abort.signal, end)
        .catch(() => {})
        .finally(() => {
          before?.abort.abort();
          resolve();
          if (this.#held === held) this.#lost();
        });
    });
  }

  #lost(): void {
    this.#held = null;
    this.#missed = true;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.goOn();
    }, this.#pause).unref();
    this.#pause = Math.min(this.#pause * 2, mostListenPauseMilliseconds);
  }

  #heard(text: string, acknowledged: () => void): void {
    const message: Partial<Message> | undefined = parsedJson(text) as object | undefined;
    switch (message?.method) {
      case 'notifications/subscriptions/acknowledged':
        acknowledged();
        break;
      case 'notifications/resources/list_changed':
        this.#tell('list_changed');
        break;
      case 'notifications/resources/updated': {
        const uri = message.params?.uri;
        // The old stream may still announce a URI that was unsubscribed meanwhile.
        if (typeof uri === 'string' && this.#uris.has(uri)) this.#tell('updated', uri);
      }
    }
  }

  #tellAll(): void {
    if (this.#wantsList) this.#tell('list_changed');
    for (const uri of this.#uris) this.#tell('updated', uri);
  }

  #tell(what: 'list_changed' | 'updated', uri?: string): void {
    const params = uri === undefined ? '' : `,"params":{"uri":${JSON.stringify(uri)}}`;
    this.#ports.output.line(`{"jsonrpc":"2.0","method":"notifications/resources/${what}"${params}}`);
  }
}
