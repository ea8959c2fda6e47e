/**
 * Gives each living box its credential, and takes every other away. The register says which boxes
 * live. What a box may do is up to its record.
 */

import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { type BoxRecord, isBox } from '../../access/tokens/token.ts';
import type { TokenRegister } from '../../access/tokens/token-register.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import type { BoxCredential } from './bound-socket.ts';
import { type BoxPaths, pathsOf, removeFolder, removeOthers } from './box-folder.ts';
import { type BoxSocketPorts, openBoxSocket } from './box-socket.ts';
import { tokenFileCredential, writeToken } from './token-file.ts';
import { openWireSocket } from './wire-socket.ts';

/**
 * How often boxes are looked at: an expired box loses its credential, and a credential that
 * couldn't be made is tried again.
 */
const upkeepMilliseconds = 1_000;

interface BoxPorts extends Omit<BoxSocketPorts, 'serveHttp'> {
  readonly tokens: Pick<TokenRegister, 'list' | 'verifyBox' | 'onChanged'>;
  /** @returns false if nobody is served. */
  readonly serveHttp: (connection: Duplex, boxId: string) => boolean;
  /** Serves a program that speaks PostgreSQL's protocol. */
  readonly serveWire: (connection: Socket, boxId: string) => void;
}

export interface Boxes {
  /**
   * The paths of its sockets or its token's file, and a clause on why programs are refused or that
   * isn't there, or null.
   */
  credentialOf(record: BoxRecord): BoxPaths & { readonly problem: string | null };
  /** Writes a new box's token, once. @returns a clause on why its file isn't there, or null. */
  writeToken(record: BoxRecord, plaintext: string): Promise<string | null>;
  /** Resolves once everything is as the register says. Before the first call, nothing listens. */
  settle(): Promise<void>;
  /** The folders stay, as they may be mounted. */
  close(): Promise<void>;
}

export function openBoxes({ tokens, serveHttp, serveWire, ...ports }: BoxPorts): Boxes {
  /** By path. A string is a clause on why a box has no credential. It is tried again. */
  const credentials = new Map<string, BoxCredential | string>();
  const inTurn = oneAtATime();
  let upkeep: NodeJS.Timeout | null = null;
  let isClosed = false;

  const living = (): readonly BoxRecord[] =>
    tokens
      .list()
      .filter(isBox)
      .filter(({ id }) => tokens.verifyBox(id).kind === 'valid');

  const wantedOf = (record: BoxRecord) => {
    const { id, box } = record;
    const { socket, token, wire } = pathsOf(ports.folders, record);
    const forMcp = (path: string) =>
      openBoxSocket(path, box.group, { ...ports, serveHttp: connection => serveHttp(connection, id) });
    const forWire = (path: string) => openWireSocket(path, box.group, ports, connection => serveWire(connection, id));
    return [
      ...(socket === null ? [] : [{ path: socket, open: forMcp }]),
      ...(token === null ? [] : [{ path: token, open: async (path: string) => tokenFileCredential(path, box.group) }]),
      ...(wire === null ? [] : [{ path: wire, open: forWire }]),
    ];
  };

  async function reconcile(): Promise<void> {
    if (isClosed) return;
    const wanted = living().flatMap(wantedOf);
    const paths = new Set(wanted.map(({ path }) => path));
    for (const [path, credential] of credentials) {
      if (paths.has(path)) continue;
      credentials.delete(path);
      if (typeof credential === 'string') removeFolder(dirname(path));
      else await credential.close(true);
    }
    for (const { path, open } of wanted) {
      const before = credentials.get(path) ?? null;
      if (before !== null && typeof before !== 'string') continue;
      const credential = await open(path);
      credentials.set(path, credential);
      if (typeof credential === 'string' && credential !== before)
        ports.report(new Error(`A box has no socket: ${credential}.`));
    }
  }

  const settle = (): Promise<void> => {
    if (upkeep === null && !isClosed) {
      removeOthers(
        ports.folders,
        living().map(record => pathsOf(ports.folders, record).folder),
      );
      upkeep = setInterval(() => void inTurn(reconcile).catch(ports.report), upkeepMilliseconds).unref();
      tokens.onChanged(() => void inTurn(reconcile).catch(ports.report));
    }
    return inTurn(reconcile);
  };

  return {
    credentialOf(record) {
      const paths = pathsOf(ports.folders, record);
      const problems = [paths.socket, paths.token, paths.wire].map(path => {
        const credential = path === null ? null : (credentials.get(path) ?? null);
        return typeof credential === 'string' ? credential : (credential?.problem() ?? null);
      });
      return { ...paths, problem: problems.find(problem => problem !== null) ?? null };
    },
    writeToken: (record, plaintext) =>
      writeToken(ports.folders, pathsOf(ports.folders, record).token ?? '', record.box.group, plaintext),
    settle,
    close: () =>
      inTurn(async () => {
        isClosed = true;
        if (upkeep !== null) clearInterval(upkeep);
        await Promise.all(
          [...credentials.values()].map(credential =>
            typeof credential === 'string' ? null : credential.close(false),
          ),
        );
      }),
  };
}
