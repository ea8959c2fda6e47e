/**
 * Finds the names that stand in the published attacks: those of tables, columns and more that a
 * database has. Reads catalogs alone.
 */

import type { CallContext, Database, Table, TableDescription } from '../engines/engine.ts';
import type { AttackName } from '../guard/attacks/attack.ts';

export type AttackNames = Readonly<Partial<Record<AttackName, string>>>;

/** How many tables are looked at to find one with several columns. */
const mostDescribed = 20;

/**
 * A name may come to stand within a literal, so it has letters, digits and underscores alone. What
 * isn't there has no name.
 * @param account and where it is signed in, as the server tells it.
 */
export async function attackNames(
  database: Database,
  context: CallContext,
  account: { readonly role: string | null; readonly database: string | null },
): Promise<AttackNames> {
  const listed = await database.listTables(context, false);
  const relations = listed.kind === 'done' ? listed.value.filter(isPlainRelation) : [];
  const tables = relations.filter(({ kind }) => kind === 'table');
  const { table, described } = await firstWithColumns(database, context, tables);
  const { quote } = database.dialect;
  const whole = (relation: Table | null | undefined): string | null => {
    if (!relation) return null;
    return relation.schema === null ? quote(relation.name) : `${quote(relation.schema)}.${quote(relation.name)}`;
  };
  const bare = (name: string | null | undefined): string | null => (name && isPlain(name) ? quote(name) : null);
  const columns = described?.columns.filter(({ name, generated }) => isPlain(name) && generated === null) ?? [];
  const ofKind = (wanted: Table['kind']): string | null => whole(relations.find(({ kind }) => kind === wanted));
  const found: Readonly<Record<AttackName, string | null>> = {
    table: whole(table),
    other: whole(tables.find(each => each !== table) ?? table),
    column: bare(columns.at(-1)?.name),
    key: bare((columns.find(({ primaryKey }) => primaryKey) ?? columns[0])?.name),
    text: bare((columns.find(({ type }) => /char|text/i.test(type)) ?? columns.at(-1))?.name),
    index: bare(described?.indexes.find(({ name }) => isPlain(name))?.name),
    view: ofKind('view'),
    sequence: ofKind('sequence'),
    schema: bare(table?.schema),
    database: bare(account.database),
    role: bare(account.role),
  };
  return Object.fromEntries(Object.entries(found).filter(([, name]) => name !== null));
}

const isPlain = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,126}$/.test(name);
const isPlainRelation = ({ name, schema }: Table): boolean => isPlain(name) && (schema === null || isPlain(schema));

async function firstWithColumns(
  database: Database,
  context: CallContext,
  tables: readonly Table[],
): Promise<{ readonly table: Table | null; readonly described: TableDescription | null }> {
  for (const table of tables.slice(0, mostDescribed)) {
    const answer = await database.describeTables({ ...context, schema: table.schema }, [table.name], false);
    const described = answer.kind === 'done' ? (answer.value[0] ?? null) : null;
    if (described !== null && described.columns.length > 1) return { table, described };
  }
  return { table: tables[0] ?? null, described: null };
}
