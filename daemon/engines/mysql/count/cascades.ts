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
const keysQuestion = (
  acts: string,
): string => `SELECT UNIQUE_CONSTRAINT_SCHEMA, REFERENCED_TABLE_NAME, CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME
FROM information_schema.REFERENTIAL_CONSTRAINTS
WHERE CONSTRAINT_SCHEMA NOT IN ('sys', 'mysql', 'performance_schema', 'information_schema')
AND (${acts})`;
/** As the catalog says it, and as bits of InnoDB's own: CASCADE and SET NULL. */
const onUpdate = ["UPDATE_RULE NOT IN ('RESTRICT', 'NO ACTION')", 4 + 8] as const;
const onAny = [`${onUpdate[0]} OR DELETE_RULE NOT IN ('RESTRICT', 'NO ACTION')`, 1 + 2 + 4 + 8] as const;

/**
 * @param updates whether rows are updated alone: what only follows a row that is deleted stays
 * then.
 * @param mayAskInnodb where the server is MariaDB, and the account has PROCESS.
 */
export async function cascadesFrom(
  ask: Ask,
  tables: readonly TableName[],
  updates: boolean,
  mayAskInnodb: boolean,
): Promise<readonly Follower[]> {
  const [acts, bits] = updates ? onUpdate : onAny;
  if (mayAskInnodb && (await innodbKnowsNone(ask, tables, bits))) return [];
  const keys = await ask(keysQuestion(acts));
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

/**
 * MariaDB opens every table of the server for the question above; InnoDB keeps its keys in a table
 * of its own. Names that it writes otherwise than people do are left to the question.
 */
async function innodbKnowsNone(ask: Ask, tables: readonly TableName[], bits: number): Promise<boolean> {
  if (tables.some(({ schema, name }) => !/^\w+$/.test(schema + name))) return false;
  const names = tables.map(({ schema, name }) => text(`${schema}/${name}`)).join(', ');
  const found = await ask(
    `SELECT COUNT(*) FROM information_schema.INNODB_SYS_FOREIGN WHERE REF_NAME IN (${names}) AND TYPE & ${bits}`,
  );
  return found[0]?.[0] === '0';
}

function placeOf(schema: string | null | undefined, name: string | null | undefined): string {
  return JSON.stringify([schema, name]).toLowerCase();
}

function text(value: string | null | undefined): string {
  return `_utf8mb3 x'${Buffer.from(String(value), 'utf8').toString('hex')}'`;
}
