/** The limits on requests that the settings leave (spec §13, §16). */

import type { RequestLimits } from '../limits/request-limits.ts';
import type { Settings } from './settings.ts';

export function requestLimitsOf(settings: Settings): RequestLimits {
  return {
    requestsPerMinute: settings['limits.requestsPerMinute'],
    concurrentRequests: settings['limits.concurrentRequests'],
  };
}
