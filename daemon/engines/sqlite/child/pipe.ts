/**
 * The child's two ends of the conversation with the daemon, both blocking: requests on stdin,
 * replies on stdout. Node leaves both blocking as long as nobody touches `process.stdin`/`stdout`.
 */

import { readSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Reply, Request } from './protocol.ts';

export interface Pipe {
  /** Waits for the next request; null if the daemon is gone. */
  read(): Request | null;
  /** Waits until the replies are in the pipe. */
  write(replies: string): void;
}

export function lineOf(reply: Reply): string {
  return `${JSON.stringify(reply)}\n`;
}

export function openPipe(): Pipe {
  const chunk = Buffer.alloc(65_536);
  const decoder = new StringDecoder('utf8');
  let text = '';
  return {
    read() {
      for (;;) {
        const end = text.indexOf('\n');
        if (end >= 0) {
          const line = text.slice(0, end);
          text = text.slice(end + 1);
          return JSON.parse(line) as Request;
        }
        const length = patiently(() => readSync(0, chunk));
        if (length === 0) return null;
        text += decoder.write(chunk.subarray(0, length));
      }
    },
    write(replies) {
      const bytes = Buffer.from(replies);
      let written = 0;
      while (written < bytes.length) written += patiently(() => writeSync(1, bytes, written));
    },
  };
}

/** If another program made a descriptor non-blocking, it answers EAGAIN instead of waiting. */
function patiently(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
