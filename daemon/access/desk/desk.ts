/**
 * Keeps all that waits for the person (spec §12). It decides who may ask, sees to it that each ask
 * gets one answer, and tells who listens. What an answer allows is decided by the ask's kind. The
 * desk runs nothing and shows nothing.
 */

import { createHash } from 'node:crypto';
import { type Ask, type AskKind, type AskMove, moved } from './ask.ts';
import { askLimits, type KindLimits } from './kinds.ts';
import { openQuiet, type Quiet } from './quiet.ts';
import { placeFor } from './room.ts';

export interface DeskPorts {
  /** Wall clock, milliseconds since 1970: what people see, and what outlives a restart. */
  readonly now: () => number;
  /**
   * Milliseconds of a clock that is never set and never stands still. It decides when an ask ends
   * (access/limits/elapsed-clock.ts).
   */
  readonly elapsed: () => number;
  /** Runs once after so long, unless the returned function is called first. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  readonly newId: () => string;
  /** Called with what a listener throws: the others hear all the same. */
  readonly report: (error: unknown) => void;
  /** For tests that can't wait. */
  readonly limits?: Readonly<Record<AskKind, KindLimits>>;
}

/** Why something is not asked. */
export type NoPlace =
  | { readonly kind: 'too_many_open' }
  /** The person has said no lately: nothing is asked about the same for so long. */
  | { readonly kind: 'quiet'; readonly secondsLeft: number };

export interface DeskEvent<Facts = unknown> {
  /** `changed`: the ask waits again, or shows something else. `ended`: it waits no more. */
  readonly what: 'asked' | 'changed' | 'ended';
  readonly ask: Ask<Facts>;
  /** What ended it; null for the other events. */
  readonly because: AskMove | null;
  /** Who answered, and how that was confirmed; null if nobody did. */
  readonly by: string | null;
}

export interface NewAsk<Facts = unknown> extends Pick<Ask<Facts>, 'asker' | 'key' | 'about' | 'facts'> {
  /** What is known of an ask that outlived a restart. */
  readonly former?: Pick<Ask, 'id' | 'askedAt' | 'expiresAt' | 'times'>;
}

/** How an ask ended, for one who waits for it. */
export interface Ended<Facts = unknown> {
  readonly ask: Ask<Facts>;
  readonly because: AskMove;
}

type Change<Facts> = Partial<Pick<Ask, 'times' | 'isOpened' | 'runsLeft'>> & { readonly facts?: Partial<Facts> };

/** The asks of one kind. */
export interface AsksOf<Facts> {
  /** Why this is not asked now, or null. An equal ask that waits is always joined. */
  whyNot(asked: NewAsk): NoPlace | null;
  /**
   * Asks, or joins an equal ask that waits.
   * @param signal of a caller who waits: not aborted yet, and aborted once they leave. When the
   *   last one leaves, the ask ends. Without a signal nobody waits, and `ended` never resolves.
   * @returns null if it is not asked.
   */
  ask(asked: NewAsk<Facts>, signal?: AbortSignal): { ask: Ask<Facts>; ended: Promise<Ended<Facts>> } | null;
  /** The asks that wait and the answered ones that are remembered, oldest first. */
  all(): readonly Ask<Facts>[];
  waiting(): readonly Ask<Facts>[];
  /** How many found no place, or lost it to another, within the time that an ask waits. */
  unkept(): number;
  /** An ask that waits. */
  find(id: string): Ask<Facts> | null;
  /**
   * @param by who answered, and how that was confirmed.
   * @returns false if the ask isn't kept or has no such move: so an answer comes once, and in time.
   */
  move(id: string, move: AskMove, change?: Change<Facts>, by?: string | null): boolean;
  /**
   * @param isShown true if its card reads otherwise now, so that listeners are told.
   * @returns null if the ask isn't kept.
   */
  change(id: string, change: Change<Facts>, isShown?: boolean): Ask<Facts> | null;
  onEvent(listener: (event: DeskEvent<Facts>) => void): void;
}

export interface Desk {
  of<Facts extends object>(kind: AskKind): AsksOf<Facts>;
  /** @param listener gets the events of every kind. */
  onEvent(listener: (event: DeskEvent) => void): void;
}

/** An ask with what the desk needs to end it. */
interface Held {
  ask: Ask;
  /** By the clock `elapsed`. */
  readonly endsAt: number;
  /** The place of its answer among all answers of the desk, from 1 on; 0 while it waits. */
  answered: number;
  readonly cancelTimer: () => void;
  readonly waiters: Set<(ended: Ended) => void>;
}

export function openDesk({ now, elapsed, after, newId, report, limits = askLimits }: DeskPorts): Desk {
  /** By id, oldest first. */
  const held = new Map<string, Held>();
  let answers = 0;
  const listeners: ((event: DeskEvent) => void)[] = [];
  const kinds = Object.keys(limits) as AskKind[];
  const quiets = Object.fromEntries(kinds.map(kind => [kind, openQuiet(limits[kind].quiet, elapsed)])) as Record<
    AskKind,
    Quiet
  >;

  function tell(what: DeskEvent['what'], ask: Ask, because: AskMove | null = null, by: string | null = null): void {
    for (const listener of listeners) {
      try {
        listener({ what, ask, because, by });
      } catch (error) {
        report(error);
      }
    }
  }

  function drop({ ask, cancelTimer }: Held): void {
    cancelTimer();
    held.delete(ask.id);
  }

  function asksOf(kind: AskKind): AsksOf<unknown> {
    const { lifetimeSeconds, remembered = 0, quiet: _quiet, quietOf = kind, ...places } = limits[kind];
    const quiet = quiets[quietOf];
    /** When an ask was lost last, by `elapsed`, for each key's mark; the newest is last. */
    const lostAt = new Map<unknown, number>();
    const kept = (): Held[] => [...held.values()].filter(({ ask }) => ask.kind === kind);
    const waiting = (): Ask[] => all().filter(({ state }) => state === 'waiting');
    const place = ({ asker, facts }: NewAsk) => placeFor(asker, bytesOf(facts), waiting(), places);

    function all(): Ask[] {
      // A timer may be late, above all after the machine slept.
      for (const { ask, endsAt } of kept()) if (elapsed() >= endsAt) move(ask.id, 'timeout');
      return kept().map(({ ask }) => ask);
    }

    function move(id: string, by: AskMove, change: Change<unknown> = {}, who: string | null = null): boolean {
      const one = held.get(id);
      const next = one?.ask.kind === kind ? moved(one.ask, by) : null;
      if (one === undefined || next === null) return false;
      const wasWaiting = one.ask.state === 'waiting';
      one.ask = changed(next, change);
      if (wasWaiting) one.answered = ++answers;
      const answered = kept().filter(({ ask }) => ask.state !== 'waiting');
      answered.sort((a, b) => a.answered - b.answered);
      for (const oldest of answered.slice(0, Math.max(0, answered.length - remembered))) drop(oldest);
      if (next.state === 'gone') drop(one);
      if (next.state === 'waiting') tell('changed', one.ask);
      else if (wasWaiting) {
        quiet.heard(one.ask.about, by);
        tell('ended', one.ask, by, who);
        for (const leave of one.waiters) leave({ ask: one.ask, because: by });
      }
      return true;
    }

    function join(one: Held, signal: AbortSignal | undefined): Promise<Ended> {
      return new Promise(resolve => {
        if (signal === undefined) return;
        const leave = (ended: Ended): void => {
          signal.removeEventListener('abort', onAbort);
          one.waiters.delete(leave);
          resolve(ended);
        };
        const onAbort = (): void => {
          if (one.waiters.size === 1) move(one.ask.id, 'cancelled');
          else leave({ ask: one.ask, because: 'cancelled' });
        };
        signal.addEventListener('abort', onAbort);
        one.waiters.add(leave);
      });
    }

    function open({ former, ...asked }: NewAsk): Held {
      const lifetime = lifetimeSeconds * 1000;
      const at = now();
      const { id, ...times } = former ?? { id: newId(), askedAt: at, expiresAt: at + lifetime, times: 1 };
      // An ask from the future: the clock was set back over a restart, and nobody knows its age.
      const left = times.expiresAt - at > lifetime ? 0 : times.expiresAt - at;
      const ask: Ask = {
        ...asked,
        ...times,
        id,
        kind,
        state: 'waiting',
        runsLeft: 0,
        isOpened: false,
        bytes: bytesOf(asked.facts),
      };
      const one = {
        ask,
        endsAt: elapsed() + left,
        answered: 0,
        cancelTimer: after(left, () => move(id, 'timeout')),
        waiters: new Set<never>(),
      };
      held.set(id, one);
      return one;
    }

    function lose(key: string | null): void {
      const mark = markOf(key);
      lostAt.delete(mark);
      lostAt.set(mark, elapsed());
      const [oldest] = lostAt.keys();
      if (lostAt.size > mostLost) lostAt.delete(oldest);
    }

    function equalTo({ key }: NewAsk): Held | null {
      const id = key === null ? undefined : all().find(ask => ask.key === key)?.id;
      return (id !== undefined && held.get(id)) || null;
    }

    function whyNot(asked: NewAsk): NoPlace | null {
      if (equalTo(asked)?.ask.state === 'waiting') return null;
      const secondsLeft = quiet.secondsLeft(asked.about);
      if (secondsLeft > 0) return { kind: 'quiet', secondsLeft };
      return place(asked) === null ? { kind: 'too_many_open' } : null;
    }

    return {
      whyNot,
      all,
      unkept() {
        for (const [key, at] of lostAt) if (elapsed() - at >= lifetimeSeconds * 1000) lostAt.delete(key);
        return lostAt.size;
      },
      waiting,
      find: id => waiting().find(ask => ask.id === id) ?? null,
      onEvent: listener => void listeners.push(event => event.ask.kind === kind && listener(event)),

      ask(asked, signal) {
        const refused = whyNot(asked);
        if (refused?.kind === 'too_many_open') lose(asked.key);
        if (refused !== null) return null;
        const equal = equalTo(asked);
        if (equal?.ask.state === 'waiting') {
          equal.ask = changed(equal.ask, { times: equal.ask.times + 1 });
          return { ask: equal.ask, ended: join(equal, signal) };
        }
        // What is asked again after its answer is a new ask, at the end.
        if (equal !== null) drop(equal);
        for (const { id, key } of place(asked) ?? []) if (move(id, 'void')) lose(key);
        lostAt.delete(markOf(asked.key));
        const one = open(asked);
        const ended = join(one, signal);
        tell('asked', one.ask);
        return { ask: one.ask, ended };
      },

      move(id, by, change, who) {
        all();
        return move(id, by, change, who);
      },

      change(id, change, isShown = false) {
        const one = all().some(ask => ask.id === id) ? held.get(id) : undefined;
        if (one === undefined) return null;
        one.ask = changed(one.ask, change);
        if (isShown && one.ask.state === 'waiting') tell('changed', one.ask);
        return one.ask;
      },
    };
  }

  const parts = Object.fromEntries(kinds.map(kind => [kind, asksOf(kind)])) as Record<AskKind, AsksOf<unknown>>;
  // The facts of a kind come from its own `ask` alone.
  return {
    of: <Facts extends object>(kind: AskKind) => parts[kind] as AsksOf<Facts>,
    onEvent: listener => void listeners.push(listener),
  };
}

/** What an ask's other members and its card add to its facts. */
const cardBytes = 1_024;

/** About what an ask takes of a line. A sealed message is JSON in JSON: a line feed takes three. */
function bytesOf(facts: unknown): number {
  return cardBytes + Buffer.byteLength(JSON.stringify(JSON.stringify(facts)));
}

/** A short mark for a key, which may hold a whole statement. Without a key each mark is new. */
function markOf(key: string | null): unknown {
  return key === null ? Symbol() : createHash('sha256').update(key).digest('base64');
}

/** `unkept` tells at most so many. */
const mostLost = 1_000;

function changed(ask: Ask, { facts, ...change }: Change<unknown>): Ask {
  return { ...ask, ...change, ...(facts !== undefined && { facts: { ...(ask.facts as object), ...facts } }) };
}
