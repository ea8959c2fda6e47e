/** `history.clear`: removes what was kept of statements (spec §9). The activity log, which has no text of theirs, stays. */

import { z } from 'zod';
import { command, done } from '../command.ts';

export const clearHistory = command<'history.clear'>(z.strictObject({}), async (_, { ports }) =>
  done({ removed: await ports.clearHistory() }),
);
