/** Many tables described at once, as `describe_table` describes each: for resources and prompts, which models don't pay for until asked for. */

import { z } from 'zod';
import { findNamed } from '../../query/named-tables.ts';
import { qualifiedName } from '../../query/object-name.ts';
import { refusalOf } from '../../query/run.ts';
import { refused, success, type Tool } from '../tool.ts';
import { connectionArgument, databaseArgument, schemaArgument } from '../tools/arguments.ts';
import { tableLines } from '../tools/table-lines.ts';
import { accessMeta, lookUpContext, reachFor, type ToolPorts } from '../tools/tool-ports.ts';

const input = z.strictObject({
  connection: connectionArgument,
  schema: schemaArgument,
  database: databaseArgument,
});

/** As many as an answer of ordinary size has room for. */
const mostDescribed = 40;
/** The names of the others need the rest. */
const shareOfDescriptions = 0.75;

export function describeSchema(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'describe_schema',
    title: 'Schema',
    description: 'Columns, keys and indexes of all tables.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output: z.looseObject({ total: z.number() }),
    async run(call, args) {
      const found = await reachFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const { connection } = found.reached;
      const database = ports.databases.of(connection);
      const context = lookUpContext(ports, call, args);
      const listed = await database.listTables(context, false);
      if (listed.kind !== 'done') return refused(refusalOf(listed, connection.name));
      const room = ports.limits().defaultAnswerBytes * shareOfDescriptions;
      const tables: Record<string, unknown>[] = [];
      let bytes = 0;
      const names = listed.value
        .slice(0, mostDescribed)
        .map(({ schema, name }) => qualifiedName(connection.engine, schema, name));
      const answer = await findNamed(database, context, names, false);
      if (answer.kind !== 'done') return refused(refusalOf(answer, connection.name));
      for (const { table } of answer.value) {
        // Dropped since it was listed.
        if (table === null) continue;
        const lines = tableLines(connection.engine, table, false);
        bytes += Buffer.byteLength(JSON.stringify(lines));
        if (bytes > room && tables.length > 0) break;
        tables.push(lines);
      }
      const described = new Set(tables.map(({ name }) => name));
      const others = listed.value
        .map(({ schema, name }) => qualifiedName(connection.engine, schema, name))
        .filter(name => !described.has(name));
      return success(
        {
          connection: connection.name,
          total: listed.value.length,
          tables,
          ...(others.length > 0 && { not_described: others, note: 'describe_table describes the others.' }),
        },
        accessMeta(found.reached),
      );
    },
  };
}
