/**
 * The owner passphrase (spec §11): not chosen, set, or off. Tries are checked in constant time, one
 * after another; after three wrong ones there is a wait that survives a restart. A forgotten
 * passphrase can be replaced after a day. What needs it is decided elsewhere.
 */

import { passphraseProblem } from '../../../shared/new-passphrase.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import {
  type ChosenPassphrase,
  hashOf,
  isHashOf,
  newScryptCost,
  type PassphraseRecord,
  type PassphraseReset,
  recordIn,
} from './passphrase-record.ts';

/** Limits on guessing the passphrase. */
const passphraseLimits = {
  /** Wrong tries before the wait begins. */
  tries: 3,
  waitSeconds: 60,
  /**
   * Time for the person to notice that somebody resets it: they use Sallyport daily, or are told at
   * login. Only time in which the daemon runs counts, so setting the clock doesn't shorten it.
   */
  resetSeconds: 86_400,
} as const;

const saltBytes = 16;

export interface PassphraseStore {
  /** What `save` got; null if there is none. */
  load(): Promise<string | null>;
  save(record: string): Promise<void>;
  loadTries(): Promise<PassphraseTries>;
  saveTries(tries: PassphraseTries): Promise<void>;
}

export interface PassphraseTries {
  readonly wrong: number;
  /** Milliseconds since 1970; the last wrong try. */
  readonly lastAt: number;
}

type PassphraseCheck =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  /** The try was not checked: the next one may come in `seconds`. */
  | { readonly kind: 'wait'; readonly seconds: number };

/** `none`: nothing can be confirmed until one is chosen. `off`: nothing has to be confirmed. */
export type PassphraseState = 'none' | 'set' | 'off';

export interface OwnerPassphrase {
  state(): PassphraseState;
  /** Who chose it or switched it off; null if unknown. */
  chosen(): ChosenPassphrase | null;
  /**
   * Another passphrase that takes its place at `countsAt` (ISO 8601) if the daemon runs until then;
   * null if none waits.
   */
  reset(): (Pick<PassphraseReset, 'id' | 'at' | 'by'> & { readonly countsAt: string }) | null;
  /** The right passphrase ends a pending reset: whoever types it has not forgotten it. */
  check(typed: string): Promise<PassphraseCheck>;
  /**
   * Sets the passphrase, or another one.
   * @param by who chose it.
   * @param terminal where it was typed; null for the app's window.
   * @returns null, or a sentence on why it isn't accepted.
   */
  set(typed: string, by: string, terminal?: string | null): Promise<string | null>;
  /** @param as `unattended` for a home that is made to work without a person. */
  switchOff(by: string, as?: 'off' | 'unattended'): Promise<void>;
  /** Why nobody has to confirm anything; null if somebody does. */
  whyOff(): 'off' | 'unattended' | null;
  /**
   * Has another passphrase take the place of the present one after a day; until then the present
   * one stays valid.
   * @returns null, or a sentence on why it isn't accepted.
   */
  beginReset(typed: string, by: string): Promise<string | null>;
  /** The person confirms that they chose it. */
  confirmChosen(): Promise<void>;
  /** The public key of Touch ID, if that may confirm in place of the passphrase; else null. */
  touchIdKey(): string | null;
  /** Holds as long as this passphrase. With null, Touch ID confirms nothing from then on. */
  setTouchIdKey(publicKey: string | null): Promise<void>;
}

interface PassphrasePorts {
  readonly store: PassphraseStore;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** How long the daemon has run in all, over restarts (storage/store/believed-clock.ts). */
  readonly ranMilliseconds: () => number;
  /** Whether root confirms that this reset is the owner's. */
  readonly isConfirmedByRoot: (resetId: string) => boolean;
  readonly randomBytes: (count: number) => Buffer;
  readonly newId: () => string;
  /** The cost of hashing a new passphrase; less only in tests. */
  readonly cost?: typeof newScryptCost;
}

/**
 * @param reportDamage called if the stored record can't be read: then there is a passphrase that
 *   nobody knows.
 */
export async function loadOwnerPassphrase(
  ports: PassphrasePorts,
  reportDamage: () => void = () => {},
): Promise<OwnerPassphrase> {
  const { store, now } = ports;
  const cost = ports.cost ?? newScryptCost;
  const loaded = recordIn(await store.load());
  if (loaded.damaged) reportDamage();
  let kept: PassphraseRecord | null = loaded.record;
  let tries = await store.loadTries();
  const inTurn = oneAtATime();

  async function keep(next: PassphraseRecord): Promise<void> {
    await store.save(JSON.stringify(next));
    kept = next;
  }

  function isDue({ id, countsAtRun }: PassphraseReset): boolean {
    return ports.ranMilliseconds() >= countsAtRun || ports.isConfirmedByRoot(id);
  }

  function waiting(): ReturnType<OwnerPassphrase['reset']> {
    if (kept?.reset == null || isDue(kept.reset)) return null;
    const { id, at, by, countsAtRun } = kept.reset;
    return { id, at, by, countsAt: new Date(now() + countsAtRun - ports.ranMilliseconds()).toISOString() };
  }

  /** Once its day has passed, the new passphrase replaces the forgotten one. */
  async function settle(): Promise<void> {
    if (kept?.reset == null || !isDue(kept.reset)) return;
    const { cost: by, salt, hash, ...chosen } = kept.reset;
    await keep({
      version: 1,
      passphrase: { cost: by, salt, hash },
      chosen: { at: chosen.at, by: resetBy(chosen.by), confirmedAt: null },
      reset: null,
    });
  }

  function waitSeconds(): number {
    if (tries.wrong < passphraseLimits.tries) return 0;
    return Math.ceil(passphraseLimits.waitSeconds - sinceLast());
  }

  function sinceLast(): number {
    // If the clock was set back, the wait starts again: nobody must wait for days.
    if (now() < tries.lastAt) tries = { ...tries, lastAt: now() };
    return (now() - tries.lastAt) / 1000;
  }

  async function count(next: PassphraseTries): Promise<void> {
    tries = next;
    await store.saveTries(next);
  }

  async function check(typed: string): Promise<PassphraseCheck> {
    const seconds = waitSeconds();
    if (seconds > 0) return { kind: 'wait', seconds };
    await settle();
    if (kept?.passphrase == null) return { kind: 'wrong', triesLeft: 0 };
    const wrong = sinceLast() < passphraseLimits.waitSeconds ? tries.wrong + 1 : 1;
    // The try is counted before the check, so killing the daemon in between gains none.
    await count({ wrong, lastAt: now() });
    if (!(await isHashOf(typed, kept.passphrase))) {
      return { kind: 'wrong', triesLeft: Math.max(0, passphraseLimits.tries - wrong) };
    }
    await count({ wrong: 0, lastAt: 0 });
    if (kept.reset !== null) await keep({ ...kept, reset: null });
    return { kind: 'right' };
  }

  /** Who chose the passphrase. A reset that is due counts already, before anybody has typed it. */
  function chosenBy(): ChosenPassphrase | null {
    if (kept?.reset == null || !isDue(kept.reset)) return kept?.chosen ?? null;
    return { at: kept.reset.at, by: resetBy(kept.reset.by), confirmedAt: null };
  }

  function chosenNow(by: string): ChosenPassphrase {
    return { at: new Date(now()).toISOString(), by, confirmedAt: null };
  }

  async function set(typed: string, by: string, terminal: string | null = null): Promise<string | null> {
    const problem = passphraseProblem(typed);
    if (problem !== null) return problem;
    const passphrase = await hashOf(typed, ports.randomBytes(saltBytes).toString('base64url'), cost);
    // The tries are stored first: if that failed afterwards, the new passphrase would be set.
    await count({ wrong: 0, lastAt: 0 });
    const chosen = { ...chosenNow(by), ...(terminal !== null && { terminal }) };
    await keep({ version: 1, passphrase, chosen, reset: null });
    return null;
  }

  async function beginReset(typed: string, by: string): Promise<string | null> {
    const problem = passphraseProblem(typed);
    if (problem !== null) return problem;
    await settle();
    if (kept?.passphrase == null) return set(typed, by);
    const hash = await hashOf(typed, ports.randomBytes(saltBytes).toString('base64url'), cost);
    const countsAtRun = ports.ranMilliseconds() + passphraseLimits.resetSeconds * 1000;
    const { at } = chosenNow(by);
    await keep({ ...kept, reset: { id: ports.newId(), ...hash, at, by, countsAtRun } });
    return null;
  }

  await settle();
  return {
    state: () => (kept === null ? 'none' : kept.passphrase === null ? 'off' : 'set'),
    chosen: chosenBy,
    reset: waiting,
    check: typed => inTurn(() => check(typed)),
    set: (typed, by, terminal) => inTurn(() => set(typed, by, terminal)),
    switchOff: (by, as = 'off') =>
      inTurn(() => {
        const isUnattended = as === 'unattended' && { isUnattended: true as const };
        return keep({ version: 1, passphrase: null, chosen: chosenNow(by), reset: null, ...isUnattended });
      }),
    whyOff: () => (kept === null || kept.passphrase !== null ? null : kept.isUnattended ? 'unattended' : 'off'),
    beginReset: (typed, by) => inTurn(() => beginReset(typed, by)),
    touchIdKey: () => kept?.touchIdKey ?? null,
    setTouchIdKey: publicKey =>
      inTurn(async () => {
        if (kept?.passphrase != null) await keep({ ...kept, touchIdKey: publicKey ?? undefined });
      }),
    confirmChosen: () =>
      inTurn(async () => {
        if (kept?.chosen == null) return;
        await keep({ ...kept, chosen: { ...kept.chosen, confirmedAt: new Date(now()).toISOString() } });
      }),
  };
}

/**
 * Who chose a passphrase by a reset. The record says so for good: whoever confirms it afterwards
 * may be the one who reset it.
 */
function resetBy(by: string): string {
  return `a reset by ${by}`;
}
