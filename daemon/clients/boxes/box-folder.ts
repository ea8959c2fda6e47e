/**
 * Where a box's credential lies, a socket or a token's file: in a folder of its own, which goes
 * into the box. Makes, checks and removes both. The box may have put anything into that folder, so
 * nothing in it is followed, and nothing else is touched.
 */

import { chmodSync, lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderProblem } from '../../../shared/private-files.ts';
import type { BoxRecord } from '../../access/tokens/token.ts';
import { giveToGroup } from './give-to-group.ts';

/** Systems silently cut longer paths, macOS from 104 bytes on. */
const longestPathBytes = 100;
const fileNames = { socket: 'mcp.sock', token: 'token.env', wire: '.s.PGSQL.5432' } as const;

export interface BoxFolders {
  readonly boxes: string;
  /** Holds those that others get into. */
  readonly shared: () => string;
  /** Null if there was none so far. */
  readonly keptShared: () => string | null;
}

/** What lies in a box's folder, each by its path. */
export type BoxPaths = Readonly<Record<keyof typeof fileNames, string | null>> & { readonly folder: string };

/**
 * The path has the box's id in it. A new box of the same name gets a new folder, as the old one may
 * still be mounted.
 */
export function pathsOf({ boxes, shared }: BoxFolders, { id, name, box }: BoxRecord): BoxPaths {
  const { credential } = box;
  const under = (parent: string): string => join(parent, `${name}-${id.slice(0, 8)}`);
  const has = { socket: /^sockets?$/, token: /^token$/, wire: /^(wire|sockets)$/ };
  const names = Object.entries(fileNames).filter(([kind]) => has[kind as keyof typeof has].test(credential));
  const fits = credential === 'token' || names.every(([, file]) => isShort(join(under(boxes), file)));
  // Nobody else gets through the home.
  const folder = under(box.group === null && fits ? boxes : shared());
  const none = { socket: null, token: null, wire: null };
  return { ...none, ...Object.fromEntries(names.map(([kind, file]) => [kind, join(folder, file)])), folder };
}

/** Why no socket can be at this path, or null. */
export function lengthProblem(socket: string): string | null {
  if (isShort(socket)) return null;
  const bytes = Buffer.byteLength(socket);
  return `the path of its socket has ${bytes} bytes, and ${longestPathBytes} are the most (${socket}); choose a shorter name`;
}

/**
 * Idempotent. An existing folder stays, as it may be mounted.
 * @returns why no credential can be made in it, or null.
 */
export async function prepareFolder(folders: BoxFolders, path: string, group: string | null): Promise<string | null> {
  const folder = dirname(path);
  const isShared = dirname(folder) !== folders.boxes;
  const problem = ownFolderProblem(dirname(folder), isShared ? 0o711 : 0o700) ?? ownFolderProblem(folder, 0o700);
  if (problem !== null) return `${problem}; remove or repair that folder`;
  if (group !== null) {
    const notGiven = await giveToGroup(folder, group);
    if (notGiven !== null) return notGiven;
    // Whatever is made in it is the group's.
    chmodSync(folder, 0o2750);
  }
  const inTheWay = lstatSync(path, { throwIfNoEntry: false });
  if (inTheWay?.isDirectory() === true) return `${path} is a folder; remove it`;
  if (inTheWay !== undefined) unlinkSync(path);
  return null;
}

/**
 * Checks that the socket that was just bound is there, for those who should have it. @returns a
 * clause, or null.
 */
export function socketProblem(socket: string, group: string | null): string | null {
  const made = lstatSync(socket, { throwIfNoEntry: false });
  const folder = lstatSync(dirname(socket), { throwIfNoEntry: false });
  const isRight =
    made?.isSocket() === true &&
    made.uid === process.getuid?.() &&
    (made.mode & 0o777) === socketMode(group) &&
    (group === null || made.gid === folder?.gid);
  return isRight ? null : `${socket} is another file than the one that was made`;
}

export function socketMode(group: string | null): number {
  return group === null ? 0o600 : 0o660;
}

/**
 * Removes our files, and the folder if it is empty then. What a box put into it keeps the folder.
 */
export function removeFolder(folder: string): void {
  for (const name of Object.values(fileNames)) attempt(() => unlinkSync(join(folder, name)));
  attempt(() => rmdirSync(folder));
}

/**
 * Removes what is left of boxes that ended while no daemon of ours could do it.
 * @param folders those of the boxes that exist.
 */
export function removeOthers({ boxes, keptShared }: BoxFolders, folders: readonly string[]): void {
  const kept = new Set(folders);
  for (const parent of [boxes, keptShared()]) {
    if (parent === null || folderProblem(parent) !== null) continue;
    for (const name of readdirSync(parent)) {
      const folder = join(parent, name);
      if (!kept.has(folder) && folderProblem(folder) === null) removeFolder(folder);
    }
    attempt(() => rmdirSync(parent));
  }
}

function ownFolderProblem(folder: string, mode: number): string | null {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const problem = folderProblem(folder);
  if (problem === null) chmodSync(folder, mode);
  return problem;
}

function isShort(path: string): boolean {
  return Buffer.byteLength(path) <= longestPathBytes;
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // It is gone already, or not ours alone. An empty folder that is left harms nobody.
  }
}
