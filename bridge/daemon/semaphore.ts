/** FIFO semaphore for requests in flight. */

export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a function that gives the place back, or with null once `signal` is aborted. */
  acquire(signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(this.#releaseOnce());
    }
    return new Promise(resolve => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve(this.#releaseOnce());
      };
      const leave = () => {
        this.#waiting.delete(enter);
        resolve(null);
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #releaseOnce(): () => void {
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
