/** The home's file system is full, or read-only. */

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DidNotStart } from '../daemon.ts';
import type { Fault, Strike } from '../fault.ts';
import type { Said } from '../known.ts';
import { forget, mint, remove, revoke, save, set, setPause } from '../owner-at-work.ts';
import type { World } from '../world.ts';

const missing = ({ hasOwnFileSystem }: World): string | null =>
  hasOwnFileSystem ? null : 'mounting a file system for the home takes root';

export const fullDisk: Fault = {
  name: 'full-disk',
  title: 'the disk is full; then `kill -9`',
  missing,
  async strike({ world, load, chance, wrong, saw, logCannotBeWritten }) {
    logCannotBeWritten();
    const ballast = fill(world.home.home);
    try {
      for (const act of chance.shuffled([setPause, revoke, revoke, set, mint, save, forget, remove])) {
        const said = await act(world, chance);
        noteOf('disk', /\bdisk\b|\broom\b|\bspace\b/, said, { saw, wrong });
      }
      await pause(500);
      // Their bridges would start the next daemon.
      await load.stop();
      await world.daemon.end('SIGKILL');
      // Without any room it may start, or say why it can't; nothing else.
      await world.daemon.start().catch(error => {
        if (!(error instanceof DidNotStart) || !/\bdisk\b|\broom\b|\bspace\b/.test(error.message)) throw error;
        saw('start', 'refused, naming the disk');
      });
      await world.daemon.end('SIGKILL');
    } catch (error) {
      wrong(`a start on a full disk: ${(error as Error).message}`);
    } finally {
      rmSync(ballast);
    }
  },
};

export const readOnlyHome: Fault = {
  name: 'read-only-home',
  title: 'the home is mounted read-only',
  missing,
  async strike({ world, load, wrong, saw }) {
    await load.stop();
    await world.daemon.end('SIGKILL');
    remount(world, 'ro');
    try {
      await world.daemon.start();
      wrong('the daemon started on a home that it can’t write');
    } catch (error) {
      const { message } = error as Error;
      if (!message.includes(world.home.home) || !/read-only|can't be written|EROFS/.test(message))
        wrong(`a start on a read-only home said: ${message}`);
      saw('start', 'refused, naming the home');
    } finally {
      remount(world, 'rw');
    }
  },
};

function noteOf(what: string, named: RegExp, said: Said | null, { saw, wrong }: Pick<Strike, 'saw' | 'wrong'>): void {
  if (said === null) return;
  saw(`owner, ${what} full`, said.kind);
  if (said.kind === 'refused' && !named.test(said.sentence))
    wrong(`a refusal didn't name the ${what}: ${said.sentence}`);
  if (said.kind === 'unanswered') wrong(`the owner got no answer with the ${what} full`);
}

function fill(folder: string): string {
  const path = join(folder, 'logs', 'ballast');
  const file = openSync(path, 'w');
  for (const size of [1024 * 1024, 4096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1));
    } catch {
      // No room for this size.
    }
  }
  closeSync(file);
  return path;
}

function remount({ home }: World, mode: 'ro' | 'rw'): void {
  execFileSync('mount', ['-o', `remount,${mode}`, home.home], { stdio: 'pipe' });
}
