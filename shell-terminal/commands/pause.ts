/** `sallyport pause` and `sallyport resume`. */

import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';

export const pauseCommand = command(
  {
    words: 'pause',
    about: 'Let no AI client in until you resume',
    details: ['What runs for a client is ended. It stays so when Sallyport is started again.'],
  },
  async ({ terminal, answer }) => {
    const paused = await askDaemon(terminal, 'pause', {});
    answer(paused, 'Sallyport is paused; `sallyport resume` ends that.');
  },
);

export const resumeCommand = command(
  { words: 'resume', about: 'Let AI clients in again' },
  async ({ terminal, answer }) => {
    const resumed = await askDaemon(terminal, 'resume', {});
    answer(resumed, 'Sallyport is no longer paused.');
  },
);
