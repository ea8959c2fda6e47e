/**
 * Lists in the store which tokens exist and which have ended (spec §5). The records are in the
 * secret store; this list wins, so an older copy of the secrets brings back no ended token.
 */

import type { EndedToken, StoreReserve } from './reserve.ts';
import type { Store } from './store.ts';

export interface ListedToken {
  /** ISO 8601. */
  readonly revokedAt: string | null;
  readonly isDeleted: boolean;
}

export interface TokenList {
  /**
   * @param recorded every id in the secret store; listed if the store is an older copy.
   */
  load(recorded: readonly string[]): Promise<ReadonlyMap<string, ListedToken>>;
  add(id: string): Promise<void>;
  /**
   * Kept in the reserve if the store can't be written.
   * @throws the store's error if neither can.
   */
  end(token: EndedToken): Promise<void>;
  /** Its record is out of the secret store too. */
  forget(id: string): Promise<void>;
}

interface Row {
  readonly id: string;
  readonly revoked_at: string | null;
  readonly is_deleted: number;
}

/**
 * @param isOlderCopy true if the store is older than the secrets: then newer tokens are listed too.
 */
export function tokenListIn(
  { knex, write: writeAll }: Pick<Store, 'knex' | 'write'>,
  reserve: StoreReserve,
  report: (error: unknown) => void,
  isOlderCopy = false,
): TokenList {
  const write = ({ id, revokedAt }: EndedToken): Promise<unknown> =>
    writeAll(
      revokedAt === null
        ? knex('tokens').insert({ id, is_deleted: 1 }).onConflict('id').merge()
        : knex('tokens').insert({ id, revoked_at: revokedAt }).onConflict('id').merge(),
    );

  /** Writes what was held in the reserve, once there is room. */
  async function settle(): Promise<void> {
    const { ended } = reserve.held();
    if (ended.length === 0) return;
    try {
      for (const token of ended) await write(token);
      reserve.hold({ ended: [] });
    } catch (error) {
      report(error);
    }
  }

  return {
    async load(recorded) {
      if (isOlderCopy) await writeAll(...recorded.map(id => knex('tokens').insert({ id }).onConflict('id').ignore()));
      await settle();
      const rows: Row[] = await knex('tokens').select('id', 'revoked_at', 'is_deleted');
      const listed = new Map<string, ListedToken>(
        rows.map(row => [row.id, { revokedAt: row.revoked_at, isDeleted: row.is_deleted !== 0 }]),
      );
      for (const { id, revokedAt } of reserve.held().ended)
        listed.set(id, { revokedAt, isDeleted: revokedAt === null });
      return listed;
    },

    // An earlier revocation stands.
    add: async id => {
      await writeAll(knex('tokens').insert({ id }).onConflict('id').ignore());
    },

    async end(token) {
      try {
        await write(token);
      } catch (error) {
        try {
          reserve.hold({ ended: [...reserve.held().ended.filter(({ id }) => id !== token.id), token] });
        } catch {
          throw error;
        }
      }
    },

    forget: async id => {
      await writeAll(knex('tokens').where({ id }).delete());
    },
  };
}
