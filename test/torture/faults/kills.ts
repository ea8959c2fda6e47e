/** The daemon dies: at any moment under load, at any moment of a start, and while it stops. */

import { setTimeout as pause } from 'node:timers/promises';
import { signalEach } from '../../servers/daemons.ts';
import { until } from '../../waiting/until.ts';
import type { Fault } from '../fault.ts';
import { holdWrites } from '../held-writes.ts';
import { sessionsOf, theseAreGone } from '../invariants/left-behind.ts';

export const kill: Fault = {
  name: 'kill',
  title: '`kill -9` under load; bridges start it again',
  async strike({ world, chance, wrong }) {
    await pause(chance.between(0, 1_000));
    if (chance.below(2) === 0) await holdWrites(world, 400);
    await world.daemon.end('SIGKILL');
    const sessions = await sessionsOf(world);
    // Bridges that ask now start the next one, for the load that continues.
    await pause(chance.between(800, 1_600));
    for (const sentence of await theseAreGone(world, sessions)) wrong(sentence);
  },
};

export const killAtStart: Fault = {
  name: 'kill-at-start',
  title: '`kill -9` while it starts, three times',
  async strike({ world, chance }) {
    for (let times = 0; times < 3; times++) {
      await world.daemon.end('SIGKILL');
      world.daemon.spawn();
      await pause(chance.between(20, 600));
    }
    await world.daemon.end('SIGKILL');
  },
};

export const stop: Fault = {
  name: 'stop',
  title: 'told to end (SIGTERM) under load',
  async strike({ world, wrong, chance }) {
    const { pid } = world.daemon;
    if (chance.below(2) === 0) await holdWrites(world, 400);
    signalEach([pid], 'SIGTERM');
    await until(() => !world.home.daemons().includes(pid), 'the daemon ends when it is told to', 10).catch(() =>
      wrong('the daemon had not ended 10 s after it was told to'),
    );
    await pause(chance.between(500, 1_000));
  },
};
