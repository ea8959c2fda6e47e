/**
 * What a person may be asked about says why in parts: their English is the reason, and
 * Sallyport.app has a text for each code.
 */

import { english } from '../../daemon/guard/reason.ts';
import type { Classification } from '../../daemon/guard/types.ts';

/** @returns what is wrong; empty where nothing is. */
export function wrongInParts({ class: found, reason, reasonParts }: Classification): readonly string[] {
  const isAsked = found === 'write' || found === 'destructive';
  return [
    ...(!isAsked || reasonParts.length > 0 ? [] : [`${found} in ${reasonParts.length} parts: ${reason}`]),
    ...(isAsked && english(reasonParts) !== reason ? [`${english(reasonParts)} is not: ${reason}`] : []),
  ];
}
