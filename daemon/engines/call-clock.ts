/**
 * One clock and one stage of a call, from its arrival to its answer: whatever it waits for takes
 * from the same time, and says here what it is. Only the rule; a client reads the words of
 * daemon/statement/waiting-words.ts.
 */

/** What a call waits for, in their order. Before `statement` nothing of the client's was sent. */
export type Stage = 'place' | 'session' | 'password' | 'tunnel' | 'file' | 'sign_in' | 'statement' | 'commit';

export class CallClock {
  /** How often something was sent that may stay. */
  sentToStay = 0;
  /** Resolves once its outcome is known, and `mayStay` with it. */
  readonly over: Promise<void>;
  readonly end: () => void;
  readonly #now: () => number;
  readonly #arrivedAt: number;
  #stage: Stage = 'place';
  #stageBegan = 0;
  #waited = 0;
  #mayStay = false;
  #uncounted = 0;
  #seconds: number;

  /** @param now monotonic milliseconds; the call arrives now. */
  constructor(now: () => number, seconds = 0) {
    this.#now = now;
    this.#seconds = seconds;
    this.#arrivedAt = now();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.end = resolve;
  }

  /**
   * True while what was sent may stay although nobody sees its end: in COMMIT, in no transaction,
   * in tables without transactions.
   */
  get mayStay(): boolean {
    return this.#mayStay;
  }

  set mayStay(mayStay: boolean) {
    this.#mayStay = mayStay;
    if (mayStay) this.sentToStay += 1;
  }

  get stage(): Stage {
    return this.#stage;
  }

  set stage(stage: Stage) {
    this.#waited = this.waited();
    this.#stageBegan = this.#spent();
    this.#stage = stage;
  }

  /** Milliseconds of its time in which no statement of it ran. */
  waited(): number {
    const runs = this.#stage === 'statement' || this.#stage === 'commit';
    return this.#waited + (runs ? 0 : this.#spent() - this.#stageBegan);
  }

  /** Milliseconds since it arrived. */
  took(): number {
    return this.#now() - this.#arrivedAt;
  }

  /** The whole call may take as long as the longest of its parts. */
  allow(seconds: number): void {
    this.#seconds = Math.max(this.#seconds, seconds);
  }

  /** Milliseconds that are left of it, not below 0. */
  left(): number {
    return Math.max(0, this.#seconds * 1_000 - this.#spent());
  }

  #spent(): number {
    return this.took() - this.#uncounted;
  }

  /** The time in which a person answers a question isn't the call's. */
  async uncounted<T>(work: () => Promise<T>): Promise<T> {
    const from = this.#now();
    try {
      return await work();
    } finally {
      this.#uncounted += this.#now() - from;
    }
  }
}

interface Timed {
  readonly timeoutSeconds: number;
  readonly clock?: CallClock | undefined;
}

/** Milliseconds for a part of a call: its own time, within what is left of the call's. */
export function millisecondsLeft({ clock, timeoutSeconds }: Timed): number {
  return Math.min(timeoutSeconds * 1_000, clock?.left() ?? Number.POSITIVE_INFINITY);
}

/** A server's limit may be over so long after the call's time: its session took part of that. */
const lateMilliseconds = 250;
/** When the call is stopped. The server's own end of a statement says more, and is on its way. */
export const stopMilliseconds = lateMilliseconds + 150;

/**
 * The limit that a server gets: whole seconds, so that a call that waited for nothing has the same
 * limit as the one before it in its session. It is over well before the call is stopped: a server
 * that has said nothing until then is silent.
 */
export function serverSeconds(timed: Timed): number {
  const milliseconds = millisecondsLeft(timed);
  const whole = Math.floor((milliseconds + lateMilliseconds) / 1_000);
  return Math.min(timed.timeoutSeconds, whole > 0 ? whole : Math.max(0.1, Math.ceil(milliseconds / 100) / 10));
}

/** The same with that limit for good: all who ask it get the same seconds, however late. */
export function withServerSeconds<T extends Timed>(timed: T): T & { readonly clock: undefined } {
  return { ...timed, timeoutSeconds: serverSeconds(timed), clock: undefined };
}

/** For words: to a tenth of a second, or to one digit. */
export function secondsOf(milliseconds: number): number {
  const seconds = milliseconds / 1_000;
  return Number(seconds < 1 ? seconds.toPrecision(1) : seconds.toFixed(1));
}

/** How long it may wait for a lock: the server's error then comes first, and says more. */
export function lockMilliseconds(statementMilliseconds: number): number {
  return statementMilliseconds - Math.min(1_000, statementMilliseconds / 5);
}
