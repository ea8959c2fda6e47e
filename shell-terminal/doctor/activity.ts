/** Whether the activity log is being written (spec §14): while it isn't, nothing that writes runs. Verifies nothing: that takes long. */

import type { ActivityPageView } from '../../shared/control-commands.ts';
import { type Check, ok, problem } from './check.ts';

export function checkActivity({ problem: trouble }: Pick<ActivityPageView, 'problem'>): Check {
  if (trouble === null) return ok('activity', 'The log is being written; `sallyport activity verify` checks it.');
  return problem('activity', trouble, 'once that is mended it is written again by itself');
}
