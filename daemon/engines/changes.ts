/**
 * Where a pool's calls wait for a session to come back or its place to be free, each until the next
 * change, and then look again. It is no queue: whose turn it is was decided before
 * (sessions-in-turn.ts), and what is waited for here is on its way.
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

  /** @param signal not aborted yet; it ends the wait too. */
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
