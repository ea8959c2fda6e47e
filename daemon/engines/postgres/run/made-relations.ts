/**
 * Relations that definitions of ours made within the hour, by number and name. Nothing else proves
 * that a relation is new: statistics are reset, an emptied table has no size.
 */

import type { RelationFact } from '../../../guard/postgres/defined/facts.ts';
import { writtenName } from '../../../guard/written-name.ts';

const hourMilliseconds = 60 * 60_000;
/** Beyond this the oldest counts as old. */
const mostRelations = 5_000;

interface Made {
  readonly name: string;
  readonly at: number;
}

export class MadeRelations {
  readonly #made = new Map<number, Made>();
  readonly #now: () => number;

  /** @param now monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(relations: readonly RelationFact[]): void {
    for (const relation of relations) {
      this.#made.delete(relation.oid);
      this.#made.set(relation.oid, { name: writtenName(relation), at: this.#now() });
    }
    for (const oid of this.#made.keys()) {
      if (this.#made.size <= mostRelations) break;
      this.#made.delete(oid);
    }
  }

  has(relation: RelationFact): boolean {
    const made = this.#made.get(relation.oid);
    return made !== undefined && made.name === writtenName(relation) && this.#now() - made.at < hourMilliseconds;
  }
}
