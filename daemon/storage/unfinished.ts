/**
 * Records in the file `unfinished` what a kill would leave outside the home (spec §1): exports
 * under way, and COMMITs whose end nobody saw. Each begin and end is one line; the next start reads
 * them. Nothing is synced: it covers the end of the program, not of the machine. A clean stop
 * leaves the COMMITs alone in it, or removes the file.
 */

import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { parsedJson } from '../../shared/json.ts';
import { readPrivateFile } from '../../shared/private-files.ts';

/** The file's name in the home. */
export const unfinishedFile = 'unfinished';

const mostBytes = 4 * 1024 * 1024;
/** After so many lines the file is rewritten with the open entries alone. */
const mostLines = 2_000;

/** Device and inode tell it, too: at the path there may be the user's own file by then. */
const exported = z.object({ kind: z.literal('export'), path: z.string(), dev: z.number(), ino: z.number() });
/** Sealed by whoever keeps it: a line of another program's must not get into the log. */
const commit = z.object({ kind: z.literal('commit'), text: z.string() });
const begin = z.object({ begun: z.int(), what: z.discriminatedUnion('kind', [exported, commit]) });
const end = z.object({ ended: z.int() });

type Exported = z.infer<typeof exported>;
type Commit = z.infer<typeof commit>;
type What = z.infer<typeof begin>['what'];
type Left<Kind> = Kind & {
  /** Call it when nothing is left to do about it. */
  readonly settled: () => void;
};

export interface Unfinished {
  /** @returns a function to call once the file is whole or gone. */
  exportBegun(file: Omit<Exported, 'kind'>): () => void;
  readonly leftExports: readonly Left<Exported>[];
  /** @returns a function to call once its end is known. */
  commitBegun(text: string): () => void;
  readonly leftCommits: readonly Left<Commit>[];
  close(): void;
}

/** @param report called if nothing can be recorded. */
export function openUnfinished(path: string, report: (error: unknown) => void): Unfinished {
  const before = read(path);
  const open = new Map<number, string>();
  let file: number | null = null;
  let number = 0;
  let lines = 0;
  try {
    rmSync(path, { force: true });
    file = openSync(path, 'ax', 0o600);
  } catch (error) {
    report(error);
  }

  function write(text: string): void {
    if (file === null) return;
    try {
      if (lines >= mostLines) {
        ftruncateSync(file);
        lines = open.size;
        writeSync(file, [...open.values()].join(''));
      } else {
        lines += 1;
        writeSync(file, text);
      }
    } catch (error) {
      // The disk is full: what was recorded so far stays.
      report(error);
    }
  }

  function begun(what: What): () => void {
    number += 1;
    const own = number;
    const line = `${JSON.stringify({ begun: own, what })}\n`;
    open.set(own, line);
    write(line);
    return () => {
      if (open.delete(own)) write(`${JSON.stringify({ ended: own })}\n`);
    };
  }

  const left = before.map(what => ({ ...what, settled: begun(what) }));
  return {
    exportBegun: exportedFile => begun({ kind: 'export', ...exportedFile }),
    leftExports: left.filter(each => each.kind === 'export'),
    commitBegun: text => begun({ kind: 'commit', text }),
    leftCommits: left.filter(each => each.kind === 'commit'),
    close() {
      if (file === null) return;
      const commits = [...open.values()].filter(line => line.includes('"kind":"commit"'));
      try {
        ftruncateSync(file);
        writeSync(file, commits.join(''));
      } catch (error) {
        report(error);
      }
      closeSync(file);
      file = null;
      if (commits.length === 0) rmSync(path, { force: true });
    },
  };
}

/** An unreadable line is not ours. */
function read(path: string): What[] {
  const file = readPrivateFile(path, mostBytes);
  const open = new Map<number, What>();
  for (const line of file.kind === 'read' ? file.text.split('\n') : []) {
    const parsed = parsedJson(line);
    const begun = begin.safeParse(parsed).data;
    if (begun !== undefined) open.set(begun.begun, begun.what);
    const ended = end.safeParse(parsed).data;
    if (ended !== undefined) open.delete(ended.ended);
  }
  return [...open.values()];
}
