/**
 * Words a server's NoticeResponse (PostgreSQL manual, 55.8). `pg` would parse each one of a flood,
 * so it is read here.
 */

import { headerBytes } from './messages.ts';

/**
 * The levels that the client sees. LOG and DEBUG appear only if somebody asked for the server's own
 * log, which may hold plans and texts of others.
 */
const told: ReadonlySet<string> = new Set(['NOTICE', 'WARNING', 'INFO']);

/** @returns null for what is not for the client. */
export function noticeText(message: Buffer): string | null {
  const fields = fieldsOf(message.toString('utf8', headerBytes));
  // V is S untranslated.
  const severity = fields.get('V') ?? '';
  if (!told.has(severity)) return null;
  const parts = [`${severity}: ${fields.get('M') ?? ''}`];
  const [detail, hint] = [fields.get('D'), fields.get('H')];
  if (detail !== undefined) parts.push(`Detail: ${detail}`);
  if (hint !== undefined) parts.push(`Hint: ${hint}`);
  return parts.join('\n');
}

/** Each field is a letter and a text that ends with NUL; one more NUL ends the list. */
function fieldsOf(body: string): ReadonlyMap<string, string> {
  return new Map(
    body.split('\0').flatMap((field): [string, string][] => (field ? [[field.charAt(0), field.slice(1)]] : [])),
  );
}
