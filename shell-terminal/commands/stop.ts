/** `sallyport stop`: asks the daemon to stop and waits until its process is gone. */

import { setTimeout as wait } from 'node:timers/promises';
import { isAlive } from '../../shared/process-alive.ts';
import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { Ending, exitCodes, failed, noDaemon } from '../ending.ts';

/** Longer than the daemon's own drain (spec §2: 3 s). */
const patienceMilliseconds = 10_000;
const pollMilliseconds = 25;

export const stopCommand = command(
  {
    words: 'stop',
    about: 'Stop Sallyport',
    details: ['Returns when it is gone.'],
  },
  async ({ terminal, answer }) => {
    const { pid } = await askDaemon(terminal, 'stop', {}).catch((error: unknown) => {
      throw error instanceof Ending && error.exitCode === exitCodes.noDaemon ? noDaemon('') : error;
    });
    const giveUpAt = performance.now() + patienceMilliseconds;
    while (isAlive(pid)) {
      if (performance.now() > giveUpAt) {
        throw failed(`Sallyport was asked to stop, but process ${pid} is still there after 10 s; look at its log.`);
      }
      await wait(pollMilliseconds);
    }
    answer({ stopped: true, pid }, 'Sallyport has stopped.');
  },
);
