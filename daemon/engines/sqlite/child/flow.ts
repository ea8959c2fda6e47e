/**
 * Rows on their way from the child to the daemon: in batches, counted against `wireBytes`, and at
 * most two batches ahead of the reader, so a million rows wait in the file and not in memory.
 */

import type { Column } from '../../engine.ts';
import type { RowText } from '../../row-text.ts';
import { lineOf, type Pipe } from './pipe.ts';
import { type Did, type Reply, unansweredBatches } from './protocol.ts';

const batchBytes = 65_536;
const batchRows = 200;
/** The first rows of a slow statement don't wait for a full batch. */
const batchMilliseconds = 20;

const endOfBatch = lineOf({ kind: 'batch' });

export type Onward = 'on' | 'stopped' | 'wire_full';

export interface Flow {
  columns(columns: readonly Column[]): Onward;
  row(row: RowText): Onward;
  changed(did: Did): void;
  /** @returns whether the daemon wants the changes committed; false if it is gone. */
  mayCommit(did: Did): boolean;
  /** Reports at once that the changes may stay from now on. */
  staying(): void;
  /** Sends what is left and the last reply, in one write. */
  end(reply: Reply): void;
}

export function openFlow(pipe: Pipe, wireBytes: number): Flow {
  let sentBytes = 0;
  let unanswered = 0;
  let head = '';
  let rows: string[] = [];
  let rowsBytes = 0;
  let lastFlush = performance.now();

  const taken = (): string => {
    const text = rows.length === 0 ? head : `${head}${rows.join('\n')}\n`;
    head = '';
    rows = [];
    rowsBytes = 0;
    return text;
  };
  const flush = (): Onward => {
    while (unanswered >= unansweredBatches) {
      const answer = pipe.read();
      if (answer?.kind !== 'more') return 'stopped';
      unanswered -= 1;
    }
    pipe.write(taken() + endOfBatch);
    unanswered += 1;
    lastFlush = performance.now();
    return 'on';
  };
  const counted = (text: string): number | null => {
    const bytes = Buffer.byteLength(text);
    if (sentBytes + bytes > wireBytes) return null;
    sentBytes += bytes;
    return bytes;
  };

  return {
    columns(columns) {
      const line = lineOf({ kind: 'columns', columns });
      if (counted(line) === null) return 'wire_full';
      head = line;
      return 'on';
    },
    row({ json, cuts }) {
      const bytes = counted(json);
      if (bytes === null) return 'wire_full';
      if (cuts.length > 0) rows.push(JSON.stringify({ kind: 'cut', cuts } satisfies Reply));
      rows.push(json);
      rowsBytes += bytes;
      const due =
        rowsBytes >= batchBytes || rows.length >= batchRows || performance.now() - lastFlush > batchMilliseconds;
      return due ? flush() : 'on';
    },
    changed(did) {
      pipe.write(lineOf({ kind: 'changed', ...did }));
    },
    mayCommit(did) {
      pipe.write(lineOf({ kind: 'changed', ...did }));
      for (let answer = pipe.read(); answer !== null; answer = pipe.read()) {
        // Anything else answers an earlier batch and crossed the question on its way.
        if (answer.kind === 'commit' || answer.kind === 'take_back') return answer.kind === 'commit';
      }
      return false;
    },
    staying() {
      pipe.write(lineOf({ kind: 'staying' }));
    },
    end(reply) {
      // No answer to these rows comes, as nothing follows them.
      pipe.write(taken() + lineOf(reply));
    },
  };
}
