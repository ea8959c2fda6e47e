/**
 * A database of whose tables only some may be met (spec §6): takes the others out of all that it
 * tells. What a statement reaches, the engine's own `follow` says.
 */

import { isHidden, isSchemaHidden, isShown, isWholeSight, type Sight } from '../guard/sight.ts';
import type { QualifiedName } from '../guard/types.ts';
import { withoutStatistics } from './dialect.ts';
import type {
  Answer,
  CallContext,
  Database,
  DatabaseFailure,
  HiddenTables,
  Table,
  TableDescription,
} from './engine.ts';
import { type Hidden, inSightAlone } from './in-sight/description.ts';
import { withoutNames } from './in-sight/failure.ts';

/** @returns the same database if nothing is hidden. */
export function inSight(database: Database, sight: Sight | undefined): Database {
  return sight === undefined || isWholeSight(sight) ? database : inThatSight(database, sight);
}

function inThatSight(database: Database, sight: Sight): Database {
  const seen = <Context extends CallContext>(context: Context): Context => ({ ...context, sight });

  /** By name, and by what the engine says of views, parts and the like. */
  async function outOfSight(context: CallContext): Promise<Answer<Hidden>> {
    const asked = { ...placeOf(context), sight };
    const found = await (database.hiddenTables?.(asked) ?? listedAsHidden(database, sight, asked));
    if (found.kind !== 'done') return found;
    const names = new Set(found.value.tables.map(keyOf));
    const bare = new Set(found.value.bareNames);
    return {
      kind: 'done',
      value: {
        isOut: (schema, name) =>
          isHidden(sight, schema, name) || (names.has(keyOf({ schema, name })) && !isShown(sight, schema, name)),
        isNamed: (schema, name) => (schema === null ? bare.has(name) : names.has(keyOf({ schema, name }))),
      },
    };
  }

  /** Two look-ups, so that an answer without the second is never told. */
  async function told<T>(
    context: CallContext,
    ask: (context: CallContext) => Promise<Answer<T>>,
    shorten: (value: T, hidden: Hidden) => T,
  ): Promise<Answer<T>> {
    const hidden = await outOfSight(context);
    if (hidden.kind !== 'done') return hidden;
    const answer = await ask(seen(context));
    return answer.kind === 'done' ? { kind: 'done', value: shorten(answer.value, hidden.value) } : answer;
  }

  const without = <Outcome extends { readonly kind: string }>(
    context: CallContext,
    outcome: Outcome | DatabaseFailure,
    sql = '',
  ) => withoutNames(outcome, sql, () => outOfSight(context));

  return {
    ...database,
    dialect: withoutStatistics(database.dialect),
    outOfSight,
    run: async (request, sink) => without(request, await database.run(seen(request), sink), request.sql),
    rehearse: async (context, work) =>
      without(
        context,
        await database.rehearse(seen(context), rehearsal =>
          work({
            run: async (step, sink) => without(context, await rehearsal.run(step, sink), step.sql),
            rowCounts: deferred => rehearsal.rowCounts(deferred),
          }),
        ),
      ),
    // An engine that can't tell which tables are hidden doesn't follow what reaches them either.
    follow: async (classifier, context, sql, facts) =>
      database.hiddenTables === undefined
        ? { kind: 'failed', failure: { kind: 'unsupported', message: cannotHide } }
        : database.follow(classifier, seen(context), sql, facts),
    planPreview: (classifier, planning) =>
      database.planPreview(classifier, { ...planning, context: seen(planning.context) }),
    count: counting => database.count({ ...counting, context: seen(counting.context) }),
    holdRun: (counting, shown, excess) =>
      database.holdRun({ ...counting, context: seen(counting.context) }, shown, excess),
    // A program's own session asks the catalogs as it likes.
    ...(database.openWire && { openWire: async () => ({ kind: 'unsupported', message: noWire }) as const }),
    planRole: (context, wanted) => database.planRole(seen(context), wanted),
    listTables: (context, rowCounts, where) =>
      told(
        context,
        asked => database.listTables(asked, rowCounts, where),
        (tables, { isOut }) => tables.filter(({ schema, name }) => !isOut(schema, name)).map(alone),
      ),
    listSchemas: async context => {
      const answer = await database.listSchemas(seen(context));
      if (answer.kind !== 'done') return answer;
      const { schemas, databases } = answer.value;
      return { kind: 'done', value: { schemas: schemas.filter(name => !isSchemaHidden(sight, name)), databases } };
    },
    catalogTexts: (context, words) =>
      told(
        context,
        asked => database.catalogTexts(asked, words),
        (texts, { isOut }) => texts.filter(({ schema, object }) => !isOut(schema, object)),
      ),
    describeTables: (context, names, withDdl) =>
      told(
        context,
        asked => database.describeTables(asked, names, withDdl),
        (tables, hidden) => tables.map(table => described(table, hidden)),
      ),
    describeObjects: (context, name) =>
      told(
        context,
        asked => database.describeObjects(asked, name),
        (objects, { isOut }) => objects.filter(object => !isOut(object.schema, object.name)),
      ),
  };
}

/** Hidden parts and children are no number of it either. */
function alone({ partitions: _, children: __, ...table }: Table): Table {
  return table;
}

function described(table: TableDescription | null, hidden: Hidden): TableDescription | null {
  return table === null || hidden.isOut(table.schema, table.name) ? null : inSightAlone(table, hidden);
}

/** The hidden tables of an engine whose tables are hidden by their names alone. */
async function listedAsHidden(database: Database, sight: Sight, context: CallContext): Promise<Answer<HiddenTables>> {
  const listed = await database.listTables(context, false, 'everywhere');
  if (listed.kind !== 'done') return listed;
  const tables = listed.value.filter(({ schema, name }) => isHidden(sight, schema, name));
  const inSightToo = new Set(listed.value.filter(table => !tables.includes(table)).map(({ name }) => name));
  const bareNames = tables.map(({ name }) => name).filter(name => !inSightToo.has(name));
  return { kind: 'done', value: { tables, bareNames } };
}

const cannotHide = 'Tables can not be kept out of sight on this engine, so nothing runs here; tell the user.';

const noWire = 'This connection keeps tables out of sight, so no program reads it by a wire.';

/** What a look-up beside a statement needs of the statement's context. */
function placeOf({ principal, client, database, timeoutSeconds, clock, signal }: CallContext): CallContext {
  return { principal, client, database, schema: null, timeoutSeconds, clock, signal };
}

const keyOf = ({ schema, name }: QualifiedName): string => `${schema ?? ''}\0${name}`;
