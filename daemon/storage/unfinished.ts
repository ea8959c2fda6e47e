/**
 * Records in the file `unfinished` what a kill would leave outside the home (spec §1): sessions on
 * database servers, exports under way. Each begin and end is one line; the next start reads them.
 * Nothing is synced: it covers the end of the program, not of the machine. A clean stop removes the
 * file.
 */

import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { parsedJson } from '../../shared/json.ts';
import { readPrivateFile } from '../../shared/private-files.ts';
import type { SessionNotes } from '../engines/session-notes.ts';

/** In the home. */
export const unfinishedFile = 'unfinished';

const mostBytes = 4 * 1024 * 1024;
/** After so many lines the file is rewritten with the open entries alone. */
const mostLines = 2_000;

const session = z.object({
  kind: z.literal('session'),
  connection: z.string(),
  note: z.object({ server: z.string() }).catchall(z.union([z.string(), z.number()])),
});
/** By device and inode, too: the path may be the user's own file by then. */
const exported = z.object({ kind: z.literal('export'), path: z.string(), dev: z.number(), ino: z.number() });
const begin = z.object({ begun: z.int(), what: z.discriminatedUnion('kind', [session, exported]) });
const end = z.object({ ended: z.int() });

type Session = z.infer<typeof session>;
type Exported = z.infer<typeof exported>;
type Left<What> = What & {
  /** Call it when the session was ended, or can't be. */
  readonly settled: () => void;
};

export interface Unfinished {
  sessionsOf(connectionId: string): SessionNotes;
  /** @returns a function to call once the file is whole or gone. */
  exportBegun(file: Omit<Exported, 'kind'>): () => void;
  /** Sessions that the last run left open. */
  readonly leftSessions: readonly Left<Session>[];
  readonly leftExports: readonly Left<Exported>[];
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

  function begun(what: Session | Exported): () => void {
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
    sessionsOf: connection => ({ opened: note => begun({ kind: 'session', connection, note }) }),
    exportBegun: exportedFile => begun({ kind: 'export', ...exportedFile }),
    leftSessions: left.filter(each => each.kind === 'session'),
    leftExports: left.filter(each => each.kind === 'export'),
    close() {
      if (file === null) return;
      closeSync(file);
      file = null;
      rmSync(path, { force: true });
    },
  };
}

/** An unreadable line is not ours. */
function read(path: string): (Session | Exported)[] {
  const file = readPrivateFile(path, mostBytes);
  const open = new Map<number, Session | Exported>();
  for (const line of file.kind === 'read' ? file.text.split('\n') : []) {
    const parsed = parsedJson(line);
    const begun = begin.safeParse(parsed).data;
    if (begun !== undefined) open.set(begun.begun, begun.what);
    const ended = end.safeParse(parsed).data;
    if (ended !== undefined) open.delete(ended.ended);
  }
  return [...open.values()];
}
