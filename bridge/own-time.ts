/**
 * The time that a call gives itself (`timeout_seconds`): ends its wait if it isn't sent by then.
 * What was sent keeps its wait. Knows no request, sends and words nothing.
 */

/** What a request that isn't sent yet waits for: the daemon, or a place among those under way. */
type Awaited = 'daemon' | 'place';

export class OwnTime {
  waitsFor: Awaited = 'daemon';
  #isSent = false;
  #isOver = false;
  readonly #giveUp: () => void;
  readonly #timer: NodeJS.Timeout | undefined;

  /**
   * @param milliseconds undefined: it gives itself none.
   * @param abort of the request; the client's own word may have aborted it.
   * @param onOver called at most once, with what it waited for.
   */
  constructor(milliseconds: number | undefined, abort: AbortController, onOver: (awaited: Awaited) => void) {
    this.#giveUp = () => {
      if (this.#isSent || !this.#isOver || abort.signal.aborted) return;
      abort.abort();
      onOver(this.waitsFor);
    };
    if (milliseconds === undefined) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#giveUp();
    }, milliseconds);
  }

  /** @param isSent false again if nobody acted on what was sent. */
  sent(isSent: boolean): void {
    this.#isSent = isSent;
    this.#giveUp();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
