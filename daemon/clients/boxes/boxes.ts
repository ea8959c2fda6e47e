/**
 * Gives each living box its credential, and takes every other away. The register says which boxes
 * live. What a box may do is up to its record.
 */

import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { type BoxRecord, isBox } from '../../access/tokens/token.ts';
import type { TokenRegister } from '../../access/tokens/token-register.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { credentialOf, removeFolder, removeOthers } from './box-folder.ts';
import { type BoxCredential, type BoxSocketPorts, openBoxSocket } from './box-socket.ts';
import { tokenFileCredential, writeToken } from './token-file.ts';

/**
 * How often boxes are looked at: an expired box loses its credential, and a credential that
 * couldn't be made is tried again.
 */
const upkeepMilliseconds = 1_000;

interface BoxPorts extends Omit<BoxSocketPorts, 'serveHttp'> {
  readonly tokens: Pick<TokenRegister, 'list' | 'verifyBox' | 'onChanged'>;
  /** @returns false if nobody is served. */
  readonly serveHttp: (connection: Duplex, boxId: string) => boolean;
}

export interface Boxes {
  /**
   * The path of its socket or its token's file, and a clause on why programs are refused or that
   * isn't there, or null.
   */
  credentialOf(record: BoxRecord): { readonly path: string; readonly problem: string | null };
  /** Writes a new box's token, once. @returns a clause on why its file isn't there, or null. */
  writeToken(record: BoxRecord, plaintext: string): Promise<string | null>;
  /** Resolves once everything is as the register says. Before the first call, nothing listens. */
  settle(): Promise<void>;
  /** The folders stay, as they may be mounted. */
  close(): Promise<void>;
}

export function openBoxes({ tokens, serveHttp, ...ports }: BoxPorts): Boxes {
  /** A string is a clause on why a box has no credential. It is tried again. */
  const credentials = new Map<string, { readonly path: string; readonly credential: BoxCredential | string }>();
  const inTurn = oneAtATime();
  let upkeep: NodeJS.Timeout | null = null;
  let isClosed = false;

  const living = (): readonly BoxRecord[] =>
    tokens
      .list()
      .filter(isBox)
      .filter(({ id }) => tokens.verifyBox(id).kind === 'valid');

  async function reconcile(): Promise<void> {
    if (isClosed) return;
    const wanted = living();
    const ids = new Set(wanted.map(({ id }) => id));
    for (const [id, { path, credential }] of credentials) {
      if (ids.has(id)) continue;
      credentials.delete(id);
      if (typeof credential === 'string') removeFolder(dirname(path));
      else await credential.close(true);
    }
    for (const { id, box, path } of wanted.map(record => ({ ...record, path: credentialOf(ports.folders, record) }))) {
      const before = credentials.get(id)?.credential ?? null;
      if (before !== null && typeof before !== 'string') continue;
      const credential =
        box.credential === 'token'
          ? tokenFileCredential(path, box.group)
          : await openBoxSocket(path, box.group, { ...ports, serveHttp: connection => serveHttp(connection, id) });
      credentials.set(id, { path, credential });
      if (typeof credential === 'string' && credential !== before)
        ports.report(new Error(`A box has no socket: ${credential}.`));
    }
  }

  const settle = (): Promise<void> => {
    if (upkeep === null && !isClosed) {
      removeOthers(
        ports.folders,
        living().map(record => credentialOf(ports.folders, record)),
      );
      upkeep = setInterval(() => void inTurn(reconcile).catch(ports.report), upkeepMilliseconds).unref();
      tokens.onChanged(() => void inTurn(reconcile).catch(ports.report));
    }
    return inTurn(reconcile);
  };

  return {
    credentialOf(record) {
      const credential = credentials.get(record.id)?.credential ?? null;
      const problem = typeof credential === 'string' ? credential : (credential?.problem() ?? null);
      return { path: credentialOf(ports.folders, record), problem };
    },
    writeToken: (record, plaintext) =>
      writeToken(ports.folders, credentialOf(ports.folders, record), record.box.group, plaintext),
    settle,
    close: () =>
      inTurn(async () => {
        isClosed = true;
        if (upkeep !== null) clearInterval(upkeep);
        await Promise.all(
          [...credentials.values()].map(({ credential }) =>
            typeof credential === 'string' ? null : credential.close(false),
          ),
        );
      }),
  };
}
