/** `status`, `stop`, and `pause` and `resume` (spec §2 Off). A pause outlives this run: it ends when someone resumes. */

import * as z from 'zod';
import { askerWords } from '../asker-words.ts';
import { command, done } from '../command.ts';

const nothing = z.strictObject({});

export const status = command<'status'>(nothing, (_, { ports, shells, appPresence }) => {
  const said = ports.status();
  const notes = appPresence() === 'several' ? [...said.notes, severalApps] : said.notes;
  return done({ ...said, notes, shells: shells() });
});

const severalApps =
  'More than one program says that it is Sallyport.app, so none of them can confirm anything. Quit them, then open Sallyport.app.';

export const stop = command<'stop'>(nothing, async (_, context) => {
  const { ports } = context;
  const { pid } = ports.status();
  const client = await askerWords(context);
  // After this turn of the loop, so that the answer is written before the stop closes the socket.
  setImmediate(ports.stop, client);
  return done({ pid });
});

export const pause = command<'pause'>(nothing, async (_, { ports }) => {
  await ports.pause();
  return done({ paused: true });
});

export const resume = command<'resume'>(nothing, async (_, { ports }) => {
  await ports.resume();
  return done({ paused: false });
});
