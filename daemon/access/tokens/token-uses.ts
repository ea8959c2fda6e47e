/**
 * When each token was last used (spec §5): in memory at each request, handed out now and then to be
 * stored. Stores nothing itself.
 */

export interface TokenUses {
  used(tokenId: string): void;
  /** ISO 8601. */
  lastUsedAt(tokenId: string): string | null;
  forget(tokenId: string): void;
  /** Changed since they were last stored: milliseconds since 1970 by token id. */
  unkept(): ReadonlyMap<string, number>;
  /** These are stored now. */
  kept(uses: ReadonlyMap<string, number>): void;
}

/**
 * @param known from earlier runs.
 * @param now wall clock, milliseconds since 1970.
 * @param onFirstUse called at a token's first use ever: store it soon, since its owner checks
 *   whether it works.
 */
export function tokenUses(
  known: ReadonlyMap<string, number>,
  now: () => number,
  onFirstUse: () => void = () => {},
): TokenUses {
  const uses = new Map(known);
  const changed = new Set<string>();
  return {
    used(tokenId) {
      const isFirst = !uses.has(tokenId);
      uses.set(tokenId, now());
      changed.add(tokenId);
      if (isFirst) onFirstUse();
    },
    lastUsedAt(tokenId) {
      const at = uses.get(tokenId);
      return at === undefined ? null : new Date(at).toISOString();
    },
    forget(tokenId) {
      uses.delete(tokenId);
      changed.delete(tokenId);
    },
    unkept: () => new Map([...changed].map(id => [id, uses.get(id) ?? 0])),
    kept(saved) {
      for (const [id, at] of saved) if (uses.get(id) === at) changed.delete(id);
    },
  };
}
