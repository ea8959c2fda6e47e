/** `pause` and `resume` (spec §2 Off). A pause outlives this run: it ends when someone resumes. */

import { z } from 'zod';
import { command, done } from '../command.ts';

const nothing = z.strictObject({});

export const pause = command<'pause'>(nothing, async (_, { ports }) => {
  await ports.pause();
  return done({ paused: true });
});

export const resume = command<'resume'>(nothing, async (_, { ports }) => {
  await ports.resume();
  return done({ paused: false });
});
