/**
 * Remembers for a while whether a table has rows of its own, and what foreign keys change with it.
 * MariaDB opens tables to tell that, which takes a quarter of a short read; a client with tables
 * out of sight can define neither.
 */

import type { CatalogAnswer } from '../../../guard/mysql/catalog.ts';
import type { QualifiedName } from '../../../guard/types.ts';

const kinds = ['elsewhere', 'follows', 'followsUpdate', 'columns'] as const;
type Kind = (typeof kinds)[number];

const rememberedMilliseconds = 60_000;
const most = 10_000;

export class PlainTables {
  readonly #now: () => number;
  readonly #told = new Map<string, { readonly at: number; readonly answer: CatalogAnswer }>();

  /** @param now monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** True for a table with rows of its own. */
  has(table: QualifiedName): boolean {
    return this.#answer('elsewhere', table)?.objects.length === 0;
  }

  /** What the catalog has just told. */
  told(answers: readonly CatalogAnswer[]): void {
    if (this.#told.size > most) this.#told.clear();
    // What isn't there may be made at any time.
    for (const answer of answers)
      if (isKind(answer.item.kind) && (answer.item.kind !== 'columns' || answer.objects.length > 0))
        this.#told.set(keyOf(answer.item.kind, answer.item), { at: this.#now(), answer });
  }

  /** What it would answer about those of the tables that are known. */
  answers(tables: readonly QualifiedName[]): readonly CatalogAnswer[] {
    return tables.flatMap(table => kinds.flatMap(kind => this.#answer(kind, table) ?? []));
  }

  #answer(kind: Kind, table: QualifiedName): CatalogAnswer | null {
    const told = this.#told.get(keyOf(kind, table));
    return told === undefined || this.#now() - told.at > rememberedMilliseconds ? null : told.answer;
  }
}

function isKind(kind: string): kind is Kind {
  return kinds.some(each => each === kind);
}

function keyOf(kind: Kind, { schema, name }: QualifiedName): string {
  return `${kind}\0${schema ?? ''}\0${name}`;
}
