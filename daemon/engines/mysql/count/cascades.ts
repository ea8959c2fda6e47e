/** Finds the tables whose rows change or go with rows of others by foreign keys, at every level. */

/** Asks the server one question and returns its rows. */
export type Ask = (sql: string) => Promise<readonly (readonly (string | null)[])[]>;

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A table, and the columns of one of its foreign keys. */
export interface ReferencingTable extends TableName {
  readonly columns: readonly string[];
}

/** For the whole server: a table in another schema follows too. */
const keysQuestion = (
  acts: string,
): string => `SELECT UNIQUE_CONSTRAINT_SCHEMA, REFERENCED_TABLE_NAME, CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME
FROM information_schema.REFERENTIAL_CONSTRAINTS
WHERE CONSTRAINT_SCHEMA NOT IN ('sys', 'mysql', 'performance_schema', 'information_schema')
AND (${acts})`;
/** The condition for the catalog, and InnoDB's own bits for it: CASCADE and SET NULL. */
const onUpdate = ["UPDATE_RULE NOT IN ('RESTRICT', 'NO ACTION')", 4 + 8] as const;
const onAny = [`${onUpdate[0]} OR DELETE_RULE NOT IN ('RESTRICT', 'NO ACTION')`, 1 + 2 + 4 + 8] as const;

/**
 * @param updates true if rows are only updated: tables that follow deletions stay then.
 * @param mayAskInnodb true on MariaDB if the account has PROCESS.
 */
export async function cascadesFrom(
  ask: Ask,
  tables: readonly TableName[],
  updates: boolean,
  mayAskInnodb: boolean,
): Promise<readonly ReferencingTable[]> {
  const [acts, bits] = updates ? onUpdate : onAny;
  if (mayAskInnodb && (await innodbKnowsNone(ask, tables, bits))) return [];
  const keys = await ask(keysQuestion(acts));
  const reached = new Set(tables.map(table => placeOf(table.schema, table.name)));
  const followers: ReferencingTable[] = [];
  // The list grows while it is walked.
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
 * True if InnoDB, which has its keys in one table, knows none of these. For the question above
 * MariaDB opens every table of the server. Names that InnoDB spells differently from SQL are left
 * to the question above.
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
