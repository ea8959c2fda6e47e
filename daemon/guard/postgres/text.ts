/**
 * What PostgreSQL's parser must not see, besides what no parser may see: what it would read
 * differently from the server, or too slowly.
 */

import { refuseText } from '../text.ts';
import { forbidden, type Verdict } from './verdict.ts';

/**
 * The scanner reads a run of operator characters again at each comment that opens in it, so `/*`
 * repeated through 100 KB takes it seconds. No real text has this many comments without a space, a
 * letter or a line between.
 */
const longestOperatorRun = 1_000;
const mostCommentsInRun = 50;
const operatorRuns = /[-~!@#^&|`?+*/%<>=]+/g;
/**
 * Such a run is also read again at each sign: 100 KB of `+-` take 14 seconds. Two dashes begin a
 * comment.
 */
const signRuns = /(?:\+|-(?!-))+/g;

export function refusePostgresText(sql: string): Verdict | null {
  const refused = refuseText(sql);
  if (refused !== null) return forbidden(refused);
  // Half a surrogate pair reaches the server as U+FFFD, so the parser would see another name than
  // the server.
  if (/\p{Surrogate}/u.test(sql)) {
    return forbidden('The statement holds half of a surrogate pair, which is no character; remove it.');
  }
  for (const [run] of sql.matchAll(operatorRuns)) {
    if (run.length < longestOperatorRun) continue;
    if (run.split('/*').length > mostCommentsInRun) {
      return forbidden('The statement holds too many comments in a row; remove them.');
    }
    for (const [signs] of run.matchAll(signRuns)) {
      if (signs.length >= longestOperatorRun) {
        return forbidden('The statement holds too many signs in a row; write spaces between them.');
      }
    }
  }
  return null;
}
