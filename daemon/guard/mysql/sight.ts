/**
 * Whether a MySQL or MariaDB statement reaches a table that is out of sight (spec §6): by its name,
 * or through views, routines, triggers and foreign keys. Asks no server: it returns what it needs
 * to know next. What can't be looked into is out of sight.
 */

import { isHidden, isShown, type Sight } from '../sight.ts';
import type { QualifiedName } from '../types.ts';
import type { CatalogAnswer, CatalogObject } from './catalog.ts';
import { type CatalogItem, isChange, keyOf } from './question.ts';
import { isSystemName, namesInCode, type SightRefusal, type SightText } from './sight-text.ts';
import { type Code, classifyCode, tokensOfCode } from './stored-body.ts';
import { isSystemSchema } from './system-tables.ts';
import type { Token } from './tokens.ts';

/** What is told to a client as missing. */
interface Missing {
  readonly kind: 'table' | 'function' | 'procedure';
  readonly name: QualifiedName;
}

/** Code behind a name, or what it does to others, that is hidden. */
interface Behind {
  readonly kind: 'behind';
}

/** `unlookable`: code that can't be looked into. `plan`: one that would name what is hidden. */
export type OutOfSight = { readonly kind: SightRefusal | 'unlookable' | 'plan' } | Missing | Behind;

/** What was met on the way, for a judge of columns. */
export interface Collected {
  readonly names: QualifiedName[];
  readonly codes: { readonly tokens: readonly Token[]; readonly schema: string }[];
}

interface Reached {
  readonly found: OutOfSight | null;
  readonly wants: readonly CatalogItem[];
}

type Root = Missing | Behind;

interface Node {
  readonly item: CatalogItem;
  /** What is missing to the client if this is out of sight. */
  readonly root: Root;
}

const most = 300;
const behind: Behind = { kind: 'behind' };

/** SQL that a body gets from a string, or that shows more than it names. */
const unlookable = /\b(?:prepare|execute|handler|show|describe|desc\s+\w|explain|analyze|checksum|load)\b/i;

/**
 * @param question what the classification asks the catalog about.
 * @param answers all answers so far.
 * @param collected given, the server's own tables are its judge's matter.
 */
export function reachedOutOfSight(
  sight: Sight,
  text: SightText,
  question: readonly CatalogItem[],
  answers: readonly CatalogAnswer[],
  collected?: Collected,
): Reached {
  if (text.refusal !== null) return { found: { kind: text.refusal }, wants: [] };
  const known = new Map(answers.map(({ item, objects }) => [keyOf(item), objects]));
  const seen = new Set<string>();
  const queue: Node[] = [];
  const wants = new Map<string, CatalogItem>();
  let found: OutOfSight | null = null;
  let isShownThrough = false;

  const push = (item: CatalogItem, root: Root): void => {
    const key = keyOf(item);
    if (seen.has(key)) return;
    seen.add(key);
    queue.push({ item, root });
  };
  /** Undefined if it must be asked first. */
  const objectsOf = (item: CatalogItem): readonly CatalogObject[] | undefined => {
    const objects = known.get(keyOf(item));
    if (objects === undefined) wants.set(keyOf(item), item);
    return objects;
  };
  /** @param surely false for a name that may be a column's. */
  const reach = (name: QualifiedName, surely: boolean, root: Root | null, as: CatalogItem | null = null): void => {
    const own: Root = root ?? { kind: 'table', name };
    collected?.names.push(name);
    if (isSystemSchema(name.schema)) {
      if (collected === undefined && isSystemName(name)) found ??= root ?? { kind: 'catalog' };
    } else if (isHidden(sight, name.schema, name.name)) {
      if (surely) found ??= own;
      else if (name.schema !== null) push({ kind: 'unseen', schema: name.schema, name: name.name }, own);
    } else if (name.schema !== null) {
      // The classification asks about a changed table as well, and about views in its place.
      push(as ?? { kind: 'read', schema: name.schema, name: name.name }, own);
      if (surely) push({ kind: 'elsewhere', schema: name.schema, name: name.name }, own);
      const follows = text.isUpdate && root === null ? 'followsUpdate' : 'follows';
      if (as !== null && as.kind !== 'added') push({ kind: follows, schema: name.schema, name: name.name }, own);
    }
  };
  const reachItem = (item: CatalogItem, root: Root | null): void => {
    if (item.kind === 'function' || item.kind === 'hidden' || item.kind === 'procedure')
      push(item, root ?? { kind: item.kind === 'procedure' ? 'procedure' : 'function', name: item });
    else if (item.kind === 'cascaded' || isChange(item.kind)) reach(nameOf(item), true, root, item);
    else if (item.kind !== 'variables' && item.kind !== 'grants') reach(nameOf(item), true, root);
  };
  const reachCode = (code: Code, root: Root): void => {
    const { question: items } = classifyCode(code);
    const tokens = tokensOfCode(code);
    const isLooked = code.text !== '' && tokens.length > 0 && (code.kind === 'view' || !unlookable.test(code.text));
    if (!isLooked) found ??= { kind: 'unlookable' };
    for (const each of tokens) {
      collected?.codes.push({ tokens: each, schema: code.schema });
      const names = namesInCode(each, code.schema);
      for (const name of names.tables) reach(name, true, root);
      for (const name of names.others) reach(name, false, root);
    }
    for (const item of items) reachItem(item, root);
  };

  const reachFollower = ({ definition }: CatalogObject): void => {
    const [schema = '', name = ''] = JSON.parse(definition ?? '[]') as readonly string[];
    reach({ schema, name }, true, behind, { kind: 'cascaded', schema, name });
  };

  for (const name of text.tables) reach(name, true, null);
  for (const name of text.others) reach(name, false, null);
  for (const item of [...question, ...text.calls]) reachItem(item, null);
  for (let index = 0; index < queue.length && found === null; index++) {
    if (queue.length > most) return { found: { kind: 'unlookable' }, wants: [] };
    const { item, root } = queue[index] as Node;
    const isInSight = isShown(sight, item.schema, item.name);
    const objects = objectsOf(item);
    if (objects === undefined) continue;
    if (item.kind === 'unseen') {
      if (objects.length > 0) found = root;
    } else if (item.kind === 'elsewhere') {
      if (objects.length > 0 && !isInSight) found = { kind: 'unlookable' };
    } else if (item.kind === 'follows' || item.kind === 'followsUpdate') {
      for (const object of objects) reachFollower(object);
    } else if (item.kind === 'fires' || item.kind === 'receives') {
      for (const object of objects) {
        const [name = '', body = ''] = JSON.parse(object.definition ?? '[]') as readonly string[];
        if (!isShown(sight, item.schema, name)) reachCode(codeOf('trigger', item, body, object), behind);
      }
    } else {
      const { schema, name } = item;
      const isRelation = item.kind === 'read' || item.kind === 'cascaded' || isChange(item.kind);
      // Its server alone knows what it does.
      if (objects.length === 0 && item.kind === 'function') found = { kind: 'unlookable' };
      if (objects.some(({ kind }) => kind === 'trigger'))
        push({ kind: item.kind === 'added' ? 'receives' : 'fires', schema, name }, behind);
      for (const object of objects) {
        // MySQL tells of those in other databases as well.
        if (object.kind === 'follower' && !text.isUpdate) reachFollower(object);
        if (object.kind !== 'view' && object.kind !== 'routine') continue;
        if (isInSight) isShownThrough = true;
        else reachCode(codeOf(isRelation ? 'view' : 'routine', item, object.definition ?? '', object), root);
      }
    }
  }
  if (found !== null) return { found, wants: [] };
  if (text.isPlan && isShownThrough) return { found: { kind: 'plan' }, wants: [] };
  return { found: null, wants: [...wants.values()] };
}

function nameOf({ schema, name }: CatalogItem): QualifiedName {
  return { schema: schema === '' ? null : schema, name };
}

function codeOf(
  kind: 'view' | 'routine' | 'trigger',
  { schema }: CatalogItem,
  text: string,
  { sqlMode }: CatalogObject,
): Code {
  return { kind, shown: [], schema, text, sqlMode, change: kind === 'view' ? 'changed' : null };
}
