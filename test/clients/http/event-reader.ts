/** Reads the stream of one `subscriptions/listen`, or of one session, message by message. */

import { until } from '../../waiting/until.ts';
import { modern } from './wire.ts';

export interface Heard {
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

export interface EventReader {
  readonly status: number;
  readonly heard: Heard[];
  /**
   * What was heard, one word per message: the last part of its method, with its URI if it has one;
   * `result` for the final one.
   */
  words(): string[];
  isOver(): boolean;
  leave(): void;
}

export async function listen(
  url: string,
  token: string,
  notifications: Record<string, unknown>,
  id: unknown = 'sub',
): Promise<EventReader> {
  const { headers = {}, body = '' } = modern(token, 'subscriptions/listen', { notifications }, { id });
  const reader = await readEvents(url, { method: 'POST', headers, body: String(body) });
  if (reader.status === 200) await until(() => reader.heard.length > 0, 'the subscription is acknowledged');
  return reader;
}

/** @param session the headers that name it. */
export function listenInSession(url: string, token: string, session: Record<string, string>): Promise<EventReader> {
  return readEvents(url, { headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...session } });
}

async function readEvents(url: string, request: RequestInit): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(url, { ...request, signal: abort.signal });
  const heard: Heard[] = [];
  let isOver = false;
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = event.split('\n').find(line => line.startsWith('data: '));
        if (data !== undefined) heard.push(JSON.parse(data.slice(6)));
      }
    }
    if (text !== '') heard.push(JSON.parse(text));
  };
  void read()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  return {
    status: response.status,
    heard,
    words: () =>
      heard.map(({ method, params }) =>
        [method?.replace('notifications/', '') ?? 'result', params?.uri].filter(Boolean).join(' '),
      ),
    isOver: () => isOver,
    leave: () => abort.abort(),
  };
}
