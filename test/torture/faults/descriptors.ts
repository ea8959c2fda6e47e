/** Too few file descriptors: taken from a running daemon, or missing from the start. */

import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { missingPrograms } from '../../missing-programs.ts';
import { until } from '../../waiting/until.ts';
import { DidNotStart } from '../daemon.ts';
import type { Fault } from '../fault.ts';
import { factsOf } from '../process-facts.ts';

const missing = (): string | null => missingPrograms(['prlimit'], 'apt-get install util-linux');

export const descriptors: Fault = {
  name: 'descriptors',
  title: 'a running daemon runs out of file descriptors',
  missing,
  async strike({ world, wrong }) {
    const { pid } = world.daemon;
    const limit = execFileSync('prlimit', ['--pid', `${pid}`, '--nofile', '--noheadings', '--output=SOFT'], {
      encoding: 'utf8',
    });
    const setLimit = (soft: number | string) => execFileSync('prlimit', ['--pid', `${pid}`, `--nofile=${soft}:`]);
    setLimit(factsOf(pid).descriptors);
    const sockets: Socket[] = [];
    const says = async () => {
      // Takes the descriptors that the load frees meanwhile too.
      sockets.push(...Array.from({ length: 20 }, () => silentSocket(Number(new URL(world.url).port))));
      return (await world.owner.ask('status', {})).notes.some(({ code }) => code === 'no_descriptors');
    };
    await until(says, 'status says so', 8).catch(() => wrong('status did not say that file descriptors ran out'));
    await pause(1_000);
    setLimit(limit.trim());
    for (const socket of sockets) socket.destroy();
    await pause(1_500);
    if (!world.home.daemons().includes(pid)) wrong('the daemon did not outlive a lack of file descriptors');
  },
};

export const fewDescriptors: Fault = {
  name: 'few-descriptors',
  title: 'started with 32 file descriptors',
  missing,
  async strike({ world, load, wrong, saw }) {
    await load.stop();
    await world.daemon.end('SIGKILL');
    try {
      await world.daemon.start(['prlimit', '--nofile=32:32']);
      saw('start', 'served all the same');
    } catch (error) {
      if (!(error instanceof DidNotStart) || !/file descriptors|ulimit -n/.test(error.message))
        wrong(`a start with 32 file descriptors said: ${(error as Error).message}`);
      else saw('start', 'refused, naming the limit');
    }
  },
};

function silentSocket(port: number): Socket {
  return connect(port, '127.0.0.1').on('error', () => {});
}
