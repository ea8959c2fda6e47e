/**
 * The children of one connection: started on demand, at most `most`, others wait; idle ones end
 * after a while.
 */

import { Changes } from '../changes.ts';
import type { Child } from './link.ts';

interface ChildPool {
  /** @returns null if `ending` was aborted before a child was free. */
  acquire(ending: AbortSignal): Promise<Child | null>;
  /**
   * Gives back a child that waits for its next statement. One that ended is forgotten by itself.
   */
  release(child: Child): void;
  /** Kills all and resolves when they are gone. */
  close(): Promise<void>;
}

export interface PoolLimits {
  readonly most: number;
  readonly idleMilliseconds: number;
}

export function openPool(start: () => Child, limits: PoolLimits): ChildPool {
  const alive = new Set<Child>();
  const idle = new Map<Child, NodeJS.Timeout>();
  const changes = new Changes();

  const takeIdle = (): Child | null => {
    // The one used last is the warmest, and lets the others age.
    const [child, timer] = [...idle].at(-1) ?? [];
    if (!child) return null;
    clearTimeout(timer);
    idle.delete(child);
    return child;
  };
  const startOne = (): Child => {
    const child = start();
    alive.add(child);
    void child.gone.then(() => {
      alive.delete(child);
      clearTimeout(idle.get(child));
      idle.delete(child);
      changes.tell();
    });
    return child;
  };

  return {
    async acquire(ending) {
      while (!ending.aborted) {
        const child = takeIdle() ?? (alive.size < limits.most ? startOne() : null);
        if (child) return child;
        await changes.next(ending);
      }
      return null;
    },
    release(child) {
      if (!alive.has(child)) return;
      const timer = setTimeout(() => {
        // A dying child is no longer lent.
        idle.delete(child);
        child.kill();
      }, limits.idleMilliseconds);
      timer.unref();
      idle.set(child, timer);
      changes.tell();
    },
    async close() {
      const ends = [...alive].map(child => child.gone);
      for (const child of alive) child.kill();
      await Promise.all(ends);
    },
  };
}
