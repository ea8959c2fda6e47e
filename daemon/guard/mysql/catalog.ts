/**
 * Raises a class by what a server's catalog says about the views, routines and triggers that a
 * statement reaches, and about what these reach in turn. It asks no server itself: it returns what
 * it needs to know next.
 */

import { withAdvice } from '../advice.ts';
import { advise, english, joinReasons, type Reason, say, worded } from '../reason.ts';
import type { Classification, RowEffects, StatementClass } from '../types.ts';
import type { MysqlClassification } from './classify-mysql.ts';
import { type CatalogItem, isChange, keyOf } from './question.ts';
import { ownTransactions } from './storage-engines.ts';
import { classifyCode } from './stored-body.ts';
import { changeOf, isSystemSchema, secretOf } from './system-tables.ts';
import { isWorse } from './verdict.ts';

/** What the catalog holds for an item: a view, routine or trigger, or a fact about a table. */
export interface CatalogObject {
  /**
   * - `engine`: the table's engine, named by `definition`. Given if rows change other than by
   *   values of a whole unique key, or if an altered table's rows are another server's.
   * - `follower`: a table whose rows follow by a foreign key; `definition` is its schema and name
   *   as JSON.
   * - `column`: a table's column; `definition` is its name and what the server computes it from, as
   *   JSON.
   * - `fired`: a trigger; `definition` is its name and body as JSON.
   * - `there`: the answer to a question is yes. The name to be replaced is taken, the table is a
   *   sequence or in use, or a variable or definition may hold a password.
   */
  readonly kind: 'view' | 'routine' | 'trigger' | 'there' | 'engine' | 'follower' | 'fired' | 'column';
  /** Null if the account may not see it, or if it isn't SQL. */
  readonly definition: string | null;
  readonly sqlMode: string;
}

export interface CatalogAnswer {
  readonly item: CatalogItem;
  /** Empty for a plain table, and for a name that doesn't exist. */
  readonly objects: readonly CatalogObject[];
}

interface RaisedByCatalog {
  readonly classification: Classification;
  /** What must be asked before the class is final; empty if it is final. */
  readonly wants: readonly CatalogItem[];
  readonly rowEffects: RowEffects;
}

const forbids = (reason: string): Raise => ({ class: 'forbidden', reason: withAdvice(reason) });
const destroys = (reason: Reason): Raise => ({ class: 'destructive', reason });

/** If a statement reaches more items than this, they aren't looked through. */
const mostItems = 300;

interface Raise {
  readonly class: StatementClass;
  readonly reason: Reason;
}

/** @param answers all answers so far; empty at first. */
export function raisedByCatalog(byText: MysqlClassification, answers: readonly CatalogAnswer[]): RaisedByCatalog {
  const { question, readsIfCalledDoes, countsOne, ownEffect = null, parts, ...classification } = byText;
  const isRead = readsIfCalledDoes === true && classification.class === 'write';
  let now: Classification = isRead
    ? { ...classification, class: 'read', ...worded('CALL of a procedure that only reads.') }
    : classification;
  const withParts = ({ class: raised, reason }: Raise) =>
    raised === 'destructive' && parts !== undefined ? joinReasons(reason, parts) : reason;
  const raise = (found: Raise | null): void => {
    if (found !== null && isWorse(found.class, now.class))
      now = { ...now, class: found.class, ...worded(withParts(found)) };
  };
  const known = new Map(answers.map(answer => [keyOf(answer.item), answer.objects]));
  const seen = new Set<string>();
  const queue: CatalogItem[] = [];
  const add = (items: readonly CatalogItem[]): void => {
    for (const item of items) {
      const key = keyOf(item);
      if (!seen.has(key)) queue.push(item);
      seen.add(key);
    }
  };
  add(question);
  const tables: CatalogItem[] = [];
  const insertedInto: CatalogItem[] = [];
  let uncounted: string | null = null;
  const wants: CatalogItem[] = [];
  for (let index = 0; index < queue.length && now.class !== 'forbidden'; index++) {
    const item = queue[index] as CatalogItem;
    if (seen.size > mostItems) {
      const reason = say('It reaches more views, routines and triggers than can be looked through.');
      raise({ class: 'write', reason });
      return {
        classification: now,
        wants: [],
        rowEffects: {
          tables: [],
          insertedInto: [],
          uncounted: 'it reaches more than can be looked through',
          countedTable: null,
          ownEffect,
        },
      };
    }
    raise(bySystemName(item));
    if (byText.plansDml === true && item.kind === 'function') raise(plannedCall(item));
    if (!isAsked(item)) continue;
    const objects = known.get(keyOf(item));
    if (objects === undefined) wants.push(item);
    else {
      const found = byObjects(item, objects);
      raise(found);
      if (item.kind === 'function' && found?.class === 'write' && byText.needsOwnSession) raise(uncountedCall(item));
      if (found !== null && (item.kind === 'function' || item.kind === 'procedure')) uncounted ??= clauseOf(found);
      const isTable = !objects.some(({ kind }) => kind === 'view');
      if (isChange(item.kind) && isTable) (item.kind === 'added' ? insertedInto : tables).push(item);
      if (byText.plansDml === true && item.kind === 'hidden' && objects.length > 0) raise(plannedCall(item));
      for (const object of objects) {
        if (object.kind === 'follower') add([followerOf(object)]);
        const code = codeOf(item, object);
        if (code === null) continue;
        const classified = classifyCode(code);
        raise(classified);
        if (item.kind === 'function' && classified.class === 'write' && byText.needsOwnSession)
          raise(uncountedCall(item));
        if (classified.isUncounted) uncounted ??= clauseOf(classified);
        add(classified.question);
      }
    }
  }
  // If the statement names a view, the server's count is of the only table behind it that changes.
  // If several change, nobody knows of which it is.
  const named = tables.find(table => table === question.find(item => isChange(item.kind)));
  const first = named ?? (tables.length === 1 ? tables[0] : undefined);
  const countedTable = countsOne === undefined || first === undefined ? null : { ...first, rows: countsOne };
  const rowEffects = { tables, insertedInto, uncounted, countedTable, ownEffect };
  return { classification: now, wants: now.class === 'forbidden' ? [] : wants, rowEffects };
}

function bySystemName(item: CatalogItem): Raise | null {
  if (item.kind !== 'read' && !isChange(item.kind)) return null;
  const secret = secretOf(item);
  if (secret !== null) return forbids(secret);
  return isChange(item.kind) ? changeOf(item) : null;
}

/**
 * False for a name that the server can't find, as nothing is behind it, and for the server's own
 * tables, which are classified by their names.
 */
function isAsked({ kind, schema }: CatalogItem): boolean {
  if (kind === 'variables' || kind === 'grants' || kind === 'function' || kind === 'procedure') return true;
  return schema !== '' && !isSystemSchema(schema);
}

/**
 * Raises a plan that may run a user's code: the servers plan a data change only in a session that
 * could write.
 */
function plannedCall(item: CatalogItem): Raise {
  return { class: 'write', reason: say('A plan of a data change may run %@ where it could write.', shownOf(item)) };
}

/**
 * Raises a statement that commits by itself, such as CREATE TABLE … AS SELECT: what a function in
 * it changes can't be counted before.
 */
function uncountedCall(item: CatalogItem): Raise {
  return destroys(say('%@ may change rows, and what it changes stays with the statement, uncounted.', shownOf(item)));
}

function byObjects(item: CatalogItem, objects: readonly CatalogObject[]): Raise | null {
  const shown = shownOf(item);
  if (objects.length === 0) {
    // The function doesn't exist, this account may not see it, or it is code from a library. Only
    // its author knows what it does.
    const why = advise(
      '%@ is not built in, and no code of it is found here; check its name, and whether this engine has it.',
      shown,
    );
    return item.kind === 'function' || item.kind === 'procedure' ? { class: 'write', reason: why } : null;
  }
  const engine = objects.find(({ kind }) => kind === 'engine')?.definition ?? null;
  switch (item.kind) {
    case 'changed':
    case 'keyed':
      return engine === null || ownTransactions.has(engine.toLowerCase())
        ? null
        : destroys(
            say(
              "%@ is a table of the engine %@, whose changes can't be taken back, and no `column = value` on a whole unique key says which rows.",
              shown,
              engine,
            ),
          );
    case 'variables':
      return forbids("The server's variables hold a password; name the ones you need with LIKE.");
    case 'grants':
      return forbids(
        "SHOW GRANTS shows a password hash on this server, this account's own too; information_schema.USER_PRIVILEGES and SCHEMA_PRIVILEGES tell the rights without it.",
      );
    case 'shown':
      return forbids(`The definition of ${shown} holds another server's password.`);
    case 'added':
      return objects.some(({ kind }) => kind === 'there')
        ? destroys(say('%@ is a sequence: a row of it sets which values writes get from now on.', shown))
        : null;
    case 'altered':
    case 'constrained':
    case 'rebuilt':
    case 'described':
    case 'widened':
      return destroys(
        engine !== null
          ? say('The engine %@ has the rows of %@ elsewhere, and its definition says where.', engine, shown)
          : whatChanges[item.kind](shown),
      );
    case 'replaced':
      return destroys(say('CREATE OR REPLACE VIEW takes the place of %@.', shown));
    default:
      return null;
  }
}

const constrains = (table: string): Reason =>
  say(
    "It may make other people's writes to %@ fail: the table is in use, and from now on every write must fit the new definition.",
    table,
  );

const whatChanges = {
  altered: constrains,
  constrained: constrains,
  rebuilt: (table: string) =>
    say("%@ isn't in InnoDB, so others' full-text searches and rollbacks there change.", table),
  described: (table: string) => say('It replaces the comment of %@, which programs may read.', table),
  widened: (table: string) =>
    say('A column of %@ changes in more than its length: its values may be cut, or mean something else.', table),
};

function codeOf(item: CatalogItem, { kind, definition, sqlMode }: CatalogObject) {
  if (kind === 'there' || kind === 'engine' || kind === 'follower' || kind === 'fired' || kind === 'column')
    return null;
  const shown =
    kind === 'trigger'
      ? say('A trigger on %@', shownOf(item))
      : kind === 'view'
        ? say('The view %@', shownOf(item))
        : say('%@', shownOf(item));
  return {
    kind,
    shown,
    schema: item.schema,
    text: definition ?? '',
    sqlMode,
    // Behind a view, columns may have other names, so values of columns no longer pick the rows.
    change: item.kind === 'keyed' ? 'changed' : isChange(item.kind) ? item.kind : null,
  };
}

function followerOf({ definition }: CatalogObject): CatalogItem {
  const [schema, name]: readonly string[] = JSON.parse(definition ?? '[]');
  return { kind: 'cascaded', schema: schema ?? '', name: name ?? '' };
}

function shownOf({ kind, schema, name }: CatalogItem): string {
  const whole = schema === '' ? name : `${schema}.${name}`;
  return kind === 'function' || kind === 'procedure' || kind === 'hidden' ? `${whole}()` : whole;
}

function clauseOf({ reason }: Raise): string {
  return english(reason).replace(/^A /, 'a ').replace(/^The /, 'the ').replace(/\.$/, '');
}
