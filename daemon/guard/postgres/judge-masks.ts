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
      // What a change cascades to has other columns, which its triggers see as `old` and `new`.
      const isCascade = !isItself && !relation.above.some(({ name }) => name === named.name);
      const key = keyOf(isCascade ? relation : named);
      const meant = this.byName.get(key) ?? { masked: new Map(), columns: new Set(), isOneOfMany: false };
      if (isItself || isCascade) {
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
    const found = new Found();
    const derived = new Set(reads.derived);
    const meantBy = new Map<Source, Meant | null>();
    const of = (source: Source): Meant | null => {
      const known = meantBy.get(source);
      if (known !== undefined) return known;
      const meant = this.byName.get(keyOf(source)) ?? null;
      meantBy.set(source, meant);
      return meant;
    };
    for (const source of reads.wholes) found.takeAll(of(source));
    for (const { level, parts } of reads.names) {
      const seen = levelsFrom(reads, level);
      if (parts.length === 1) this.bare(found, parts[0] ?? null, seen, of, derived, isStored);
      else this.qualified(found, parts, seen, of, derived, isStored);
    }
    return found.columns();
  }

  /** A name alone is a column of what is nearest, or a whole row. */
  private bare(
    found: Found,
    name: string | null,
    seen: readonly (readonly Source[])[],
    of: MeantBy,
    derived: ReadonlySet<string>,
    isStored: boolean,
  ): void {
    if (name === null) {
      for (const source of seen[0] ?? []) found.takeAll(of(source));
      return;
    }
    for (const sources of seen) {
      const columns = sources.flatMap(source => of(source)?.masked.get(name) ?? []);
      found.take(columns);
      if (columns.length > 0) return;
      const isSure = (source: Source, meant: Meant | null): boolean =>
        meant?.columns.has(name) === true && !meant.isOneOfMany && !source.isRenamed && !derived.has(source.name);
      if (sources.some(source => isSure(source, of(source)))) return;
      const rows = sources.filter(source => source.alias === name && (of(source)?.masked.size ?? 0) > 0);
      for (const row of rows) found.takeAll(of(row));
      if (rows.length > 0) return;
    }
    if (isStored && isRowOfTrigger(name)) this.takeEach(found);
  }

  private qualified(
    found: Found,
    parts: readonly (string | null)[],
    seen: readonly (readonly Source[])[],
    of: MeantBy,
    derived: ReadonlySet<string>,
    isStored: boolean,
  ): void {
    const [row, name = null] = parts.slice(-2);
    const sources = seen.flat();
    const named = sources.filter(({ alias }) => alias === row);
    for (const source of named) read(found, of(source), name);
    // In a trigger or rule `old` is its row, also within an UPDATE, whose RETURNING has one too.
    if (isStored && row != null && isRowOfTrigger(row)) {
      const all = [...this.byName.values()];
      const masked = name === null ? [] : all.flatMap(meant => meant.masked.get(name) ?? []);
      const isColumn = name !== null && (ofEachRow.has(name) || all.some(({ columns }) => columns.has(name)));
      if (masked.length === 0 && !isColumn) this.takeEach(found);
      found.take(masked);
      return;
    }
    // What a subquery gives was looked at there.
    if (named.length > 0 || name === null || derived.has(row ?? '')) return;
    found.take(sources.flatMap(source => of(source)?.masked.get(name) ?? []));
  }

  private takeEach(found: Found): void {
    for (const meant of this.byName.values()) found.takeAll(meant);
  }
}

type MeantBy = (source: Source) => Meant | null;

/** A text of many names may read a table of many masked columns as often. */
class Found {
  private readonly each = new Set<MaskedColumn>();
  private readonly wholes = new Set<Meant>();

  take(columns: Iterable<MaskedColumn>): void {
    for (const column of columns) this.each.add(column);
  }

  takeAll(meant: Meant | null): void {
    if (meant === null || this.wholes.has(meant)) return;
    this.wholes.add(meant);
    this.take(meant.masked.values());
  }

  columns(): readonly MaskedColumn[] {
    return [...new Map([...this.each].map(column => [JSON.stringify(column), column])).values()];
  }
}

const isRowOfTrigger = (name: string): boolean => name === 'new' || name === 'old';

/** `u.f` calls a function with the whole row if there is no such column. */
function read(found: Found, meant: Meant | null, name: string | null): void {
  if (meant === null) return;
  const column = name === null ? undefined : meant.masked.get(name);
  if (column !== undefined) found.take([column]);
  else if (name === null || !(meant.columns.has(name) || ofEachRow.has(name))) found.takeAll(meant);
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

/**
 * The columns that a pattern masks by the table's own name or a parent's, and those that are
 * generated from one.
 */
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
