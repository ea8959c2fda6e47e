/**
 * Names sessions of the 2025 revisions so that a daemon which forgot one can take it up again:
 * clients built on SDK v1 don't send `initialize` anew where a session is unknown, and after a
 * restart would fail for good. A session's id carries all that there is to know of it, under a MAC
 * whose key belongs to its token.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Principal } from '../../access/tokens/token.ts';

export interface LegacyClient {
  /** What it called itself at `initialize`, cleaned. */
  readonly client: string | null;
  /** Whether it said there that it can put a question to its user. */
  readonly canElicit: boolean;
}

export interface LegacySessionIds {
  /** Visible ASCII, as the revisions want it. Null where the principal's token is gone. */
  make(principal: Principal, client: LegacyClient): string | null;
  /** Null for what was not made here for this principal. */
  read(id: string, principal: Principal): LegacyClient | null;
}

const idPattern = /^([\w-]{1,1000})\.([\w-]{43})$/;
const contentShape = z.tuple([z.string(), z.boolean(), z.string().nullable()]);

/**
 * @param keyOf what the daemon alone knows of a token, and keeps with it; null where the token is
 * gone.
 * @param newId unguessable.
 */
export function legacySessionIds(keyOf: (tokenId: string) => string | null, newId: () => string): LegacySessionIds {
  function macOf(content: string, { id, tokenId }: Principal): Buffer | null {
    const key = keyOf(tokenId);
    // Each bridge is a principal of its own, though all of them have one token.
    return key === null ? null : createHmac('sha256', key).update(`mcp session ${id} ${content}`).digest();
  }

  return {
    make(principal, { client, canElicit }) {
      const content = Buffer.from(JSON.stringify([newId(), canElicit, client])).toString('base64url');
      const mac = macOf(content, principal);
      return mac === null ? null : `${content}.${mac.toString('base64url')}`;
    },
    read(id, principal) {
      const [, content = '', given = ''] = idPattern.exec(id) ?? [];
      const mac = content === '' ? null : macOf(content, principal);
      // As texts: several of them decode to the same bytes.
      if (mac === null || !timingSafeEqual(Buffer.from(mac.toString('base64url')), Buffer.from(given))) return null;
      const [, canElicit, client] = contentShape.parse(JSON.parse(Buffer.from(content, 'base64url').toString('utf8')));
      return { client, canElicit };
    },
  };
}
