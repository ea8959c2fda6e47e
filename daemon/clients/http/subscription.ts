/**
 * The stream of one `subscriptions/listen` (MCP 2026-07-28, Subscriptions), or of one session of
 * the 2025 revisions (2025-06-18, Listening for Messages from the Server). The SDK's streams know
 * no principal, queue without bound for a reader that reads nothing, and end silently with their
 * token; so these are ours.
 */

import { setMaxListeners } from 'node:events';
import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { isObject } from '../../../shared/json.ts';
import type { Listener, ResourceNotifier } from '../mcp/resource-notifier.ts';
import type { ServerIdentity } from '../mcp/server.ts';
import type { RequestId } from './refuse.ts';
import type { CommonEnd, EndCause } from './requests-in-flight.ts';

export const listenMethod = 'subscriptions/listen';

/** Clients' HTTP libraries give up on silence, the earliest known after 60 s. */
const aliveSeconds = 15;

/** The only field of a filter that is honoured. */
export function wantsListChanges(body: Record<string, unknown>): boolean {
  const filter = isObject(body.params) && isObject(body.params.notifications) ? body.params.notifications : {};
  return filter.resourcesListChanged === true;
}

interface Subscription extends Listener {
  /** Null for a session's stream: nothing asked for it, so it has neither first nor last word. */
  readonly id: RequestId | null;
  /** Ends it; the reason is an {@link EndCause}. */
  readonly signal: AbortSignal;
}

export type Subscriptions = ReturnType<typeof openSubscriptions>;

export function openSubscriptions(notifier: Pick<ResourceNotifier, 'listen'>, identity: ServerIdentity) {
  const ending = new AbortController();
  // Every stream listens to it.
  setMaxListeners(0, ending.signal);
  return {
    begin(subscription: Subscription): Response {
      const signal = AbortSignal.any([subscription.signal, ending.signal]);
      return subscribe(notifier, { ...subscription, signal }, identity);
    },
    /** Each gets its last word. They are silent, so a stop would wait for them in vain. */
    endAll: (cause: CommonEnd): void => ending.abort(cause),
  };
}

function subscribe(
  notifier: Pick<ResourceNotifier, 'listen'>,
  subscription: Subscription,
  identity: ServerIdentity,
): Response {
  const { id, signal } = subscription;
  const encoder = new TextEncoder();
  const meta = id === null ? {} : { _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
  // A session's stream begins with a sign of life, so that its reader knows that it is open.
  const owed = { begin: id !== null, list: false, alive: id === null, end: false };
  let isRead = false;
  let controller: ReadableStreamDefaultController<Uint8Array>;

  /** One line of each kind is enough, however much has happened since the last read. */
  function taken(): string {
    let text = '';
    const notify = (method: string, params: object = {}): void => {
      text += eventOf({ method: `notifications/${method}`, params: { ...params, ...meta } });
    };
    if (owed.begin) notify('subscriptions/acknowledged', { notifications: { resourcesListChanged: true } });
    if (owed.list) notify('resources/list_changed');
    if (owed.alive && text === '') text = ': alive\n\n';
    if (owed.end && id !== null) {
      text += eventOf({
        id,
        result: { resultType: 'complete', _meta: { ...meta._meta, [SERVER_INFO_META_KEY]: identity } },
      });
    }
    Object.assign(owed, { begin: false, list: false, alive: false });
    return text;
  }

  function flush(): void {
    if (!isRead) return;
    const text = taken();
    if (text !== '') {
      isRead = false;
      controller.enqueue(encoder.encode(text));
    }
    if (owed.end) controller.close();
  }

  const forget = notifier.listen(subscription, () => {
    owed.list = true;
    flush();
  });
  const living = setInterval(() => {
    owed.alive = true;
    flush();
  }, aliveSeconds * 1000).unref();
  function stop(): void {
    forget();
    clearInterval(living);
    signal.removeEventListener('abort', end);
  }
  function end(): void {
    stop();
    const cause: EndCause = signal.reason;
    if (cause === 'disconnected') return;
    owed.end = true;
    flush();
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      // Only if there is room on the way to the reader.
      pull() {
        isRead = true;
        flush();
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  return new Response(stream, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' },
  });
}

function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
}
