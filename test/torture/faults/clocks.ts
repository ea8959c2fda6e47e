/** The machine's clock is set while the daemon runs, and while it restarts. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import type { World } from '../world.ts';

const day = 86_400;
/** The daemon looks for old rows a minute after its start. */
const pruneMilliseconds = 65_000;

export const clockAhead = clockSetBy('clock-ahead', 'the clock is set three years ahead, and back again', 1_096 * day);
export const clockBack = clockSetBy('clock-back', 'the clock is set a year back, and forward again', -365 * day);

function clockSetBy(name: string, title: string, seconds: number): Fault {
  return {
    name,
    title,
    missing: () => (library() === null ? 'no faketime; apt-get install faketime' : null),
    async prepare(world) {
      set(world, 0);
      await world.daemon.end('SIGKILL');
      await world.daemon.start([], underClock(world));
    },
    async strike({ world, load, chance, isPatient }) {
      set(world, seconds);
      await pause(isPatient ? pruneMilliseconds : chance.between(1_000, 2_000));
      // A start looks for old rows too; a bridge would start a daemon without this clock.
      await load.stop();
      await world.daemon.end('SIGTERM');
      await world.daemon.start([], underClock(world));
      await pause(chance.between(500, 1_500));
      set(world, 0);
      await pause(500);
    },
  };
}

function set(world: World, seconds: number): void {
  writeFileSync(clockFile(world), `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`);
}

const clockFile = ({ home }: World): string => join(home.folder, 'clock');

/** The monotonic clock stays unchanged: it measures elapsed time. */
function underClock(world: World): Record<string, string> {
  return {
    LD_PRELOAD: library() ?? '',
    FAKETIME_TIMESTAMP_FILE: clockFile(world),
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}

function library(): string | null {
  const folders = readdirSync('/usr/lib')
    .filter(name => name.includes('-linux-'))
    .map(name => join('/usr/lib', name, 'faketime', 'libfaketime.so.1'));
  return folders.find(existsSync) ?? null;
}
