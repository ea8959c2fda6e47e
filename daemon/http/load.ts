/**
 * Holds each request to its principal's rate and concurrency (spec §13), as far as possible before its body is read. What can't
 * be told by then is settled once the body is known: subscriptions, notifications and answers are held to less.
 */

import type { IncomingMessage } from 'node:http';
import type { Admission } from '../access/admission.ts';
import type { Slot } from '../access/concurrency.ts';
import type { Principal } from '../access/token.ts';
import { httpLimits } from './limits.ts';
import type { HttpRefusal } from './refuse.ts';

export const listenMethod = 'subscriptions/listen';

/** What a request costs, once its body says. A notification, or an answer to one of our questions, takes no slot. */
export type Cost = 'work' | 'subscription' | 'message';

export interface Load {
  /** Once, when the body is known. */
  settle(cost: Cost): HttpRefusal | null;
  /** When the answer has gone out. Idempotent. */
  release(): void;
}

export type Loaded =
  | { readonly kind: 'taken'; readonly load: Load }
  | { readonly kind: 'refused'; readonly refusal: HttpRefusal };

export function takeLoad(
  incoming: IncomingMessage,
  principal: Principal,
  { rate, concurrency }: Pick<Admission, 'rate' | 'concurrency'>,
): Loaded {
  const isSmall = declaredBytes(incoming) <= httpLimits.judgedLaterBytes;
  // Believed for so long as the body is small; a false claim is counted once the body has been read.
  const saysSubscription = isSmall && incoming.headers['mcp-method'] === listenMethod;
  let slot: Slot | null = null;
  let isOver = false;

  const countRequest = (): HttpRefusal | null => {
    const seconds = rate.take(principal);
    return seconds === 0 ? null : tooMany('rate', seconds);
  };

  if (!saysSubscription) {
    const refusal = countRequest();
    if (refusal !== null) return { kind: 'refused', refusal };
  }
  slot = concurrency.begin(principal, 'work');
  // With no slot left a small body is read all the same: it may be the notification that cancels what holds the slots.
  if (slot === null && !isSmall) return { kind: 'refused', refusal: tooMany('concurrency', 1) };

  return {
    kind: 'taken',
    load: {
      settle(cost) {
        // Its client is gone: what were taken now would never be given back.
        if (isOver) return null;
        if (saysSubscription && cost !== 'subscription') {
          const refusal = countRequest();
          if (refusal !== null) return refusal;
        }
        if (cost === 'work') {
          slot ??= concurrency.begin(principal, 'work');
          return slot === null ? tooMany('concurrency', 1) : null;
        }
        slot?.release();
        slot = null;
        if (cost === 'message') return null;
        slot = concurrency.begin(principal, 'subscription');
        return slot === null ? tooMany('concurrency', 1) : null;
      },
      release() {
        isOver = true;
        slot?.release();
      },
    },
  };
}

/** A message without an id, or with one and no method, asks nothing: a notification, or a client's answer. */
export function costOf(body: Record<string, unknown>, isModern: boolean): Cost {
  const isRequest = typeof body.method === 'string' && 'id' in body;
  if (!isRequest) return 'message';
  return isModern && body.method === listenMethod ? 'subscription' : 'work';
}

function declaredBytes({ headers }: IncomingMessage): number {
  return headers['content-length'] === undefined ? Number.POSITIVE_INFINITY : Number(headers['content-length']);
}

function tooMany(limit: 'rate' | 'concurrency', retryAfterSeconds: number): HttpRefusal {
  const sentence =
    limit === 'rate'
      ? `Too many requests within a minute; try again in ${retryAfterSeconds} s.`
      : 'Too many requests at once; try again when one of them has been answered.';
  return { kind: 'limited', limit, sentence, retryAfterSeconds };
}
