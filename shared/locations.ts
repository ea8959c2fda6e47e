/**
 * Where all files of one home are (spec §1): the one place that computes paths both sides must
 * agree on. Reads no file content.
 */

import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { isOwnFolder } from './private-files.ts';
import { keptName, sessionFolder } from './runtime-folder.ts';

/** Locations depend on these variables only: MCP clients pass little else to their children. */
export interface LocationEnvironment {
  readonly SALLYPORT_HOME?: string | undefined;
  readonly HOME?: string | undefined;
}

export interface Locations {
  readonly home: string;
  readonly handshake: string;
  readonly controlSocket: string;
  /** The socket's folder: `home`, or a private one elsewhere if the path would be too long. */
  readonly controlSocketFolder: string;
  /** The folders of boxes that no other user must get into. */
  readonly boxes: string;
  readonly lock: string;
  readonly store: string;
  readonly secrets: string;
  /** Tells where the secrets are (store-record.ts). */
  readonly storeRecord: string;
  readonly logs: string;
}

/**
 * A file in the home until its first start, if the home was made without a person
 * (`sallyport init --unattended`).
 */
export const unattendedMark = 'unattended';
/** In the home: root's permission to reset the owner passphrase. */
export const rootConfirmation = 'passphrase-reset';

/**
 * `sun_path` holds 104 bytes on macOS including NUL; a longer path is silently cut and leads
 * elsewhere.
 */
const maxSocketPathBytes = 103;

/** SALLYPORT_HOME isn't a usable folder name; a sentence. */
export class MisnamedHome extends Error {}

/** @throws MisnamedHome; or the system's own error if this user has no home folder. */
export function homeFolder(environment: LocationEnvironment, platform: NodeJS.Platform = process.platform): string {
  const { SALLYPORT_HOME: named, HOME } = environment;
  if (named && isAbsolute(named)) return resolve(named);
  const userHome = HOME || homedir();
  if (named) return namedFolder(named, userHome);
  return platform === 'darwin'
    ? join(userHome, 'Library', 'Application Support', 'Sallyport')
    : join(userHome, '.local', 'share', 'sallyport');
}

/** No shell expands the `env` of a client's file, and a client starts its servers in any folder. */
function namedFolder(named: string, userHome: string): string {
  const folder = named.replace(/^~(?=\/|$)/, () => userHome);
  if (isAbsolute(folder)) return resolve(folder);
  throw new MisnamedHome(
    `SALLYPORT_HOME is ${JSON.stringify(named)}, which is not a whole path; begin it with / or ~/.`,
  );
}

/** The home that the user named, if it isn't the usual one; otherwise null. */
export function namedHome(environment: LocationEnvironment): string | null {
  return environment.SALLYPORT_HOME ? homeFolder(environment) : null;
}

/**
 * @param home as `homeFolder` gives it. It need not exist. The socket's place may change with each
 *   start of the daemon, and when its folder is lost.
 */
export function locationsIn(home: string): Locations {
  const controlSocketFolder = socketFolder(home);
  return {
    home,
    handshake: join(home, 'mcp-handshake.json'),
    controlSocket: join(controlSocketFolder, 'control.sock'),
    controlSocketFolder,
    boxes: join(home, 'boxes'),
    lock: join(home, 'daemon.lock'),
    store: join(home, 'sallyport.db'),
    secrets: join(home, 'secrets.json'),
    storeRecord: join(home, 'store.json'),
    logs: join(home, 'logs'),
  };
}

/** Where the daemon has it; without one, a place where nobody else can make it. */
function socketFolder(home: string): string {
  if (Buffer.byteLength(join(home, 'control.sock')) <= maxSocketPathBytes) return home;
  const kept = keptName(home, 'socket-folder');
  return kept !== null && isOwnFolder(kept) ? kept : sessionFolder(home);
}
