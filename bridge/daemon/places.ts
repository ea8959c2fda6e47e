/** FIFO semaphore for requests in flight. */

export class Places {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Resolves with what gives the place back, once there is one; with null when nobody wants it any
   * more.
   */
  take(signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(this.#giveBack());
    }
    return new Promise(resolve => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve(this.#giveBack());
      };
      const leave = () => {
        this.#waiting.delete(enter);
        resolve(null);
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #giveBack(): () => void {
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      const [next] = this.#waiting;
      if (next === undefined) this.#free++;
      else {
        this.#waiting.delete(next);
        next();
      }
    };
  }
}
