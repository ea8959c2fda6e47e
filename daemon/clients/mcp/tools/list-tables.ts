/**
 * `list_tables` (spec §9): tables and the like grouped by schema, or the matches of a search, in
 * pages of ours.
 */

import * as z from 'zod';
import type { CatalogText } from '../../../engines/engine.ts';
import { toolError } from '../../../refusal.ts';
import { refusalOf } from '../../../statement/failure-refusals.ts';
import { firstFitting } from '../bounded.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { malformedCursorSentence } from '../refusal-words.ts';
import { whileRunning } from '../running-progress.ts';
import { refused, success, type Tool } from '../tool.ts';
import {
  betterThanSchemas,
  listObjects,
  mostSchemaHits,
  ofSchemasAlone,
  searchObjects,
  shown,
  sized,
} from './listed-objects.ts';
import { connectionArgument, cursorArgument, databaseArgument } from './shared-arguments.ts';
import { accessMeta, lookUpContext, resolveFor, type ToolPorts } from './tool-ports.ts';
import { placesRefusal, unknownPlace } from './unknown-place.ts';

const kinds = [
  'table',
  'view',
  'materialized_view',
  'foreign_table',
  'virtual_table',
  'sequence',
  'function',
  'procedure',
  'other',
] as const satisfies readonly CatalogText['kind'][];

const input = z.strictObject({
  connection: connectionArgument.describe('id or name'),
  schema: z.string().min(1).max(256).optional(),
  database: databaseArgument,
  kind: z.enum(kinds).optional(),
  search: z.string().min(1).max(256).optional(),
  include_row_counts: z.boolean().optional(),
  limit: z.number().int().min(1).max(1000).optional(),
  cursor: cursorArgument,
});

/**
 * `schemas`: per schema the names, with a kind unless it is a table. `matches`: per qualified name,
 * where the words occur.
 */
const output = z.looseObject({});

const defaultPage = { list: 200, search: 20 } as const;
/** A shared server may have thousands. */
const mostDatabases = 200;
/** The part of an answer that objects get; database names and remarks get the rest. */
const shareOfObjects = 3 / 4;

export function listTables(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'list_tables',
    title: 'List or search tables',
    description: 'Lists tables and views by schema; with search, those whose names, columns or comments match.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call, { limit, cursor, ...question }) {
      const offset = cursor === undefined ? 0 : decodeCursor(question, cursor);
      if (offset === null) return refused(toolError('invalid_argument', malformedCursorSentence));
      const found = await resolveFor(ports, call, question.connection);
      if (found.kind === 'refused') return found;
      const { connection } = found.resolved;
      const database = ports.databases.of(connection);
      const context = lookUpContext(ports, call, question);
      const saying = (seconds: number): string => `reading the catalog for ${seconds} s`;
      const places = await whileRunning(call, () => database.listSchemas({ ...context, schema: null }), saying);
      if (places.kind !== 'done') return refused(await placesRefusal(places, database, context, connection));
      const { schema, search, kind } = question;
      const isUnknown = schema !== undefined && !places.value.schemas.includes(schema);
      const asked = {
        database,
        context,
        kind,
        withRows: question.include_row_counts === true,
      };
      const listed = await whileRunning(
        call,
        () => (search === undefined ? listObjects(asked, places.value) : searchObjects(asked, search)),
        saying,
      );
      // The engine's own schemas aren't listed as the user's places, but they exist.
      if (
        isUnknown &&
        (listed.kind === 'query_failed' || (listed.kind === 'done' && listed.value.entries.length === 0))
      ) {
        return refused(toolError('query_failed', unknownPlace('schema', schema, places.value.schemas)));
      }
      if (listed.kind !== 'done') return refused(refusalOf(listed, connection));
      const { entries, note: said } = listed.value;
      const wanted = limit ?? defaultPage[search === undefined ? 'list' : 'search'];
      const better = betterThanSchemas(entries);
      const isBest = limit === undefined && offset < better && entries.length - better > mostSchemaHits;
      const upTo = isBest ? Math.min(offset + wanted, better) : offset + wanted;
      const page = firstFitting(entries.slice(offset, upTo), ports.limits().maxAnswerBytes * shareOfObjects, sized);
      const end = offset + page.length;
      const { databases } = places.value;
      const note = isBest && end === better ? ofSchemasAlone(entries.length - better, said) : said;
      return success(
        {
          total: entries.length,
          ...(note !== null && { note }),
          ...(databases.length > 0 && { databases: databases.slice(0, mostDatabases) }),
          ...(databases.length > mostDatabases && { databases_in_all: databases.length }),
          ...(end < entries.length && { next_cursor: encodeCursor(question, end) }),
          ...shown(page, search !== undefined),
        },
        accessMeta(found.resolved),
      );
    },
  };
}
