/**
 * Describes many tables at once as `describe_table` describes each: for resources and prompts,
 * which cost models nothing until asked for.
 */

import * as z from 'zod';
import type { TableDescription } from '../../../engines/engine.ts';
import { qualifiedName } from '../../../engines/object-name.ts';
import { toolError } from '../../../refusal.ts';
import { refusalOf } from '../../../statement/failure-refusals.ts';
import { findNamed } from '../../../statement/named-tables.ts';
import { refused, success, type Tool } from '../tool.ts';
import { type AskedObjects, searchObjects } from '../tools/listed-objects.ts';
import { connectionArgument, databaseArgument, schemaArgument } from '../tools/shared-arguments.ts';
import { tableLines } from '../tools/table-lines.ts';
import { accessMeta, lookUpContext, resolveFor, type ToolPorts } from '../tools/tool-ports.ts';
import { placesRefusal, unknownPlace } from '../tools/unknown-place.ts';

const input = z.strictObject({
  connection: connectionArgument,
  schema: schemaArgument,
  database: databaseArgument,
  question: z.string().optional(),
});

/** As many as an ordinary answer has room for; of more, the most important ones. */
const mostDescribed = 40;
/** Examined to find those: the look-up takes the same number of queries for all. */
const mostLookedAt = 200;
/** The other tables' names need the rest. */
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
      const resolution = await resolveFor(ports, call, args.connection);
      if (resolution.kind === 'refused') return resolution;
      const { connection } = resolution.resolved;
      const database = ports.databases.of(connection);
      const context = lookUpContext(ports, call, args);
      const listed = await database.listTables(context, false);
      const isNothing = listed.kind === 'query_failed' || (listed.kind === 'done' && listed.value.length === 0);
      if (isNothing && args.schema !== undefined) {
        const places = await database.listSchemas({ ...context, schema: null });
        if (places.kind === 'done' && !places.value.schemas.includes(args.schema))
          return refused(toolError('query_failed', unknownPlace('schema', args.schema, places.value.schemas)));
      }
      if (listed.kind !== 'done') return refused(await placesRefusal(listed, database, context, connection));
      const room = ports.limits().defaultAnswerBytes * shareOfDescriptions;
      const names = listed.value.map(({ schema, name }) => qualifiedName(database.dialect, schema, name));
      const isLarge = names.length > mostDescribed;
      const asked = isLarge ? await namesFor(args.question, { database, context }) : [];
      const known = new Set(names);
      // The best come first, and no more are shown.
      const looked = asked.filter(name => known.has(name)).slice(0, mostDescribed);
      const answer = await findNamed(
        database,
        context,
        looked.length > 0 ? looked : names.slice(0, mostLookedAt),
        false,
      );
      if (answer.kind !== 'done') return refused(refusalOf(answer, connection));
      // Null if it was dropped since it was listed.
      const found = answer.value.map(({ table }) => table).filter(table => table !== null);
      if (isLarge && looked.length === 0) found.sort((a, b) => weightOf(b) - weightOf(a));
      const tables: Record<string, unknown>[] = [];
      let bytes = 0;
      const lines = found.slice(0, mostDescribed).map(table => tableLines(database.dialect, table, false));
      for (const table of lines) {
        const size = Buffer.byteLength(JSON.stringify(table));
        // A view as long as a book is left to describe_table: it takes no other's place.
        if (bytes + size > room) continue;
        bytes += size;
        tables.push(table);
      }
      if (tables.length === 0) tables.push(...lines.slice(0, 1));
      const described = new Set(tables.map(({ name }) => name));
      const others = names.filter(name => !described.has(name));
      return success(
        {
          connection: connection.name,
          total: names.length,
          tables,
          ...(others.length > 0 && { not_described: others, note: 'describe_table describes the others.' }),
        },
        accessMeta(resolution.resolved),
      );
    },
  };
}

/** Tables that others refer to are central; a lone empty one may be anything. */
function weightOf({ referencedBy, foreignKeys, approximateRowCount: rows }: TableDescription): number {
  return 4 * (referencedBy?.length ?? 0) + 2 * foreignKeys.length + Math.log10((rows ?? 0) + 1);
}

/**
 * Characters read of a question: a page says what it is about, and a megabyte would block
 * everybody.
 */
const questionRead = 4_096;
/** PostgreSQL and MySQL have no longer names. */
const longestWord = 64;
/** These occur in all kinds of comments and distinguish no table. */
const wordsOfAnyQuestion = new Set(
  `about after average been before could does each ever from give have last less list many more most much often over show than
   that their them there these they this those through total were what when where which while whose will with without would`.split(
    /\s+/,
  ),
);

/**
 * The objects in which a question's words occur, best first, each once; empty without a question.
 */
async function namesFor(question: string | undefined, asked: AskedObjects): Promise<readonly string[]> {
  const read = (question ?? '').slice(0, questionRead).toLowerCase();
  const words = read.match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  const telling = words.filter(word => word.length <= longestWord && !wordsOfAnyQuestion.has(word));
  if (telling.length === 0) return [];
  const searched = await searchObjects(asked, telling.join(' '));
  return searched.kind === 'done' ? [...new Set(searched.value.entries.map(({ name }) => name))] : [];
}
