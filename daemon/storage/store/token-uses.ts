/**
 * Keeps when tokens were last used (spec §5): in batches, off the path of requests, and at the
 * stop. It is no secret, so it is in the store.
 */

import { tokenUses } from '../../access/tokens/token-uses.ts';
import type { Store } from './store.ts';

type Tables = Pick<Store, 'knex' | 'write'>;

interface TokenUsePorts {
  readonly store: Tables;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Every existing token; uses of others aren't kept. */
  readonly tokenIds: readonly string[];
  readonly report: (error: unknown) => void;
}

const everyMilliseconds = 10_000;
/** First uses are written soon: a lockout spares a used token, also after a crash. */
const firstUseMilliseconds = 200;

interface Row {
  readonly token_id: string;
  readonly last_used_at: number;
}

export async function openTokenUses({ store, now, tokenIds, report }: TokenUsePorts) {
  const rows: Row[] = await store.knex('token_uses').select('token_id', 'last_used_at');
  const ids = new Set(tokenIds);
  // An invalid time needs no message: the token's next use replaces it.
  const isKept = (row: Row): boolean => ids.has(row.token_id) && isMoment(row.last_used_at);
  const gone = rows.filter(row => !isKept(row)).map(row => row.token_id);
  if (gone.length > 0) await store.write(store.knex('token_uses').whereIn('token_id', gone).delete());

  let writing: Promise<void> = Promise.resolve();
  let soon: NodeJS.Timeout | undefined;
  const known = new Map(rows.filter(isKept).map(row => [row.token_id, row.last_used_at]));
  const uses = tokenUses(known, now, () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      void write();
    }, firstUseMilliseconds);
  });
  const timer = setInterval(() => void write(), everyMilliseconds);

  function write(): Promise<void> {
    writing = writing.then(async () => {
      const unkept = uses.unkept();
      if (unkept.size === 0) return;
      try {
        await save(store, unkept);
        uses.kept(unkept);
      } catch (error) {
        // Retried with the next batch.
        report(error);
      }
    });
    return writing;
  }

  return {
    ...uses,
    forget(tokenId: string): void {
      uses.forget(tokenId);
      writing = writing
        .then(() => store.write(store.knex('token_uses').where({ token_id: tokenId }).delete()))
        .then(() => {}, report);
    },
    /** Writes what is left, and stops writing by itself. */
    close(): Promise<void> {
      clearInterval(timer);
      clearTimeout(soon);
      return write();
    },
  };
}

/** @returns whether it is in the range of Date (ECMA-262, 21.4.1.1). */
function isMoment(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}

async function save({ knex, write }: Tables, uses: ReadonlyMap<string, number>): Promise<void> {
  await write(
    ...[...uses].map(([token_id, last_used_at]) =>
      knex('token_uses').insert({ token_id, last_used_at }).onConflict('token_id').merge(),
    ),
  );
}
