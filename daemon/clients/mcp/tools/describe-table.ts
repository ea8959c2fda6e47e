/**
 * `describe_table` (spec §9): what a model needs to know about tables and other named objects
 * before it writes SQL.
 */

import * as z from 'zod';
import type { TableDescription } from '../../../engines/engine.ts';
import { toolError } from '../../../refusal.ts';
import { refusalOf } from '../../../statement/failure-refusals.ts';
import { joinPath } from '../../../statement/join-path.ts';
import { type FoundByName, findNamed, missingSentences } from '../../../statement/named-tables.ts';
import { boundedContent } from '../bounded.ts';
import { whileRunning } from '../running-progress.ts';
import { refused, success, type Tool } from '../tool.ts';
import { type Asked, describeOne, sampleRows } from './described-table.ts';
import { connectionArgument, databaseArgument, schemaArgument } from './shared-arguments.ts';
import { joinLine } from './table-lines.ts';
import { accessMeta, lookUpContext, resolveFor, type ToolPorts } from './tool-ports.ts';

const mostTables = 10;

const name = z.string().min(1).max(256);

const input = z.strictObject({
  connection: connectionArgument,
  table: name.optional(),
  tables: z.array(name).min(1).max(mostTables).optional(),
  schema: schemaArgument,
  database: databaseArgument,
  include_sample: z.boolean().optional().describe(`Add ${sampleRows} rows`),
  include_values: z.boolean().optional().describe('List the few values of columns'),
  include_ddl: z.boolean().optional(),
});

/** Members appear if there is something to say: table-lines.ts. */
const output = z.looseObject({});

const rest =
  'Cut to the most that an answer holds: describe fewer tables, or read a long definition from the catalog in parts.';

export function describeTable(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'describe_table',
    title: 'Describe tables',
    description: `Columns, keys both ways, indexes, checks of up to ${mostTables} tables; views, routines, types too.`,
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call, args) {
      const names = [...new Set([...(args.table === undefined ? [] : [args.table]), ...(args.tables ?? [])])];
      if (names.length === 0) return refused(toolError('invalid_argument', 'Name a table, or up to 10 as tables.'));
      if (names.length > mostTables)
        return refused(toolError('invalid_argument', `Name at most ${mostTables} tables in all.`));
      const found = await resolveFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const { resolved } = found;
      const database = ports.databases.of(resolved.connection);
      const asked = {
        ports,
        call,
        resolved,
        database,
        context: lookUpContext(ports, call, args),
        args,
        warnings: new Set<string>(),
      };

      const tables: Record<string, unknown>[] = [];
      const described: TableDescription[] = [];
      let joins: readonly string[] = [];
      const missing: string[] = [];
      const describeAll = async (): Promise<ReturnType<typeof refused> | null> => {
        const unknown: FoundByName[] = [];
        const answer = await findNamed(database, asked.context, names, args.include_ddl === true);
        if (answer.kind !== 'done') return refused(refusalOf(answer, resolved.connection));
        for (const named of answer.value) {
          const one = await describeOne(asked, named);
          if (one.kind === 'missing') unknown.push(named);
          else tables.push(...one.lines);
          if (named.table !== null) described.push(named.table);
        }
        joins = await joinsOf(asked, described);
        missing.push(...(await missingSentences(database, asked.context, resolved.connection, unknown)));
        return null;
      };
      const unread = await whileRunning(call, describeAll, seconds => `reading the catalog for ${seconds} s`);
      if (unread !== null) return unread;
      if (tables.length === 0) return refused(toolError('query_failed', missing.join(' ')));
      const warnings = [...asked.warnings];
      const content = {
        ...(warnings.length > 0 && { warnings }),
        tables,
        ...(joins.length > 0 && { join_path: joins }),
        ...(missing.length > 0 && { not_found: missing }),
      };
      return success(boundedContent(content, ports.limits().maxAnswerBytes, rest), accessMeta(resolved));
    },
  };
}

/** Joins are told of two tables only: of more, it isn't known which ones are meant to be joined. */
async function joinsOf({ database, context }: Asked, tables: readonly TableDescription[]): Promise<readonly string[]> {
  const [from, to, more] = tables;
  if (from === undefined || to === undefined || more !== undefined) return [];
  const path = await joinPath(database, context, from, to);
  return (path ?? []).map(join => joinLine(database.dialect, join));
}
