/** `status` and `stop`. */

import { z } from 'zod';
import { command, done } from '../command.ts';

const nothing = z.strictObject({});

export const status = command<'status'>(nothing, (_, { ports, shells }) =>
  done({ ...ports.status(), shells: shells() }),
);

export const stop = command<'stop'>(nothing, (_, { ports }) => {
  const { pid } = ports.status();
  // After this turn of the loop, so that the answer is written before the stop closes the socket.
  setImmediate(ports.stop);
  return done({ pid });
});
