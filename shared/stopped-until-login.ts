/**
 * `sallyport stop --until-login`: a file that keeps clients' bridges from starting the daemon again
 * (spec §2 Launch). It is where the system clears up at logout; elsewhere it lasts until the
 * machine restarts. Someone who plants one can only keep a daemon from starting.
 */

import { createHash } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { account } from './account.ts';
import { makeHomeFolder } from './home-place.ts';
import { folderProblem } from './private-files.ts';

/** The home may be one (home-place.ts). @throws if no file can be made in it. */
export function keepStopped(home: string): void {
  makeHomeFolder(home);
  writeFileSync(markerOf(home), '', { mode: 0o600 });
}

export function mayStart(home: string): void {
  try {
    rmSync(markerOf(home), { force: true });
  } catch {
    // As in `wasKeptWithin`.
  }
}

export function isKeptStopped(home: string): boolean {
  return wasKeptWithin(home, uptime());
}

/** Longer than `stop` takes, and a service to start a killed daemon anew; later ones log in. */
const justSeconds = 60;

export function wasJustKeptStopped(home: string): boolean {
  return wasKeptWithin(home, Math.min(justSeconds, uptime()));
}

function wasKeptWithin(home: string, seconds: number): boolean {
  try {
    return statSync(markerOf(home)).mtimeMs > Date.now() - seconds * 1000;
  } catch {
    // No such file. Starting the daemon reports problems of the home.
    return false;
  }
}

function markerOf(home: string): string {
  const runtime = `/run/user/${account().uid}`;
  if (folderProblem(runtime) !== null) return join(home, 'stopped-until-login');
  return join(runtime, `sallyport-stopped-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`);
}
