/** Which tables follow others by foreign keys that change or delete their rows, at every level. */

/** One question to the server; its rows. */
export type Ask = (sql: string) => Promise<readonly (readonly (string | null)[])[]>;

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A table, and the columns of one of its foreign keys. */
export interface Follower extends TableName {
  readonly columns: readonly string[];
}

/** Of the whole server: a table of another schema follows too. */
const keysQuestion = `SELECT UNIQUE_CONSTRAINT_SCHEMA, REFERENCED_TABLE_NAME, CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME
FROM information_schema.REFERENTIAL_CONSTRAINTS
WHERE NOT (UPDATE_RULE IN ('RESTRICT', 'NO ACTION') AND DELETE_RULE IN ('RESTRICT', 'NO ACTION'))`;

export async function cascadesFrom(ask: Ask, tables: readonly TableName[]): Promise<readonly Follower[]> {
  const keys = await ask(keysQuestion);
  const reached = new Set(tables.map(table => placeOf(table.schema, table.name)));
  const followers: Follower[] = [];
  // What is added while it is walked is walked too.
  for (const place of reached) {
    for (const [schema, name, ofSchema, of, constraint] of keys) {
      if (placeOf(schema, name) !== place) continue;
      reached.add(placeOf(ofSchema, of));
      const columns = await ask(
        `SELECT COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = ${text(ofSchema)} AND TABLE_NAME = ${text(of)} AND CONSTRAINT_NAME = ${text(constraint)} AND REFERENCED_TABLE_NAME IS NOT NULL ORDER BY ORDINAL_POSITION`,
      );
      followers.push({
        schema: String(ofSchema),
        name: String(of),
        columns: columns.map(([column]) => String(column)),
      });
    }
  }
  return followers;
}

function placeOf(schema: string | null | undefined, name: string | null | undefined): string {
  return JSON.stringify([schema, name]).toLowerCase();
}

function text(value: string | null | undefined): string {
  return `_utf8mb3 x'${Buffer.from(String(value), 'utf8').toString('hex')}'`;
}
