/** What PostgreSQL's parser must not see beside what no parser may: what it would read otherwise than the server does, or too slowly. */

import { refuseText } from '../text.ts';
import { forbidden, type Verdict } from './verdict.ts';

/**
 * The scanner reads a run of operator characters anew at each comment that opens in it, so `/*` repeated through
 * 100 KB takes it seconds. No real text has this many comments without a space, a letter or a line between.
 */
const longestOperatorRun = 1_000;
const mostCommentsInRun = 50;
const operatorRun = new RegExp(`[-~!@#^&|\`?+*/%<>=]{${longestOperatorRun},}`, 'g');

export function refusePostgresText(sql: string): Verdict | null {
  const refused = refuseText(sql);
  if (refused !== null) return forbidden(refused);
  // Half a surrogate pair reaches the server as U+FFFD, so the parser would see another name than the server does.
  if (/\p{Surrogate}/u.test(sql)) {
    return forbidden('The statement holds half of a surrogate pair, which is no character; remove it.');
  }
  for (const [run] of sql.matchAll(operatorRun)) {
    if (run.split('/*').length > mostCommentsInRun) {
      return forbidden('The statement holds too many comments in a row; remove them.');
    }
  }
  return null;
}
