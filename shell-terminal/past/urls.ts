/**
 * Databases' URLs within other text: a shell's line, JSON in an argument, a comment. Opens nothing.
 */

import { isConnectionText } from '../../shared/connection-url.ts';
import { isPlaceholder } from '../../shared/placeholders.ts';

/** No scheme with a driver is longer. */
const longestScheme = 40;

export function urlsIn(text: string): readonly string[] {
  return text.split(/[\s"'\\<>,;`]/).flatMap(piece => {
    const at = piece.indexOf('://');
    if (at === -1) return [];
    let from = at;
    while (from > 0 && at - from < longestScheme && /[a-z\d+:]/i.test(piece.charAt(from - 1))) from -= 1;
    const url = piece.slice(from);
    return isConnectionText(url) ? [url] : [];
  });
}

/** True of `scheme://user:password@host`, where the password is a real one. */
export function hasPassword(url: string): boolean {
  const rest = url.slice(url.indexOf('://') + 3);
  const [, ...password] = rest.slice(0, Math.max(rest.lastIndexOf('@'), 0)).split(':');
  const typed = password.join(':');
  return typed !== '' && !typed.startsWith('$') && !isPlaceholder(typed);
}
