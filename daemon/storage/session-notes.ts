/**
 * Notes the sessions that are open on database servers in the file `sessions` (spec §7): a line for each begin and end. Nothing is synced:
 * what a crash of the machine takes, it took the session's own end of the line with. A clean stop removes the file.
 */

import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { parsedJson } from '../../shared/json.ts';
import { readPrivateFile } from '../../shared/private-files.ts';
import type { SessionNote, SessionNotes } from '../query/session-notes.ts';

/** In the home. */
export const sessionsFile = 'sessions';

const mostBytes = 4 * 1024 * 1024;
/** Of lines; then those of the open sessions alone are written anew. */
const mostLines = 2_000;

const begin = z.object({
  begun: z.int(),
  connection: z.string(),
  note: z.object({ server: z.string() }).catchall(z.union([z.string(), z.number()])),
});
const end = z.object({ ended: z.int() });

interface LeftSession {
  readonly connection: string;
  readonly note: SessionNote;
  /** It was ended, or can't be. */
  readonly settled: () => void;
}

interface OpenSessionNotes {
  of(connectionId: string): SessionNotes;
  /** Of the last run, which did not end them. */
  readonly left: readonly LeftSession[];
  close(): void;
}

/** @param report told why nothing can be noted. */
export function openSessionNotes(path: string, report: (error: unknown) => void): OpenSessionNotes {
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
      // A disk that is full: what was noted so far stays.
      report(error);
    }
  }

  function opened(connection: string, note: SessionNote): () => void {
    number += 1;
    const begun = number;
    const line = `${JSON.stringify({ begun, connection, note })}\n`;
    open.set(begun, line);
    write(line);
    return () => {
      if (open.delete(begun)) write(`${JSON.stringify({ ended: begun })}\n`);
    };
  }

  return {
    of: connection => ({ opened: note => opened(connection, note) }),
    left: before.map(each => ({ ...each, settled: opened(each.connection, each.note) })),
    close() {
      if (file === null) return;
      closeSync(file);
      file = null;
      rmSync(path, { force: true });
    },
  };
}

/** What can't be read is no session of ours. */
function read(path: string): { readonly connection: string; readonly note: SessionNote }[] {
  const file = readPrivateFile(path, mostBytes);
  const open = new Map<number, { connection: string; note: SessionNote }>();
  for (const line of file.kind === 'read' ? file.text.split('\n') : []) {
    const parsed = parsedJson(line);
    const begun = begin.safeParse(parsed).data;
    if (begun !== undefined) open.set(begun.begun, { connection: begun.connection, note: begun.note });
    const ended = end.safeParse(parsed).data;
    if (ended !== undefined) open.delete(ended.ended);
  }
  return [...open.values()];
}
