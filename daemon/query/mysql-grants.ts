/** What a MySQL or MariaDB account may do, as SHOW GRANTS says it: roles in force are in it, which the privileges' tables leave out. */

interface Place {
  readonly schema: string;
  /** Null: every table of the schema. */
  readonly name: string | null;
}

const grant = /^(GRANT|REVOKE) (.*?) ON (\S*?\*|(?:[`"]).*?[`"])\.(\*|[`"].*?[`"]) (?:TO|FROM) /;

/** @param grants the lines. What isn't understood grants nothing, and a REVOKE (MySQL's partial ones) takes all of its schema. */
export function hasPrivilege(grants: readonly string[], privilege: string, { schema, name }: Place): boolean {
  let isGranted = false;
  for (const line of grants) {
    const [, verb, list = '', ofSchema = '', ofTable = ''] = grant.exec(line) ?? [];
    if (verb === undefined) continue;
    const table = unquoted(ofTable);
    if (verb === 'REVOKE') {
      if (unquoted(ofSchema) === schema) return false;
      continue;
    }
    const isPlace =
      table === '*' ? matches(ofSchema, schema) : name !== null && unquoted(ofSchema) === schema && table === name;
    // A column's privilege has its columns behind it.
    const has = list.split(', ').some(each => each === privilege || each === 'ALL PRIVILEGES');
    if (isPlace && has) isGranted = true;
  }
  return isGranted;
}

/** The schema of such a grant is a pattern of LIKE. */
function matches(pattern: string, schema: string): boolean {
  if (pattern === '*') return true;
  const source = unquoted(pattern).replace(/\\[%_]|[%_]|[^\w\\]|\\/g, part => {
    if (part === '%') return '.*';
    return part === '_' ? '.' : part.length === 2 ? part.slice(1) : `\\${part}`;
  });
  return new RegExp(`^${source}$`, 's').test(schema);
}

function unquoted(name: string): string {
  const quote = name[0] ?? '';
  return quote === '`' || quote === '"' ? name.slice(1, -1).replaceAll(quote + quote, quote) : name;
}
