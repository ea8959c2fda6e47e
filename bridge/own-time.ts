/**
 * The time that a call gives itself (`timeout_seconds`): ends its wait if it isn't sent by then.
 * What was sent keeps its wait. Knows no request, sends and words nothing.
 */

/** What a request that isn't sent yet waits for: the daemon, or a place among those under way. */
type Awaited = 'daemon' | 'place';

export class OwnTime {
  /** Aborted when the client no longer wants an answer, or this time is over before the sending. */
  readonly signal: AbortSignal;
  waitsFor: Awaited = 'daemon';
  #isSent = false;
  #isOver = false;
  readonly #giveUp: () => void;
  readonly #end: () => void;

  /**
   * @param milliseconds undefined: it gives itself none.
   * @param cancelled aborted when the client no longer wants an answer.
   * @param onOver called at most once, with what it waited for.
   */
  constructor(milliseconds: number | undefined, cancelled: AbortSignal, onOver: (awaited: Awaited) => void) {
    if (milliseconds === undefined) {
      this.signal = cancelled;
      this.#giveUp = () => {};
      this.#end = () => {};
      return;
    }
    const controller = new AbortController();
    const cancel = () => controller.abort();
    this.signal = controller.signal;
    this.#giveUp = () => {
      if (this.#isSent || !this.#isOver || controller.signal.aborted) return;
      controller.abort();
      onOver(this.waitsFor);
    };
    const timer = setTimeout(() => {
      this.#isOver = true;
      this.#giveUp();
    }, milliseconds);
    cancelled.addEventListener('abort', cancel, { once: true });
    this.#end = () => {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', cancel);
    };
  }

  /** @param isSent false again if nobody acted on what was sent. */
  sent(isSent: boolean): void {
    this.#isSent = isSent;
    this.#giveUp();
  }

  end(): void {
    this.#end();
  }
}
