/**
 * Names sessions of the 2025 revisions so that a restarted daemon can resume them: SDK v1 clients
 * don't send `initialize` again for an unknown session, and would fail for good. The id holds
 * everything about the session, under a MAC whose key belongs to its token.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Principal } from '../../access/tokens/token.ts';

export interface LegacyClient {
  /** Its name at `initialize`, cleaned. */
  readonly client: string | null;
  /** True if it said that it can put a question to its user. */
  readonly canElicit: boolean;
}

export interface LegacySessionIds {
  /** Visible ASCII, as the revisions demand. Null if the principal's token is gone. */
  make(principal: Principal, client: LegacyClient): string | null;
  /** @returns null if it was not made here for this principal. */
  read(id: string, principal: Principal): LegacyClient | null;
}

const idPattern = /^([\w-]{1,1000})\.([\w-]{43})$/;
const contentShape = z.tuple([z.string(), z.boolean(), z.string().nullable()]);

/**
 * @param keyOf a secret that the daemon keeps with a token; null if the token is gone.
 * @param newId unguessable.
 */
export function legacySessionIds(keyOf: (tokenId: string) => string | null, newId: () => string): LegacySessionIds {
  function macOf(content: string, { id, tokenId }: Principal): Buffer | null {
    const key = keyOf(tokenId);
    // Each bridge is its own principal, though all share one token.
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
      // As text: different texts may decode to the same bytes.
      if (mac === null || !timingSafeEqual(Buffer.from(mac.toString('base64url')), Buffer.from(given))) return null;
      const [, canElicit, client] = contentShape.parse(JSON.parse(Buffer.from(content, 'base64url').toString('utf8')));
      return { client, canElicit };
    },
  };
}
