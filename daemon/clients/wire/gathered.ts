/**
 * Gathers what one side is to get, and writes it as one packet as soon as nothing more can be said
 * without waiting. Each packet wakes a process, which takes longer than a message.
 */

import type { Duplex } from 'node:stream';

export interface Gathered {
  add(bytes: Buffer): void;
  /** Writes now. */
  flush(): void;
  /** What is gathered and not written yet. */
  readonly bytes: number;
}

/** Copied into one piece up to here; beyond, each piece is written as it is. */
const copiedBytes = 64 * 1024;

/** @param written is called behind each packet. */
export function gathered(line: Duplex, written: () => void = () => {}): Gathered {
  let waiting: Buffer[] = [];
  let bytes = 0;

  function flush(): void {
    const out = waiting;
    const total = bytes;
    if (out.length === 0) return;
    waiting = [];
    bytes = 0;
    if (line.destroyed || line.writableEnded) return;
    if (total <= copiedBytes) line.write(out.length === 1 ? out[0] : Buffer.concat(out, total));
    else {
      line.cork();
      for (const each of out) line.write(each);
      line.uncork();
    }
    written();
  }

  return {
    add(piece) {
      waiting.push(piece);
      bytes += piece.length;
      // Ticks come before promises, unless one asks for the tick.
      if (waiting.length === 1) queueMicrotask(later);
    },
    flush,
    get bytes() {
      return bytes;
    },
  };

  function later(): void {
    process.nextTick(flush);
  }
}
