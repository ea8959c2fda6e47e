/**
 * Whether a password or a key is readable in an entry of a client's file: in a URL, or as the value
 * of something that is named so. Judges values alone, and shows none.
 */

import { isPlaceholder } from '../../shared/placeholders.ts';
import { hasPassword, urlsIn } from './urls.ts';

/** Not what names a place of it: `PASSWORD_FILE`, `--secret_arn`. */
const ofSecret =
  /(?:passw(?:or)?d|passphrase|(?:^|[-_])pass|pwd|token|api[-_]?key|access[-_]?key|secret(?:[-_]?key)?|authorization)$/i;

/** @param words that stand before a key without an option's name: `start KEY`. */
export function holdsSecret(value: unknown, words: readonly string[] = [], name = ''): boolean {
  if (typeof value === 'string') return isSecret(name, value) || isWithin(value);
  if (Array.isArray(value))
    return value.some((each, at) => {
      const before: unknown = value[at - 1];
      const option = typeof before === 'string' && (before.startsWith('-') || words.includes(before)) ? before : '';
      return holdsSecret(each, words, words.includes(option) ? 'token' : option);
    });
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => holdsSecret(inner, words, key));
}

/** `--token=X`, `PASSWORD=X`, `Authorization: Bearer X`, `?token=X`, and passwords of URLs. */
function isWithin(text: string): boolean {
  return (
    text.split(/[?&]/).some(isNamedSecret) ||
    urlsIn(text).some(hasPassword) ||
    text.split(/[\s"'`<>]/).some(piece => hasPassword(withoutPath(piece)))
  );
}

function isNamedSecret(text: string): boolean {
  const at = text.search(/[=:]/);
  return at > 0 && isSecret(text.slice(0, at), text.slice(at + 1));
}

/** An @ behind the server is no end of a password. */
function withoutPath(url: string): string {
  const at = url.indexOf('://') + 3;
  const end = at < 3 ? -1 : url.slice(at).search(/[/?#]/);
  return at < 3 ? '' : end === -1 ? url : url.slice(0, at + end);
}

function isSecret(name: string, value: string): boolean {
  const typed = value.trim().replace(/^(?:bearer|basic|token)\s+/i, '');
  return ofSecret.test(name) && typed !== '' && !/^(?:[-$%]|\{env:)/.test(typed) && !isPlaceholder(typed);
}
