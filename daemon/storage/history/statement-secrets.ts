/**
 * Tells whether a statement holds a password, key or token (spec §14); the history then keeps only
 * its class and hash. Better one statement too many than one kept password: it reads words, not
 * grammar, and ignores the engine.
 */

/**
 * The beginning of a literal, or of a call around one: 'x', "x", $$x, E'x', x'41', 0x41, crypt('x'.
 */
const literal = String.raw`(?:[\w.]{1,64}\s{0,8}\(\s{0,8}){0,3}(?:[enbux]|_utf8\w{0,3})?\s{0,8}(?:'|"|\$\w{0,32}\$|0x[0-9a-f])`;
/** Part of a name that holds a secret. */
const secretWord =
  '(?:pass(?:word|wd|phrase|code)?|pwd|secret|api_?key|private_?key|access_?key|credentials?|(?:auth|access|refresh|bearer|session|api)_?token)';
/** The whole name in a statement, with its closing quote. */
const secretName = String.raw`${secretWord}[\w$]{0,64}(?!\w)["'\x60\]]?`;

const patterns: readonly RegExp[] = [
  // Accounts: CREATE/ALTER USER … IDENTIFIED BY, PASSWORD '…', SET PASSWORD, GRANT … IDENTIFIED BY,
  // MASTER_PASSWORD = '…'.
  /\bidentified\s{1,8}(?:by|with|as|via|using)\b/i,
  /^\s{0,64}set\s{1,8}password\b/i,
  // Pattern excused: the history keeps 16 KB of a statement, and every repeat here is bounded.
  new RegExp(String.raw`\bconnection\s{1,8}${literal}`, 'i'),
  // A secret's name with a value beside it: password 'x', secret = crypt('x'), "pwd": "x",
  // PASSWORD('x'), key => 'x'.
  // Pattern excused: the history keeps 16 KB of a statement, and every repeat here is bounded.
  new RegExp(
    String.raw`${secretName}\s{0,8}(?:[:=~!<>]{1,3}|\bto\b|\blike\b|\bin\s{0,8}\(|\bas\b|,|\()?\s{0,8}${literal}`,
    'i',
  ),
  // Value first: 'x' = password, 'x' AS password.
  new RegExp(String.raw`'\s{0,8}\)?\s{0,8}(?:=|\bas\b)\s{0,8}[\w.]{0,64}["\x60\[]?${secretWord}`, 'i'),
  // Text that is a connection: scheme://user:pass@host, password=…, pwd=… (dblink, ODBC, JDBC, a
  // DSN).
  /:\/\/[^\s/:@'"]{0,128}:[^\s/@'"]{1,256}@/i,
  /(?:^|[\s;&?'"(,])(?:password|passwd|pwd|pass|sslpassword|requiresecret)\s{0,4}=\s{0,4}(?!(?:null|default)\b|[$?:]|[a-z_]\w{0,64}\.[a-z_])[^\s'";,)=]/i,
  /\bpragma\s{1,8}(?:\w{1,64}\.)?(?:re|hex|hexre|text)?key\b/i,
  // Secrets by their form, wherever they are: our tokens, private keys, well-known tokens.
  // Pattern excused: the history keeps 16 KB of a statement, and every repeat here is bounded.
  /\bsp_[\w-]{43}|-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}|\bgithub_pat_\w{22}|\bglpat-[\w-]{20}|\bxox[abprs]-[\w-]{10}|\bsk-[\w-]{20}|\bsk_live_\w{16}|\beyJ[\w-]{10,2048}\.eyJ[\w-]{10}/,
  /\bauthorization\b\W{0,8}(?:bearer|basic)\s/i,
];

/** These statements hold only names, verbs and, perhaps, a password. */
const accountStatement =
  /\b(?:create|alter)\s{1,8}(?:or\s{1,8}replace\s{1,8})?(?:user|role|login|group|server|subscription)\b/i;

/** Within a stretch of text without `until`, `opens` comes before `follows`. */
const sequences: readonly { readonly until: string; readonly opens: RegExp; readonly follows: RegExp }[] = [
  // Calls that take a key or a password as an argument.
  {
    until: ')',
    opens:
      /\b(?:password|old_password|crypt|encrypt|des_encrypt|des_decrypt|aes_encrypt|aes_decrypt|encrypt_iv|decrypt|decrypt_iv|hmac|pgp_sym_(?:en|de)crypt(?:_bytea)?|pgp_pub_decrypt(?:_bytea)?|dblink_connect(?:_u)?|sqlite3_key|sqlcipher_export)\s{0,8}\(/i,
    follows: /['"$]/,
  },
  { until: ';', opens: /\battach\b/i, follows: /\bkey\b/i },
];
const accountLiteral = { until: ';', opens: /(?:password|secret|options|connection)\b/i, follows: /'|\$\w{0,32}\$/ };

export function holdsSecret(statement: string): boolean {
  // Tries the text as it is, and without comments, which may stand between any two words. Removing
  // them may join what is in a literal.
  return [statement, withoutComments(statement)].some(
    text =>
      patterns.some(pattern => pattern.test(text)) ||
      sequences.some(sequence => holds(text, sequence)) ||
      insertsSecret(text) ||
      (accountStatement.test(text) && holds(text, accountLiteral)),
  );
}

const insertedName = new RegExp(secretWord, 'i');

/** True if a bound value may be a secret. */
export function namesSecret(statement: string): boolean {
  return insertedName.test(statement);
}

/** INSERT INTO users (name, password) VALUES ('a', 'b'). */
function insertsSecret(text: string): boolean {
  return [...text.matchAll(/\(([^()']*)\)/g)].some(({ 0: list, index }) => {
    if (!insertedName.test(list)) return false;
    const before =
      text
        .slice(Math.max(0, index - 400), index)
        .split(';')
        .at(-1) ?? '';
    const after = text.slice(index + list.length, index + list.length + 200).split(';', 1)[0] ?? '';
    return /\b(?:insert|replace)\b/i.test(before) && /['$]/.test(after);
  });
}

function holds(text: string, { until, opens, follows }: (typeof sequences)[number]): boolean {
  return text.split(until).some(stretch => {
    const opening = opens.exec(stretch);
    return opening !== null && follows.test(stretch.slice(opening.index + opening[0].length));
  });
}

/** The content of MySQL's executable comments is code, so it stays. */
function withoutComments(statement: string): string {
  return statement
    .replace(/\/\*M?!\d{0,6}/gi, ' ')
    .replace(/\/\*(?:[^*]|\*(?!\/))*(\*\/|$)/g, (comment, end: string) => (end === '' ? comment : ' '))
    .replace(/\*\//g, ' ')
    .replace(/(?:--|#)[^\n]*/g, ' ')
    .replace(/\s+/g, ' ');
}
