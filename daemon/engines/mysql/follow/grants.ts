/**
 * What a MySQL or MariaDB account may do, from SHOW GRANTS: it includes active roles, which the
 * privilege tables leave out.
 */

interface Place {
  readonly schema: string;
  /** Null: every table of the schema. */
  readonly name: string | null;
}

const pieces = /`(?:[^`]|``)*`|"(?:[^"]|"")*"|'(?:[^']|'')*'|\w+|\S/g;

/** One line of SHOW GRANTS about a place, in its own words. */
export interface Grant {
  readonly privileges: readonly string[];
  /** "`shop`.*", "PROCEDURE `shop`.`wipe`". */
  readonly on: string;
  /** "`app`@`%`" */
  readonly to: string;
}

/** Leaves out what takes away again (MySQL's partial REVOKEs), so it tells no right too few. */
export function grantsIn(lines: readonly string[]): readonly Grant[] {
  return lines.flatMap(line => {
    const words: readonly string[] = line.match(pieces) ?? [];
    const [on, to] = [words.indexOf('ON'), words.indexOf('TO')];
    if (words[0] !== 'GRANT' || on < 0 || to < on + 4 || words[to - 2] !== '.') return [];
    const place = [...words.slice(on + 1, to - 3), words.slice(to - 3, to).join('')].join(' ');
    return [{ privileges: privilegesIn(words.slice(1, on)), on: place, to: nameAt(words, to + 1) }];
  });
}

/** One line of SHOW GRANTS that makes an account, or a role, a member of a role. */
export interface Membership {
  readonly role: string;
  readonly to: string;
}

export function membershipsIn(lines: readonly string[]): readonly Membership[] {
  return lines.flatMap(line => {
    const words: readonly string[] = line.match(pieces) ?? [];
    const to = words.indexOf('TO');
    if (words[0] !== 'GRANT' || to < 0 || words.includes('ON')) return [];
    const account = nameAt(words, to + 1);
    // MySQL has several in one line.
    const roles = words.flatMap((_, at) => (at === 1 || (at < to && words[at - 1] === ',') ? [nameAt(words, at)] : []));
    return roles.map(role => ({ role, to: account }));
  });
}

/** "`app`@`%`", or a role's name alone. */
function nameAt(words: readonly string[], at: number): string {
  return words[at + 1] === '@' ? words.slice(at, at + 3).join('') : (words[at] ?? '');
}

/** A privilege on columns lists them in parentheses: "SELECT (`a`, `b`), INSERT". */
function privilegesIn(words: readonly string[]): readonly string[] {
  const privileges: string[] = [];
  let [depth, begins] = [0, true];
  for (const word of words) {
    if (word === '(') depth++;
    if (word === ',' && depth === 0) begins = true;
    else {
      const last = begins ? '' : `${privileges.pop()}${word === ',' ? '' : ' '}`;
      privileges.push(`${last}${word}`);
      begins = false;
    }
    if (word === ')') depth--;
  }
  return privileges;
}

/**
 * @param grants the lines. An unknown line grants nothing; a REVOKE (MySQL's partial ones) takes
 *   the whole schema away.
 */
export function hasPrivilege(grants: readonly string[], privilege: string, { schema, name }: Place): boolean {
  let isGranted = false;
  for (const line of grants) {
    const words: readonly string[] = line.match(pieces) ?? [];
    const on = words.indexOf('ON');
    const [ofSchema = '', dot, ofTable = '', behind] = words.slice(on + 1);
    if (on < 0 || dot !== '.' || (behind !== 'TO' && behind !== 'FROM')) continue;
    if (words[0] === 'REVOKE' && isLike(schema, unquoted(ofSchema))) return false;
    const isPlace =
      ofTable === '*'
        ? ofSchema === '*' || isLike(schema, unquoted(ofSchema))
        : name !== null && unquoted(ofSchema) === schema && unquoted(ofTable) === name;
    // A privilege on columns lists them in parentheses.
    const list = words.slice(1, on).join(' ').split(' , ');
    if (words[0] === 'GRANT' && isPlace && list.some(each => each === privilege || each === 'ALL PRIVILEGES'))
      isGranted = true;
  }
  return isGranted;
}

/** The schema in a grant is a pattern: `%`, `_`, and a backslash that escapes them. */
function isLike(text: string, pattern: string): boolean {
  const [first, second = ''] = pattern;
  if (first === undefined) return text === '';
  if (first === '%') return isLike(text, pattern.slice(1)) || (text !== '' && isLike(text.slice(1), pattern));
  const [wanted, rest] = first === '\\' ? [second, pattern.slice(2)] : [first, pattern.slice(1)];
  return text !== '' && (first === '_' || text[0] === wanted) && isLike(text.slice(1), rest);
}

function unquoted(name: string): string {
  const quote = name[0] ?? '';
  return quote === '`' || quote === '"' ? name.slice(1, -1).replaceAll(quote + quote, quote) : name;
}
