/**
 * One thing that waits for the person (spec §12), and the moves of its state, as a table. Pure: the
 * desk keeps asks, and the kinds say what a yes does.
 */

import type { Lineage } from '../limits/crowd.ts';

/**
 * `question`: a call waits for its answer. `request`: the client was refused and has to ask again.
 * `increase`: a shell's request for Sallyport.app. `pairing`: a link that a shell has opened.
 * `form`: a question through the client itself, which no shell shows.
 */
export type AskKind = 'question' | 'request' | 'increase' | 'pairing' | 'form';

/** Who asks, as the limits count it. */
export interface Asker {
  /** A principal's id, an account, a shell's connection; compared by identity. */
  readonly id: unknown;
  /** With whom it shares places; null: with nobody. */
  readonly group: string | null;
  readonly lineage: Lineage;
}

export interface Ask<Facts = unknown> {
  /** Eight letters and digits, for people to type. */
  readonly id: string;
  readonly kind: AskKind;
  readonly asker: Asker;
  /** Equal asks of one key are one: later ones join it or find its answer. Null: never equal. */
  readonly key: string | null;
  /** What a no is about: nothing else is quiet after it. */
  readonly about: string;
  /** What its card shows and its yes needs; the desk only keeps it. */
  readonly facts: Facts;
  /** About what its facts take of a line on the control socket, when it was asked. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly expiresAt: number;
  /** How often it was asked. */
  readonly times: number;
  readonly state: AskState;
  /** How often a granted one may still run. */
  readonly runsLeft: number;
  /** Its person was shown what it takes. */
  readonly isOpened: boolean;
}

/** `ran`: the person ran it. `used`: granted and used up. `gone`: nobody will answer it. */
export type AskState = 'waiting' | 'granted' | 'refused' | 'ran' | 'used' | 'gone';

export type AskMove =
  | 'yes'
  | 'no'
  /** The person runs it now. */
  | 'run'
  | 'timeout'
  /** Whoever asked has gone. */
  | 'cancelled'
  /** What it depends on has changed, or another took its place. */
  | 'void'
  /** One run of a grant begins. */
  | 'take'
  /** A run left nothing behind. */
  | 'give_back'
  /** A run would have taken more than was shown, and was taken back. */
  | 'hold';

const ends = { timeout: 'gone', cancelled: 'gone', void: 'gone' } as const;

const moves: Readonly<Record<AskState, Partial<Readonly<Record<AskMove, AskState>>>>> = {
  waiting: { yes: 'granted', no: 'refused', run: 'ran', hold: 'waiting', ...ends },
  granted: { take: 'granted', give_back: 'granted', hold: 'waiting', ...ends },
  used: { give_back: 'granted', hold: 'waiting', ...ends },
  ran: { give_back: 'waiting', hold: 'waiting', ...ends },
  refused: ends,
  gone: {},
};

/** Null if there is no such move: whoever tries it is late. */
export function moved<One extends Ask>(ask: One, move: AskMove): One | null {
  const state = moves[ask.state][move];
  if (state === undefined) return null;
  switch (move) {
    case 'take':
      if (ask.runsLeft < 1) return null;
      return { ...ask, runsLeft: ask.runsLeft - 1, state: ask.runsLeft === 1 ? 'used' : state };
    case 'give_back':
      return { ...ask, runsLeft: ask.state === 'ran' ? 0 : ask.runsLeft + 1, state };
    case 'hold':
      // What was shown was less than it takes.
      return { ...ask, runsLeft: 0, isOpened: false, state };
    default:
      return { ...ask, state };
  }
}

/** How an ask ended, for whoever waited: what voids one leaves nobody to answer. */
export function endOf(move: AskMove): 'yes' | 'no' | 'timeout' | 'cancelled' {
  return move === 'yes' || move === 'no' || move === 'timeout' ? move : 'cancelled';
}

/** ISO 8601, for people. */
export function timesOf({ askedAt, expiresAt }: Pick<Ask, 'askedAt' | 'expiresAt'>) {
  return { askedAt: new Date(askedAt).toISOString(), expiresAt: new Date(expiresAt).toISOString() };
}
