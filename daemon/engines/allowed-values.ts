/**
 * The values that a column accepts, for a statement that failed because of one: an enum's labels,
 * or the condition of a table's or domain's CHECK. Asked only after the failure.
 */

import type { QualifiedName } from '../guard/types.ts';
import type { QueryFailed } from './dialect.ts';
import type { CallContext, Database, TableDescription } from './engine.ts';
import { lookUp } from './look-up.ts';
import { writtenName } from './object-name.ts';
import { beginning } from './shorten.ts';

const mostTables = 4;
const mostLabels = 30;
const longestCondition = 300;

/** @param tables those that the statement names */
export async function allowedValues(
  database: Database,
  context: CallContext,
  failure: QueryFailed,
  tables: readonly QualifiedName[],
): Promise<string | null> {
  const { meaning, nameIn, labelsOfType } = database.dialect;
  const [first = ''] = failure.message.split('\n');
  const what = meaning(failure);
  const type = what === 'no such value' ? enumIn(first) : null;
  if (type !== null && labelsOfType !== undefined) {
    const labels = await lookUp(database, context, labelsOfType, [type]);
    return labels.kind === 'done'
      ? takes(
          type,
          labels.value.map(([label]) => String(label)),
        )
      : null;
  }
  const isCheck = what === 'broken check';
  if (!isCheck && what !== 'cut value') return null;
  const names = nameIn === undefined ? quotedIn(first) : [nameIn(first) ?? ''];
  for (const { schema, name } of tables.slice(0, mostTables)) {
    const described = await database.describeTables({ ...context, schema: schema ?? context.schema }, [name], false);
    const table = described.kind === 'done' ? described.value[0] : null;
    const found = table && (isCheck ? conditionOf(table, names) : labelsOf(database, table, names));
    if (found) return found;
  }
  return null;
}

/** Finds the type in `invalid input value for enum mood: "glad"`, in any language. */
function enumIn(message: string): string | null {
  const [head = ''] = message.split(':', 1);
  const at = head.toLowerCase().lastIndexOf('enum ');
  return at < 0 ? null : head.slice(at + 'enum '.length).trim();
}

function conditionOf({ checks, columns }: TableDescription, names: readonly string[]): string | null {
  const found = [...checks, ...columns.flatMap(column => column.checks ?? [])].find(
    ({ name }) => name !== null && names.includes(name),
  );
  return found === undefined ? null : `${found.name} is ${beginning(found.expression, longestCondition)}.`;
}

function labelsOf({ dialect }: Database, { columns }: TableDescription, names: readonly string[]): string | null {
  const found = columns.find(({ name, allowedValues: labels }) => labels !== null && names.includes(name));
  return found?.allowedValues ? takes(writtenName(dialect, found.name), found.allowedValues) : null;
}

function takes(what: string, labels: readonly string[]): string | null {
  if (labels.length === 0) return null;
  const shown = labels.slice(0, mostLabels).map(label => `'${label.replaceAll("'", "''")}'`);
  return `${what} takes ${shown.join(', ')}${labels.length > mostLabels ? `, … ${labels.length} in all` : ''}.`;
}

/** The texts in the quotes of the server's language. */
function quotedIn(text: string): readonly string[] {
  return [
    ...text.matchAll(/["'`\u00ab\u201e\u201c]([^"'`\u00ab\u00bb\u201e\u201c\u201d]+)["'`\u00bb\u201c\u201d]/g),
  ].map(([, name = '']) => name.split('.').at(-1) ?? name);
}
