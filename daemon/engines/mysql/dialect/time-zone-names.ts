/**
 * CONVERT_TZ silently gives NULL for an unknown zone. On a server whose time zone tables were never
 * filled that is every name, and a count with such a condition is a confident 0. So the answer gets
 * a warning.
 */

import type { CallContext, Database } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';

const call = /\bconvert_tz\s*\(/gi;
const offset = /^[+-]\d{1,2}:\d{2}$/;
const literal = /^(['"])([^'"\\]{1,64})\1$/;
const mostNames = 5;

/** Known if any name is. */
const anyName = 'UTC';

export async function timeZoneWarning(database: Database, context: CallContext, sql: string): Promise<string | null> {
  const zones = zonesIn(sql);
  if (zones.length === 0) return null;
  const names = zones.filter(zone => zone !== null);
  const asked = [...new Set([anyName, ...names])].slice(0, mostNames + 1);
  const unknown = asked.map(() => `CONVERT_TZ('2024-06-01 12:00:00', ?, '+00:00') IS NULL`).join(', ');
  const found = await lookUp(database, context, `SELECT ${unknown}`, asked);
  const cells = found.kind === 'done' ? found.value[0] : undefined;
  const missing = asked.filter((_, index) => String(cells?.[index]) === '1');
  const [first, ...more] = missing;
  if (first === undefined) return null;
  const meets = 'is NULL, and a condition on it meets no row';
  if (first === anyName)
    return `This server knows no names of time zones, so CONVERT_TZ with one ${meets}: write offsets, such as '+02:00'.`;
  const named = [first, ...more].map(name => `'${name}'`).join(', ');
  return `This server knows no time zone ${named}, so CONVERT_TZ with it ${meets}: correct the name.`;
}

/**
 * The second and third argument of each call: a zone's name, or null if it is computed. Offsets and
 * the server's own zone need no name.
 */
export function zonesIn(sql: string): readonly (string | null)[] {
  return [...sql.matchAll(call)].flatMap(({ 0: found, index }) =>
    argumentsAt(sql, index + found.length)
      .slice(1, 3)
      .map(text => literal.exec(text)?.[2] ?? null)
      .filter(zone => zone === null || (!offset.test(zone) && zone.toUpperCase() !== 'SYSTEM')),
  );
}

/** The arguments of the call whose list begins at `from`, as written. */
function argumentsAt(sql: string, from: number): readonly string[] {
  const found: string[] = [];
  let start = from;
  let depth = 0;
  for (let at = from; at < sql.length; at++) {
    const sign = sql.charAt(at);
    if (sign === "'" || sign === '"' || sign === '`') {
      const end = sql.indexOf(sign, at + 1);
      if (end < 0) break;
      at = end;
    } else if (sign === '(') depth++;
    else if (depth === 0 && (sign === ',' || sign === ')')) {
      found.push(sql.slice(start, at).trim());
      if (sign === ')') break;
      start = at + 1;
    } else if (sign === ')') depth--;
  }
  return found;
}
