/**
 * Lets a pool's calls wait until a session comes back or a place is free; each waits for the next
 * change, then looks again. This is no queue: sessions-in-turn.ts has decided whose turn it is.
 */

export class Changes {
  readonly #waiting = new Set<() => void>();

  /** How many calls wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  tell(): void {
    for (const goOn of [...this.#waiting]) goOn();
  }

  /** @param signal not aborted yet; aborting ends the wait. */
  next(signal: AbortSignal, milliseconds?: number): Promise<void> {
    return new Promise(resolve => {
      const goOn = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(goOn);
        signal.removeEventListener('abort', goOn);
        resolve();
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(goOn, milliseconds);
      this.#waiting.add(goOn);
      signal.addEventListener('abort', goOn, { once: true });
    });
  }
}
