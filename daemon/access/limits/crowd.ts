/**
 * Who takes the most of what all share, by where the takers stand in the tree of processes: a
 * program's name for itself counts for nothing. Takes nothing away.
 */

/**
 * The lineage of a taker, outermost first: its login session, whether it has a terminal, its
 * processes. What isn't known has a lineage of its own.
 */
export type Lineage = readonly string[];

/**
 * The members of the one branch that has more than any other beside it, again and again down to
 * where several have as many.
 * @example
 * crowdOf([a1, a2, b], lineageOf) // → [a1, a2], or one of them if it has a branch with more
 */
export function crowdOf<Member>(members: readonly Member[], lineageOf: (member: Member) => Lineage): readonly Member[] {
  let crowd = members;
  for (let depth = 0; crowd.length > 1; depth++) {
    const branches = Map.groupBy(crowd, member => lineageOf(member)[depth] ?? null);
    if (branches.size === 1 && branches.has(null)) return crowd;
    const most = Math.max(...[...branches.values()].map(({ length }) => length));
    const largest = [...branches.values()].filter(({ length }) => length === most);
    crowd = largest.flat();
    if (largest.length > 1) return crowd;
  }
  return crowd;
}

/**
 * Whether one more has room: what all share is divided evenly among the branches that use it, again
 * and again down to the one that asks. So those that come late find their part, and who took all
 * before keeps it.
 * @example
 * hasPart([['a', '1'], ['a', '1']], ['a', '2'], 2) // → true: the two branches of a have one each
 */
export function hasPart(taken: readonly Lineage[], asking: Lineage, together: number): boolean {
  let beside = taken;
  let part = together;
  for (const [depth, own] of [null, ...asking].entries()) {
    if (own !== null) {
      part /= new Set([own, ...beside.map(lineage => lineage[depth - 1])]).size;
      beside = beside.filter(lineage => lineage[depth - 1] === own);
    }
    if (beside.length < Math.max(1, Math.floor(part))) return true;
  }
  return false;
}

export const unknownLineage: Lineage = ['unknown'];

/** Names the tree: by login session, terminal or not, and outermost process. */
export function treeOf(lineage: Lineage): string {
  return JSON.stringify(lineage.slice(0, 3));
}
