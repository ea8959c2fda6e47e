/**
 * Holds each request to its principal's rate and concurrency (spec §13), before its body is read if
 * possible; one too many waits its turn. The rest is settled once the body is known: subscriptions,
 * notifications and answers have fewer limits.
 */

import type { IncomingMessage } from 'node:http';
import type { Admission } from '../../access/limits/admission.ts';
import type { QueuePlace, Slot } from '../../access/limits/concurrency.ts';
import type { Principal } from '../../access/tokens/token.ts';
import { httpLimits } from './http-limits.ts';
import type { HttpRefusal } from './refuse.ts';
import { listenMethod } from './subscription.ts';

/** A request's cost, from its body. A notification, or an answer to our question, takes no slot. */
type Cost = 'work' | 'subscription' | 'message';

export interface ReservedQuota {
  /** Before the body is read. Without a slot only a small body is read at once. */
  beforeBody(signal: AbortSignal): Promise<HttpRefusal | null>;
  /**
   * Call it once, when the body is known. Waits for a slot if the request needs one.
   * @param signal ends the wait.
   * @param callMilliseconds that the request gives itself, waits included.
   */
  settle(cost: Cost, signal: AbortSignal, callMilliseconds?: number): Promise<HttpRefusal | null>;
  /** Call it when the answer has been sent. Idempotent. */
  release(): void;
}

type Reservation =
  | { readonly kind: 'taken'; readonly quota: ReservedQuota }
  | { readonly kind: 'refused'; readonly refusal: HttpRefusal };

/** @param waitMilliseconds how long a request may wait for a slot. */
export function reserveQuota(
  incoming: IncomingMessage,
  principal: Principal,
  { rate, concurrency }: Pick<Admission, 'rate' | 'concurrency'>,
  waitMilliseconds: number,
): Reservation {
  const isSmall = declaredBytes(incoming) <= httpLimits.judgedLaterBytes;
  // Believed only for a small body; a false claim is counted once the body has been read.
  const saysSubscription = isSmall && incoming.headers['mcp-method'] === listenMethod;
  let slot: Slot | null = null;
  let place: QueuePlace | null = null;
  let isOver = false;
  let endWait = (): void => {};

  const countRequest = (): HttpRefusal | null => {
    const seconds = rate.take(principal);
    return seconds === 0 ? null : tooMany('rate', seconds);
  };

  if (!saysSubscription) {
    const refusal = countRequest();
    if (refusal !== null) return { kind: 'refused', refusal };
  }
  slot = concurrency.begin(principal, 'work');
  // An arriving body holds a slot or a place from its first byte: otherwise one token could send
  // any number of them slowly.
  if (slot === null) {
    place = concurrency.wait(principal, given => {
      slot = given;
      endWait();
    });
    if (place === null || (!isSmall && !place.mayWait())) {
      place?.leave();
      return { kind: 'refused', refusal: tooMany('concurrency', 1) };
    }
  }

  /** Resolves at once if a slot is held, or none can be had. */
  async function slotInTurn(signal: AbortSignal, milliseconds = waitMilliseconds): Promise<HttpRefusal | null> {
    if (slot === null && place?.mayWait() && !signal.aborted) {
      let late: NodeJS.Timeout | undefined;
      await new Promise<void>(resolve => {
        endWait = resolve;
        late = setTimeout(resolve, Math.min(milliseconds, waitMilliseconds));
        signal.addEventListener('abort', endWait);
      });
      clearTimeout(late);
      signal.removeEventListener('abort', endWait);
    }
    place?.leave();
    return slot === null && !isOver && !signal.aborted ? tooMany('concurrency', 1) : null;
  }

  return {
    kind: 'taken',
    quota: {
      beforeBody: async signal => (isSmall ? null : slotInTurn(signal)),
      async settle(cost, signal, callMilliseconds) {
        // The client has left; a slot taken now would leak.
        if (isOver) return null;
        if (saysSubscription && cost !== 'subscription') {
          const refusal = countRequest();
          if (refusal !== null) return refusal;
        }
        if (cost === 'work') return slotInTurn(signal, callMilliseconds);
        place?.leave();
        slot?.release();
        slot = null;
        if (cost === 'message') return null;
        slot = concurrency.begin(principal, 'subscription');
        return slot === null ? tooMany('concurrency', 1) : null;
      },
      release() {
        isOver = true;
        place?.leave();
        slot?.release();
        endWait();
      },
    },
  };
}

/**
 * A message without an id, or without a method, asks nothing: a notification, or a client's answer.
 */
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
