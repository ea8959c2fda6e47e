/**
 * Whether a MySQL or MariaDB statement may read a masked column (spec §6): by its names, or through
 * the views, routines and triggers that it reaches. Asks no server: it returns what it needs to
 * know next. What can't be told is refused.
 */

import { isMaskedName } from '../masked-names.ts';
import { type MaskedColumn, type Masks, mayHaveMasked } from '../masks.ts';
import { folded, isShown, type Sight } from '../sight.ts';
import type { QualifiedName } from '../types.ts';
import type { CatalogAnswer } from './catalog.ts';
import { type MaskText, maskTextOfCode } from './mask-text.ts';
import { type CatalogItem, keyOf } from './question.ts';
import { type Collected, reachedOutOfSight } from './sight.ts';
import { isSystemName, namesInCode, type SightText } from './sight-text.ts';
import { isSystemSchema } from './system-tables.ts';

export type OutOfReach =
  | { readonly kind: 'masked'; readonly columns: readonly MaskedColumn[] }
  /**
   * `values`: tables of the server that hold other tables' values, or statements with such;
   * `kind`: a statement that may read anything; `definition`: one that may show a column later;
   * `unlookable`: code that can't be looked into; `plan`: one of what a person shows.
   */
  | { readonly kind: 'values' | 'kind' | 'definition' | 'unlookable' | 'plan' };

interface Reached {
  readonly found: OutOfReach | null;
  readonly wants: readonly CatalogItem[];
}

/** @param answers all answers so far. */
export function reachedMasked(
  masks: Masks,
  text: SightText,
  mask: MaskText,
  question: readonly CatalogItem[],
  answers: readonly CatalogAnswer[],
): Reached {
  const stop = (found: OutOfReach): Reached => ({ found, wants: [] });
  if (text.refusal === 'kind' || text.refusal === 'definition') return stop({ kind: text.refusal });
  if (mask.showsValues || [...text.tables, ...text.others].some(holdsValues)) return stop({ kind: 'values' });
  const shown: Sight = { hide: [], only: [], show: masks.show };
  const collected: Collected = { names: [], codes: [] };
  const reached = reachedOutOfSight(shown, { ...text, refusal: null }, question, answers, collected);
  if (reached.found !== null) return stop({ kind: reached.found.kind === 'plan' ? 'plan' : 'unlookable' });
  if (collected.names.some(holdsValues)) return stop({ kind: 'values' });

  const known = new Map(answers.map(({ item, objects }) => [keyOf(item), objects]));
  const wants = [...reached.wants];
  /** `show` unmasks no column of a table. */
  const isShownView = ({ schema, name }: QualifiedName): boolean => {
    if (!isShown(shown, schema, name)) return false;
    const item: CatalogItem = { kind: 'read', schema: schema ?? '', name };
    return known.get(keyOf(item))?.some(({ kind }) => kind === 'view') === true;
  };
  const inCode = collected.codes.flatMap(({ tokens, schema }) => {
    const { tables, others } = namesInCode(tokens, schema);
    return [...tables, ...others];
  });
  const behind = new Set(inCode.map(nameKey));
  const tables = unique([...text.tables, ...text.others, ...mask.stars, ...collected.names])
    .filter(({ schema, name }) => schema !== null && !isSystemSchema(schema) && !isShownView({ schema, name }))
    .flatMap(({ schema, name }) => {
      const item: CatalogItem = { kind: 'columns', schema: schema ?? '', name };
      const objects = known.get(keyOf(item));
      if (objects === undefined) wants.push(item);
      if (objects === undefined) return [];
      // Behind a view or routine may stand what the account itself may not see: the patterns tell.
      if (objects.length === 0 && !behind.has(nameKey({ schema, name }))) return [];
      const columns = objects.map(({ definition }) => JSON.parse(definition ?? '[]') as readonly [string, string]);
      const isUnseen = objects.length === 0 && mayHaveMasked(masks.columns, schema, name);
      return [{ schema: schema ?? '', name, isUnseen, masked: maskedOf(masks, schema ?? '', name, columns) }];
    });

  const found = new Map<string, MaskedColumn>();
  const add = (schema: string, table: string, column: string): void => {
    found.set(`${schema}\0${table}\0${folded(column)}`, { schema, table, column });
  };
  const read = ({ names, stars }: Pick<MaskText, 'names' | 'stars'>): void => {
    const asked = names.map(column => [column, folded(column)] as const);
    for (const { schema, name, masked } of tables) {
      // A column that was added just now is masked by its name.
      for (const [column, plain] of asked)
        if (masked.has(plain) || isMaskedName(masks.columns, schema, name, column)) add(schema, name, column);
      if (stars.some(star => star.schema === schema && star.name === name))
        for (const column of masked.values()) add(schema, name, column);
    }
  };
  read(mask);
  const codes = collected.codes.map(({ tokens, schema }) => maskTextOfCode(tokens, schema));
  for (const code of codes) read(code);
  if (found.size > 0) return stop({ kind: 'masked', columns: [...found.values()] });
  const stars = new Set(codes.flatMap(code => code.stars.map(nameKey)));
  if (tables.some(table => table.isUnseen && stars.has(nameKey(table)))) return stop({ kind: 'unlookable' });
  if (mask.renames && tables.some(({ masked }) => masked.size > 0)) return stop({ kind: 'definition' });
  return { found: null, wants };
}

/** The masked columns by their folded names, with those that the server computes from one. */
export function maskedOf(
  { columns: patterns }: Masks,
  schema: string,
  table: string,
  columns: readonly (readonly [string, string])[],
): ReadonlyMap<string, string> {
  const masked = new Map<string, string>();
  for (const [name] of columns) if (isMaskedName(patterns, schema, table, name)) masked.set(folded(name), name);
  for (let before = -1; before !== masked.size && masked.size > 0; ) {
    before = masked.size;
    for (const [name, expression] of columns) {
      const computed = folded(expression);
      if ([...masked.keys()].some(each => computed.includes(each))) masked.set(folded(name), name);
    }
  }
  return masked;
}

/** Statistics, locks and statements of others, with values of rows. */
const ofInformationSchema =
  /^(?:column_statistics|optimizer_trace|processlist|profiling|innodb_ft_index_\w+|innodb_trx|innodb_lock\w*|innodb_buffer_page\w*)$/i;

function holdsValues(name: QualifiedName): boolean {
  if (name.schema?.toLowerCase() === 'information_schema') return ofInformationSchema.test(name.name);
  return isSystemName(name);
}

function unique(names: readonly QualifiedName[]): readonly QualifiedName[] {
  return [...new Map(names.map(name => [nameKey(name), name])).values()];
}

function nameKey({ schema, name }: QualifiedName): string {
  return `${schema ?? ''}\0${name}`;
}
