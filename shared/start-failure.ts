/**
 * A file of the home that says why the daemon's last start failed. If the system started it,
 * nothing else tells (spec §2).
 */

import { join } from 'node:path';
import { isObject, parsedJson } from './json.ts';
import { readPrivateFile } from './private-files.ts';

export interface StartFailure {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Without its full stop. */
  readonly sentence: string;
}

/**
 * Exit code EX_TEMPFAIL: the home's lock is held by a daemon that doesn't answer. That daemon may
 * answer once it is up.
 */
export const lockHeldExitCode = 75;

const maxBytes = 4_096;

/** It exists until a start succeeds. */
export function startFailureFile(home: string): string {
  return join(home, 'start-failure.json');
}

/** Null if there is none that belongs to this user. */
export function readStartFailure(home: string): StartFailure | null {
  const file = readPrivateFile(startFailureFile(home), maxBytes);
  const value = file.kind === 'read' ? parsedJson(file.text) : null;
  if (!isObject(value) || typeof value.at !== 'number' || typeof value.sentence !== 'string') return null;
  return { at: value.at, sentence: value.sentence };
}
