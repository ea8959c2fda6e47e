/**
 * Placeholders that consoles, manuals, shells and templates use for a person's own value:
 * `[YOUR-PASSWORD]`, `<host>`, `${DB_USER}`, `$DB_USER`, `********`; and what stands for a value
 * elsewhere, `op://vault/item/field`, or for an encrypted one, `encrypted:…`.
 */

const forms = [
  /^(?:\[[a-z][\w .-]{2,}\]|<[a-z][\w .-]{2,}>|\{{1,2}[a-z][\w .-]{2,}\}{1,2}|\$\(.+\)|%[A-Z][A-Z_]{2,}%)$/i,
  /^\$(?:[A-Z][A-Z\d_]{2,63}|[a-z_]{0,24}(?:password|passwd|pass|pwd|pw|secret))$/,
  /\$\{[^{}]*\}/,
  /^your[-_ ][a-z_ -]{0,24}(?:password|secret|user|username|host|hostname|endpoint|database|dbname|db|name|ref)$/i,
  /^(?:DB_|DATABASE_|MY_|THE_)?(?:PASSWORD|PASS|USER|USERNAME|HOST|HOSTNAME|DATABASE|DBNAME|PORT)$/,
  /^(?:[a-z_]{0,12}\*{4,}|[x\u2022]{6,})$/i,
  /^(?:op:\/\/.+|encrypted:[\w+/=]+)$/,
];
/** A placeholder inside a host or a user: `db.[YOUR-PROJECT-REF].supabase.co`. */
const within = /\[[a-z][a-z_ -]{2,}\]|<[a-z][\w -]{2,}>|\$\{/i;
/** A host before its port: `$DB_HOST:$DB_PORT`. */
const beforePort = /^\$[A-Z][A-Z\d_]{2,}:/;

const plain = '$'.concat('{placeholder}');

/** @param part a password or a database name. */
export function isPlaceholder(part: string): boolean {
  return forms.some(form => form.test(part));
}

/** @param part a host or a user; a piece of it may be a placeholder. */
export function holdsPlaceholder(part: string): boolean {
  return within.test(part) || beforePort.test(part) || isPlaceholder(part);
}

/** A reference instead of a whole connection: `${{Postgres.DATABASE_URL}}`. */
export function isReference(text: string): boolean {
  return /^[$%<[{]/.test(text) && isPlaceholder(withPlainPlaceholders(text));
}

/**
 * Rewrites what templates fill in (`{{ x }}`, `<%= x %>`, `#{x}`, `%X%`) to the one form that a URL
 * may contain.
 */
export function withPlainPlaceholders(text: string): string {
  return text
    .replace(/\$?\{\{[^{}]*\}\}|<%[^%]*%>|#\{[^{}]*\}/g, () => plain)
    .replace(/([:/@=])%[A-Z][A-Z_]{2,}%(?=[@:/?&]|$)/g, (_, before: string) => `${before}${plain}`);
}
