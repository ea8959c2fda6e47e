/**
 * All that waits for the person (spec §12): who may ask, the one answer of each ask, and who is
 * told. What an answer allows is its kind's. Runs nothing and draws nothing.
 */

import { type Ask, type AskKind, type AskMove, moved } from './ask.ts';
import { askLimits, type KindLimits } from './kinds.ts';
import { openQuiet } from './quiet.ts';
import { placeFor } from './room.ts';

export interface DeskPorts {
  /** Wall clock, milliseconds since 1970: what people see, and what outlives a restart. */
  readonly now: () => number;
  /**
   * Milliseconds of a clock that is never set and never stands still (limits/elapsed-clock.ts): by
   * it an ask ends.
   */
  readonly elapsed: () => number;
  /** Runs once after so long, unless the returned function is called first. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  readonly newId: () => string;
  /** For tests that can't wait. */
  readonly limits?: Readonly<Record<AskKind, KindLimits>>;
}

/** Why nobody is asked. */
export type NoPlace =
  | { readonly kind: 'too_many_open' }
  /** A no stands: nothing is asked about this for a while. */
  | { readonly kind: 'quiet'; readonly secondsLeft: number };

export interface DeskEvent<Facts = unknown> {
  /** `changed`: it waits again, or shows something else. `ended`: it waits no more. */
  readonly what: 'asked' | 'changed' | 'ended';
  readonly ask: Ask<Facts>;
  /** What ended it. */
  readonly because: AskMove | null;
  /** Who answered, and how that was confirmed; null if nobody did. */
  readonly by: string | null;
}

export interface NewAsk<Facts = unknown> extends Pick<Ask<Facts>, 'asker' | 'key' | 'about' | 'facts'> {
  /** Of one that outlived a restart. */
  readonly former?: Pick<Ask, 'id' | 'askedAt' | 'expiresAt' | 'times'>;
}

/** Somebody who waits for the end. */
export interface Waiter<Facts = unknown> {
  /** Aborted when the waiter leaves; the last one's leaving ends the ask. Not aborted yet. */
  readonly signal: AbortSignal;
  readonly onEnd: (because: AskMove, ask: Ask<Facts>) => void;
}

type Change<Facts> = Partial<Pick<Ask, 'times' | 'isOpened' | 'runsLeft'>> & { readonly facts?: Partial<Facts> };

/** The asks of one kind. */
export interface AsksOf<Facts> {
  /** Null, or why this is not asked now. An equal ask that waits is joined, whatever stands. */
  whyNot(asked: NewAsk): NoPlace | null;
  /** @returns null if it is not asked. */
  ask(asked: NewAsk<Facts>, waiter?: Waiter<Facts>): Ask<Facts> | null;
  /** Those that wait, oldest first. */
  waiting(): readonly Ask<Facts>[];
  /** The answered that are remembered, too. */
  all(): readonly Ask<Facts>[];
  /** One that waits. */
  find(id: string): Ask<Facts> | null;
  /** @returns false if it isn't kept, or has no such move: an answer comes once, and in time. */
  move(id: string, move: AskMove, change?: Change<Facts>, by?: string | null): boolean;
  /**
   * @param isShown tells that its card reads otherwise now.
   * @returns null if it isn't kept.
   */
  change(id: string, change: Change<Facts>, isShown?: boolean): Ask<Facts> | null;
  /** Null, or the quiet that stands. */
  quietAbout(about: string): NoPlace | null;
  /** A no was given elsewhere. */
  heardNo(about: string): void;
  onEvent(listener: (event: DeskEvent<Facts>) => void): void;
}

export interface Desk {
  of<Facts extends object>(kind: AskKind): AsksOf<Facts>;
}

interface Held {
  ask: Ask;
  /** By `elapsed`. */
  readonly endsAt: number;
  readonly cancelTimer: () => void;
  /** Each with what stops listening to its signal. */
  readonly waiters: Map<Waiter, () => void>;
}

export function openDesk({ now, elapsed, after, newId, limits = askLimits }: DeskPorts): Desk {
  /** By id. Oldest first. */
  const held = new Map<string, Held>();
  const listeners: ((event: DeskEvent) => void)[] = [];

  function tell(what: DeskEvent['what'], ask: Ask, because: AskMove | null = null, by: string | null = null): void {
    for (const listener of listeners) listener({ what, ask, because, by });
  }

  function drop({ ask, cancelTimer }: Held): void {
    cancelTimer();
    held.delete(ask.id);
  }

  function asksOf(kind: AskKind): AsksOf<unknown> {
    const { lifetimeSeconds, remembered, ...ofKind } = limits[kind];
    const quiet = openQuiet(ofKind.quiet, elapsed);

    function kept(): Held[] {
      const all = [...held.values()].filter(({ ask }) => ask.kind === kind);
      const late = all.filter(({ endsAt }) => elapsed() >= endsAt);
      // A timer may be late, after sleep above all.
      for (const { ask } of late) moveKept(ask.id, 'timeout', {}, null);
      return late.length === 0 ? all : kept();
    }

    const all = (): Ask[] => kept().map(({ ask }) => ask);
    const waiting = (): Ask[] => all().filter(({ state }) => state === 'waiting');
    const equal = (key: string | null): Held | undefined =>
      key === null ? undefined : kept().find(({ ask }) => ask.key === key);

    function moveKept(id: string, by: AskMove, change: Change<unknown>, who: string | null): boolean {
      const known = held.get(id);
      const next = known === undefined ? null : moved(known.ask, by);
      if (known === undefined || next === null) return false;
      const before = known.ask.state;
      known.ask = changed(next, change);
      if (next.state === 'gone') drop(known);
      else if (next.state !== 'waiting') forgetOldest();
      if (next.state === 'waiting') tell('changed', known.ask);
      else if (before === 'waiting') {
        quiet.heard(known.ask.about, by);
        tell('ended', known.ask, by, who);
        for (const [{ onEnd }, stop] of known.waiters) {
          stop();
          onEnd(by, known.ask);
        }
      }
      return true;
    }

    function forgetOldest(): void {
      const answered = [...held.values()].filter(({ ask }) => ask.kind === kind && ask.state !== 'waiting');
      for (const oldest of answered.slice(0, Math.max(0, answered.length - remembered))) drop(oldest);
    }

    function join(known: Held, waiter: Waiter): void {
      const left = (): void => {
        if (known.waiters.size === 1) moveKept(known.ask.id, 'cancelled', {}, null);
        else if (known.waiters.delete(waiter)) waiter.onEnd('cancelled', known.ask);
      };
      waiter.signal.addEventListener('abort', left, { once: true });
      known.waiters.set(waiter, () => waiter.signal.removeEventListener('abort', left));
    }

    function open({ former, ...asked }: NewAsk): Held {
      const lifetime = lifetimeSeconds * 1000;
      const { id, ...times } = former ?? { id: newId(), askedAt: now(), expiresAt: now() + lifetime, times: 1 };
      const left = times.expiresAt - now();
      const opened: Held = {
        ask: { ...asked, ...times, id, kind, state: 'waiting', runsLeft: 0, isOpened: false },
        // The clock was set back over a restart: nobody knows how old it is.
        endsAt: elapsed() + (left > lifetime ? 0 : left),
        cancelTimer: after(left, () => moveKept(id, 'timeout', {}, null)),
        waiters: new Map(),
      };
      held.set(id, opened);
      return opened;
    }

    function quietAbout(about: string): NoPlace | null {
      const secondsLeft = quiet.secondsLeft(about);
      return secondsLeft === 0 ? null : { kind: 'quiet', secondsLeft };
    }

    function whyNot({ asker, key, about }: NewAsk): NoPlace | null {
      if (equal(key)?.ask.state === 'waiting') return null;
      return quietAbout(about) ?? (placeFor(asker, waiting(), ofKind) === null ? { kind: 'too_many_open' } : null);
    }

    return {
      whyNot,
      waiting,
      all,
      quietAbout,
      heardNo: about => quiet.heard(about, 'no'),
      find: id => waiting().find(ask => ask.id === id) ?? null,
      onEvent: listener => void listeners.push(event => event.ask.kind === kind && listener(event)),

      ask(asked, waiter) {
        if (whyNot(asked) !== null) return null;
        const same = equal(asked.key);
        const isJoined = same?.ask.state === 'waiting';
        if (isJoined) same.ask = changed(same.ask, { times: same.ask.times + 1 });
        // Asked again after its answer, it goes to the end.
        else if (same !== undefined) drop(same);
        const givesWay = isJoined ? [] : (placeFor(asked.asker, waiting(), ofKind) ?? []);
        for (const { id } of givesWay) moveKept(id, 'void', {}, null);
        const opened = isJoined ? same : open(asked);
        if (waiter !== undefined) join(opened, waiter);
        if (!isJoined) tell('asked', opened.ask);
        return opened.ask;
      },

      move: (id, by, change = {}, who = null) => all().some(ask => ask.id === id) && moveKept(id, by, change, who),

      change(id, change, isShown = false) {
        const known = kept().find(({ ask }) => ask.id === id);
        if (known === undefined) return null;
        known.ask = changed(known.ask, change);
        if (isShown && known.ask.state === 'waiting') tell('changed', known.ask);
        return known.ask;
      },
    };
  }

  const parts = {
    question: asksOf('question'),
    request: asksOf('request'),
    increase: asksOf('increase'),
    pairing: asksOf('pairing'),
  };
  return {
    // The facts of a kind come from its own `ask` alone.
    of: <Facts extends object>(kind: AskKind) => parts[kind] as AsksOf<Facts>,
  };
}

function changed(ask: Ask, { facts, ...change }: Change<unknown>): Ask {
  return { ...ask, ...change, ...(facts !== undefined && { facts: { ...(ask.facts as object), ...facts } }) };
}
