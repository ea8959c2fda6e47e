/** Fifty bridges start at once beside programs that compute: slow is no lie, and no alarm. */

import { type ChildProcess, spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { modern } from '../../bridge/bridge-process.ts';
import type { Fault } from '../fault.ts';

const count = 50;
const answerMilliseconds = 120_000;

export const manyBridges: Fault = {
  name: 'many-bridges',
  title: `${count} bridges at once on a machine that computes four times as much as it can`,
  async strike({ world, wrong, saw }) {
    const busy: ChildProcess[] = cpus()
      .flatMap(() => [1, 2, 3, 4])
      .map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    const bridges = Array.from({ length: count }, () => world.home.bridge());
    try {
      const call = modern(1, 'tools/call', { name: 'list_connections', arguments: {} });
      for (const bridge of bridges) bridge.send(call);
      for (const bridge of bridges) {
        const { error } = await bridge.answer(1, answerMilliseconds);
        const isBusy = error?.message.startsWith('Sallyport is busy') === true;
        saw('bridge', error === undefined ? 'answered' : isBusy ? 'told to send it again' : 'refused');
        if (error !== undefined && !isBusy) wrong(`a bridge on a slow machine said: ${error.message}`);
      }
    } finally {
      for (const child of busy) child.kill('SIGKILL');
      await Promise.all(bridges.map(bridge => bridge.stop()));
    }
  },
};
