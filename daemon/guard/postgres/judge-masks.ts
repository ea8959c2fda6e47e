/**
 * Whether a text reads a masked column (spec §6): its names against the columns of the tables that
 * the catalog gave for them. A name that may be a masked column's is one.
 */

import { isMasked, type MaskedColumn, type Masks } from '../masks.ts';
import type { ColumnReads, Source } from './column-reads.ts';
import type { ReachedRelation, SoughtByReach } from './reach-facts.ts';

type Reached = Pick<ReachedRelation, 'schema' | 'name' | 'isOwn' | 'above' | 'from' | 'columns'>;

interface Meant {
  /** Those of its own, and masked ones of its children. */
  readonly masked: Map<string, MaskedColumn>;
  readonly columns: Set<string>;
  /** True if the name may mean several tables. */
  isOneOfMany: boolean;
}

/** Each row has them, and none is a person's. */
const ofEachRow = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

/** Collects what the names of a statement, and of the code behind it, mean. */
export class ReachedColumns {
  private readonly masks: Masks;
  private readonly byName = new Map<string, Meant>();

  constructor(masks: Masks) {
    this.masks = masks;
  }

  /** @param names of the round's question, in its order. */
  add(relation: Reached, names: readonly SoughtByReach[]): void {
    if (relation.isOwn) return;
    const masked = maskedOf(relation, this.masks);
    for (const place of relation.from) {
      const named = names[place - 1];
      if (named === undefined) continue;
      const isItself = relation.name === named.name;
      // What a change cascades to has other columns.
      if (!isItself && !relation.above.some(({ name }) => name === named.name)) continue;
      const key = keyOf(named);
      const meant = this.byName.get(key) ?? { masked: new Map(), columns: new Set(), isOneOfMany: false };
      if (isItself) {
        meant.isOneOfMany ||= meant.columns.size > 0;
        for (const { name } of relation.columns ?? []) meant.columns.add(name);
      }
      for (const column of masked) meant.masked.set(column.column, column);
      this.byName.set(key, meant);
    }
  }

  /**
   * @param isStored true for code that is stored: `new` and `old` may be a row of any table.
   * @returns the masked columns that the text reads; empty if none.
   */
  readBy(reads: ColumnReads, isStored: boolean): readonly MaskedColumn[] {
    const found = new Map<string, MaskedColumn>();
    const take = (columns: Iterable<MaskedColumn>): void => {
      for (const column of columns) found.set(JSON.stringify(column), column);
    };
    const derived = new Set(reads.derived);
    for (const source of reads.wholes) take(this.of(source)?.masked.values() ?? []);
    for (const { level, parts } of reads.names) {
      const seen = levelsFrom(reads, level);
      if (parts.length === 1) take(this.bare(parts[0] ?? null, seen, derived, isStored));
      else take(this.qualified(parts, seen, derived, isStored));
    }
    return [...found.values()];
  }

  private of(source: Source): Meant | null {
    return this.byName.get(keyOf(source)) ?? null;
  }

  /** A name alone is a column of what is nearest, or a whole row. */
  private bare(
    name: string | null,
    seen: readonly (readonly Source[])[],
    derived: ReadonlySet<string>,
    isStored: boolean,
  ): readonly MaskedColumn[] {
    if (name === null) return (seen[0] ?? []).flatMap(source => [...(this.of(source)?.masked.values() ?? [])]);
    for (const sources of seen) {
      const known = sources.map(source => [source, this.of(source)] as const);
      const columns = known.flatMap(([, meant]) => meant?.masked.get(name) ?? []);
      if (columns.length > 0) return columns;
      const isSure = ({ name: table, isRenamed }: Source, meant: Meant | null): boolean =>
        meant?.columns.has(name) === true && !meant.isOneOfMany && !isRenamed && !derived.has(table);
      if (known.some(([source, meant]) => isSure(source, meant))) return [];
      const rows = known.flatMap(([{ alias }, meant]) => (alias === name ? [...(meant?.masked.values() ?? [])] : []));
      if (rows.length > 0) return rows;
    }
    return isStored && isRowOfTrigger(name) ? this.all() : [];
  }

  private qualified(
    parts: readonly (string | null)[],
    seen: readonly (readonly Source[])[],
    derived: ReadonlySet<string>,
    isStored: boolean,
  ): readonly MaskedColumn[] {
    const [of, name = null] = parts.slice(-2);
    const sources = seen.flat();
    const named = sources.filter(({ alias }) => alias === of);
    if (named.length > 0) return named.flatMap(source => read(this.of(source), name));
    const all = [...this.byName.values()];
    if (isStored && of != null && isRowOfTrigger(of)) {
      const masked = this.all().filter(({ column }) => name === null || column === name);
      const isColumn = name !== null && (ofEachRow.has(name) || all.some(({ columns }) => columns.has(name)));
      return masked.length > 0 || isColumn ? masked : this.all();
    }
    // What a subquery gives was looked at there.
    if (name === null || derived.has(of ?? '')) return [];
    return sources.flatMap(source => this.of(source)?.masked.get(name) ?? []);
  }

  private all(): readonly MaskedColumn[] {
    return [...this.byName.values()].flatMap(({ masked }) => [...masked.values()]);
  }
}

const isRowOfTrigger = (name: string): boolean => name === 'new' || name === 'old';

/** `u.f` calls a function with the whole row if there is no such column. */
function read(meant: Meant | null, name: string | null): readonly MaskedColumn[] {
  if (meant === null) return [];
  const column = name === null ? undefined : meant.masked.get(name);
  if (column !== undefined) return [column];
  return name !== null && (meant.columns.has(name) || ofEachRow.has(name)) ? [] : [...meant.masked.values()];
}

/** The sources that a name sees, nearest first. */
function levelsFrom({ levels }: ColumnReads, from: number): readonly (readonly Source[])[] {
  const seen: (readonly Source[])[] = [];
  for (let at: number | null = from; at !== null; ) {
    const level: ColumnReads['levels'][number] | undefined = levels[at];
    if (level === undefined) break;
    seen.push(level.sources);
    at = level.parent;
  }
  return seen;
}

/** By its own name or a parent's; and what is generated from a masked one. */
export function maskedOf(
  { schema, name, above, columns = [] }: Pick<ReachedRelation, 'schema' | 'name' | 'above' | 'columns'>,
  { columns: patterns }: Masks,
): MaskedColumn[] {
  const tables = [{ schema, name }, ...above];
  const isNamed = (column: string): boolean =>
    tables.some(table => isMasked(patterns, table.schema, table.name, column));
  const named = new Set(columns.map(column => column.name).filter(isNamed));
  const isMade = (expression: string | null): boolean =>
    expression !== null && namesIn(expression).some(word => named.has(word));
  return columns
    .filter(column => named.has(column.name) || isMade(column.generated))
    .map(column => ({ schema, table: name, column: column.name }));
}

function namesIn(expression: string): readonly string[] {
  return [...expression.matchAll(/"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*)/gu)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );
}

const keyOf = ({ schema, name }: Pick<SoughtByReach, 'schema' | 'name'>): string => JSON.stringify([schema, name]);
