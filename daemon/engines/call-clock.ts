/**
 * The clock and the stage of one call, from its arrival to its answer. Whatever the call waits for
 * uses up the same time, and notes here what it is. The words for a client are made in
 * daemon/statement/waiting-words.ts.
 */

/** What a call waits for, in this order. Before `statement` nothing of the client's was sent. */
export type Stage = 'place' | 'session' | 'password' | 'tunnel' | 'file' | 'sign_in' | 'statement' | 'commit';

export class CallClock {
  /** How often something was sent that may stay. */
  sentToStay = 0;
  /** Resolves once the call's outcome is known, and with it `mayStay`. */
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

  /**
   * The call arrives now.
   * @param now monotonic milliseconds.
   * @param seconds the time of the whole call; `allow` may raise it.
   */
  constructor(now: () => number, seconds = 0) {
    this.#now = now;
    this.#seconds = seconds;
    this.#arrivedAt = now();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.end = resolve;
  }

  /**
   * True while what was sent may stay although nobody sees its end: during COMMIT, outside a
   * transaction, or in tables without transactions.
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

  /** Milliseconds of the call's time in which no statement of it ran. */
  waited(): number {
    const runs = this.#stage === 'statement' || this.#stage === 'commit';
    return this.#waited + (runs ? 0 : this.#spent() - this.#stageBegan);
  }

  /** Milliseconds since the call arrived. */
  took(): number {
    return this.#now() - this.#arrivedAt;
  }

  /** Raises the call's time to a part's time: the call may take as long as its longest part. */
  allow(seconds: number): void {
    this.#seconds = Math.max(this.#seconds, seconds);
  }

  /** Milliseconds that are left of the call's time, not below 0. */
  left(): number {
    return Math.max(0, this.#seconds * 1_000 - this.#spent());
  }

  #spent(): number {
    return this.took() - this.#uncounted;
  }

  /** Does work that doesn't use up the call's time, such as waiting for a person's answer. */
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

/** Milliseconds for a part of a call: its own time, or what is left of the call's if less. */
export function millisecondsLeft({ clock, timeoutSeconds }: Timed): number {
  return Math.min(timeoutSeconds * 1_000, clock?.left() ?? Number.POSITIVE_INFINITY);
}

/**
 * How long after the call's time a server's limit may end: getting the session took a part of the
 * time.
 */
const lateMilliseconds = 250;
/**
 * How long after its time the call is stopped. The server's own end of the statement says more, and
 * is on its way until then.
 */
export const stopMilliseconds = lateMilliseconds + 150;

/**
 * The time limit that a server gets for a statement, in seconds. They are whole if they can be, so
 * that a call that waited for nothing has the same limit as the call before it in the session. The
 * limit is over well before the call is stopped, so a server without an answer by then is silent.
 */
export function serverSeconds(timed: Timed): number {
  const milliseconds = millisecondsLeft(timed);
  const whole = Math.floor((milliseconds + lateMilliseconds) / 1_000);
  return Math.min(timed.timeoutSeconds, whole > 0 ? whole : Math.max(0.1, Math.ceil(milliseconds / 100) / 10));
}

/** The same, with the server's limit as its time: it stays that, however late somebody asks. */
export function withServerSeconds<T extends Timed>(timed: T): T & { readonly clock: undefined } {
  return { ...timed, timeoutSeconds: serverSeconds(timed), clock: undefined };
}

/** Seconds for a sentence: to a tenth of a second, or to one digit below a second. */
export function secondsOf(milliseconds: number): number {
  const seconds = milliseconds / 1_000;
  return Number(seconds < 1 ? seconds.toPrecision(1) : seconds.toFixed(1));
}

/**
 * How long a statement may wait for a lock. It is less than the statement's time, so that the
 * server's error about the lock comes first: it says more.
 */
export function lockMilliseconds(statementMilliseconds: number): number {
  return statementMilliseconds - Math.min(1_000, statementMilliseconds / 5);
}
