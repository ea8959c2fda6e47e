/**
 * Decides what of a line may be in the log: no secret, no statement, no row. A second wall: callers
 * leave these out, and what slips through is removed here by its field's name and by its form. Of
 * an error only name, code and place are kept.
 */

import { isNativeError } from 'node:util/types';

const redacted = '[redacted]';

/**
 * Fields whose names sound like a secret's but hold none: a setting's key, a token's name, a public
 * hash.
 */
const harmless: ReadonlySet<string> = new Set(['key', 'tokenname', 'tokenid', 'statementhash', 'secrets']);

/** Matched anywhere in a field's name, ignoring case and separators. */
const telling =
  /pass(word|phrase|wd|code)?$|^pass|pwd|secret|token|bearer|authoriz|cookie|credential|verifier|challenge|proof|nonce|salt|hash|mac$|key$|^code(s|verifier)$|handshake|sql|statement|query|parameters?$|params$|arguments|^args$|rows?$|cells?$|values?$|body|header|env(ironment)?$|argv|command/;

const longestText = 1_000;
const deepest = 6;
const mostMembers = 64;

/**
 * @returns facts that may be written. Never throws: an unreadable object is replaced by its kind.
 */
export function redactFacts(facts: object): Record<string, unknown> {
  const written = redactValue(facts, 0);
  return typeof written === 'object' && written !== null ? { ...written } : { facts: written };
}

function redactValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return redactText(value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : redactObject(value, depth);
    default:
      return `[${typeof value}]`;
  }
}

function redactObject(value: object, depth: number): unknown {
  if (depth >= deepest) return '[deeper]';
  try {
    if (isNativeError(value)) return redactError(value);
    if (value instanceof Date) return value.toISOString();
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return redacted;
    if (value instanceof Map || value instanceof Set) return `[${value.size} of a collection]`;
    if (Array.isArray(value)) return value.slice(0, mostMembers).map(member => redactValue(member, depth + 1));
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, mostMembers)
        .map(([name, member]) => [redactText(name), isTelling(name) ? redacted : redactValue(member, depth + 1)]),
    );
  } catch {
    return '[unreadable]';
  }
}

/**
 * Drivers quote the statement in their messages, some of them the connection string with its
 * password.
 */
function redactError(error: Error): Record<string, unknown> {
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : null;
  const at = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return {
    error: redactText(error.name),
    ...(code !== null && { code: typeof code === 'string' ? redactText(code) : code }),
    at: at.slice(0, 8).map(line => redactText(line.trim())),
  };
}

function isTelling(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return !harmless.has(plain) && telling.test(plain);
}

const forms: readonly (readonly [RegExp, string])[] = [
  // Our tokens, whole or cut off.
  [/sp_[A-Za-z0-9_-]{8,}/g, redacted],
  [/\b(bearer|basic|digest)\s+[^\s"',;]+/gi, `$1 ${redacted}`],
  // Up to the last @: a password may contain @ and /.
  // Pattern excused: redactText cuts a text to 1,000 characters first.
  [/:\/\/[^\s"'<>]*@/g, `://${redacted}@`],
  [
    /((?:pass(?:word|phrase|wd)?|pwd|secret|token|verifier|authorization|api_?key)["']?\s*[=:]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;&)}\]]+)/gi,
    `$1${redacted}`,
  ],
  // SQL's own: IDENTIFIED BY '…', PASSWORD '…'.
  [/\b(identified\s+(?:with\s+\S+\s+)?(?:by|as)|password)\s+('(?:[^']|'')*'|"[^"]*")/gi, `$1 ${redacted}`],
  [/-----BEGIN [^-]+-----[\s\S]*?(-----END [^-]+-----|$)/g, redacted],
  // 32 random bytes in base64url or hexadecimal: nonces, proofs, hashes, the shell secret.
  [/(?<![A-Za-z0-9_/.-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_/.-])/g, redacted],
];

/** @returns the text as it may be written; a long one is cut. */
export function redactText(text: string): string {
  // Cut first: other programs may have made the text very long for the patterns below.
  const short = text.length > longestText ? text.slice(0, longestText) : text;
  const clean = forms.reduce((left, [form, instead]) => left.replace(form, instead), short);
  return text.length > longestText ? `${clean}… (${text.length} characters)` : clean;
}
