/**
 * Gives each living box its credential, and takes every other away. The register says which boxes
 * live. What a box may do is up to its record.
 */

import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { type BoxRecord, isBox } from '../../access/tokens/token.ts';
import type { TokenRegister } from '../../access/tokens/token-register.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { type Door, type DoorPorts, openDoor } from './door.ts';
import { credentialOf, removeFolder, removeOthers } from './place.ts';
import { tokenDoor, writeToken } from './token-file.ts';

/**
 * How often boxes are looked at: an expired box loses its credential, and a credential that
 * couldn't be made is tried again.
 */
const upkeepMilliseconds = 1_000;

interface BoxPorts extends Omit<DoorPorts, 'serveHttp'> {
  readonly tokens: Pick<TokenRegister, 'list' | 'verifyBox' | 'onChanged'>;
  /** @returns false if nobody is served. */
  readonly serveHttp: (connection: Duplex, boxId: string) => boolean;
}

export interface Boxes {
  /** The path of its socket or its token's file, and a clause on why that isn't there, or null. */
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
  const doors = new Map<string, { readonly path: string; readonly door: Door | string }>();
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
    for (const [id, { path, door }] of doors) {
      if (ids.has(id)) continue;
      doors.delete(id);
      if (typeof door === 'string') removeFolder(dirname(path));
      else await door.close(true);
    }
    for (const { id, box, path } of wanted.map(record => ({ ...record, path: credentialOf(ports.folders, record) }))) {
      const before = doors.get(id)?.door ?? null;
      if (before !== null && typeof before !== 'string') continue;
      const door =
        box.credential === 'token'
          ? tokenDoor(path, box.group)
          : await openDoor(path, box.group, { ...ports, serveHttp: connection => serveHttp(connection, id) });
      doors.set(id, { path, door });
      if (typeof door === 'string' && door !== before) ports.report(new Error(`A box has no socket: ${door}.`));
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
      const door = doors.get(record.id)?.door ?? null;
      const problem = typeof door === 'string' ? door : (door?.problem() ?? null);
      return { path: credentialOf(ports.folders, record), problem };
    },
    writeToken: (record, plaintext) =>
      writeToken(ports.folders, credentialOf(ports.folders, record), record.box.group, plaintext),
    settle,
    close: () =>
      inTurn(async () => {
        isClosed = true;
        if (upkeep !== null) clearInterval(upkeep);
        await Promise.all([...doors.values()].map(({ door }) => (typeof door === 'string' ? null : door.close(false))));
      }),
  };
}
