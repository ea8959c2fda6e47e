/** The limits on a statement that the settings leave (spec §16): a lowered maximum lowers its default with it. */

import type { Settings } from '../access/settings/settings.ts';
import type { QueryLimits } from './limits.ts';

export function queryLimitsOf(settings: Settings): QueryLimits {
  const maxRows = settings['results.maxRows'];
  const maxSeconds = settings['query.maxSeconds'];
  return {
    defaultRows: Math.min(settings['results.defaultRows'], maxRows),
    maxRows,
    maxAnswerBytes: settings['results.maxBytes'],
    maxCellBytes: settings['results.maxCellBytes'],
    defaultSeconds: Math.min(settings['query.defaultSeconds'], maxSeconds),
    maxSeconds,
  };
}
