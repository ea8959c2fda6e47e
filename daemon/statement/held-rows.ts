/**
 * Holds the read rows of results that are too large for one answer (spec §9, `fetch_rows`), so no
 * transaction waits for a model. Bounded in number, memory and time; forgotten with their token or
 * connection.
 */

import { randomBytes } from 'node:crypto';
import type { Connection } from '../access/connection.ts';
import type { Principal } from '../access/tokens/token.ts';
import type { CollectedRows, Room, Truncation } from './result-set.ts';

const mib = 1024 * 1024;

/** Bytes of rows as JSON, plus each row's overhead. */
export const heldLimits = {
  resultsOfPrincipal: 8,
  bytesOfPrincipal: 32 * mib,
  bytesInAll: 64 * mib,
  milliseconds: 10 * 60_000,
};

/** A text in memory and its place in a list. */
const rowOverheadBytes = 40;

export interface HeldResult {
  readonly result: Pick<CollectedRows, 'columns' | 'rows' | 'cutCells' | 'bytes'> & {
    readonly truncatedBy: Truncation | null;
    readonly warnings: readonly string[];
  };
  /** As it was when the rows were read. */
  readonly connection: Connection;
  readonly format: string;
  /** Extra bytes for the page from that row on, because the answer before was short. */
  readonly spared: { readonly from: number; readonly bytes: number };
}

/** One result while it is read. */
export interface Reading {
  readonly room: Room;
  /** @returns an unguessable name for it; null if there is no memory. */
  hold(held: HeldResult): string | null;
  /** Releases the memory of rows that were not held. */
  end(): void;
}

export interface HeldRows {
  begin(principal: Principal): Reading;
  /** @returns null if it is gone, or another principal's. */
  find(principal: Principal, name: string): HeldResult | null;
  forgetConnection(id: string): void;
  forgetToken(id: string): void;
}

interface Kept extends HeldResult {
  readonly principal: string;
  readonly tokenId: string;
  readonly bytes: number;
  readonly heldSince: number;
}

/** @param now monotonic milliseconds. */
export function holdRows(now: () => number, limits: typeof heldLimits = heldLimits): HeldRows {
  /** The longest unused first. */
  const kept = new Map<string, Kept>();
  const bytesBy = new Map<string, number>();
  let bytesInAll = 0;

  function count(principal: string, bytes: number): void {
    bytesInAll += bytes;
    const own = (bytesBy.get(principal) ?? 0) + bytes;
    if (own === 0) bytesBy.delete(principal);
    else bytesBy.set(principal, own);
  }

  function forget(name: string): void {
    const known = kept.get(name);
    if (known === undefined) return;
    kept.delete(name);
    count(known.principal, -known.bytes);
  }

  function forgetWhere(isGone: (one: Kept) => boolean): void {
    for (const [name, one] of kept) if (isGone(one)) forget(name);
  }

  function forgetOld(): void {
    const before = now() - limits.milliseconds;
    forgetWhere(one => one.heldSince <= before);
  }

  /**
   * Makes room by dropping what was unused longest: first of the same principal, then of anybody. A
   * result that is being read stays.
   */
  function hasRoom(principal: string, bytes: number): boolean {
    const own = [...kept].filter(([, one]) => one.principal === principal).map(([name]) => name);
    while ((bytesBy.get(principal) ?? 0) + bytes > limits.bytesOfPrincipal) {
      const oldest = own.shift();
      if (oldest === undefined) return false;
      forget(oldest);
    }
    for (const name of [...kept.keys()]) {
      if (bytesInAll + bytes <= limits.bytesInAll) return true;
      forget(name);
    }
    return bytesInAll + bytes <= limits.bytesInAll;
  }

  function isFree(principal: string, bytes: number): boolean {
    return (bytesBy.get(principal) ?? 0) + bytes <= limits.bytesOfPrincipal && bytesInAll + bytes <= limits.bytesInAll;
  }

  return {
    begin({ id: principal, tokenId }) {
      let reserved = 0;
      const reserve = (bytes: number): boolean => {
        if (!isFree(principal, bytes) && !hasRoom(principal, bytes)) return false;
        count(principal, bytes);
        reserved += bytes;
        return true;
      };
      return {
        room: bytes => reserve(bytes + rowOverheadBytes),
        hold(held) {
          const { bytes, rows } = held.result;
          const whole = bytes + rows.length * rowOverheadBytes;
          if (whole > reserved && !reserve(whole - reserved)) return null;
          const own = [...kept].filter(([, one]) => one.principal === principal);
          if (own.length >= limits.resultsOfPrincipal) forget(own[0]?.[0] ?? '');
          const name = randomBytes(18).toString('base64url');
          kept.set(name, { ...held, principal, tokenId, bytes: reserved, heldSince: now() });
          reserved = 0;
          setTimeout(forgetOld, limits.milliseconds).unref();
          return name;
        },
        end() {
          count(principal, -reserved);
          reserved = 0;
        },
      };
    },
    find(principal, name) {
      forgetOld();
      const known = kept.get(name);
      if (known === undefined || known.principal !== principal.id) return null;
      kept.delete(name);
      kept.set(name, known);
      return known;
    },
    forgetConnection: id => forgetWhere(one => one.connection.id === id),
    forgetToken: id => forgetWhere(one => one.tokenId === id),
  };
}
