/**
 * Why the last start of the daemon failed, in a file of the home: whoever had it started by the
 * system hears no other word of it (spec §2).
 */

import { join } from 'node:path';
import { isObject, parsedJson } from './json.ts';
import { readPrivateFile } from './private-files.ts';

export interface StartFailure {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Without its final stop. */
  readonly sentence: string;
}

/**
 * Of a daemon that found the home's lock taken by one that doesn't answer: it may yet, once it is
 * up. EX_TEMPFAIL.
 */
export const lockHeldExitCode = 75;

const maxBytes = 4_096;

/** It is there until a start succeeds. */
export function startFailureFile(home: string): string {
  return join(home, 'start-failure.json');
}

/** Null where there is none, or none that is this user's own. */
export function readStartFailure(home: string): StartFailure | null {
  const file = readPrivateFile(startFailureFile(home), maxBytes);
  const value = file.kind === 'read' ? parsedJson(file.text) : null;
  if (!isObject(value) || typeof value.at !== 'number' || typeof value.sentence !== 'string') return null;
  return { at: value.at, sentence: value.sentence };
}
