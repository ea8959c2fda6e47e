/**
 * Where everything of one home lives (spec §1): the one place that computes a path both sides must
 * agree on. Reads no file content.
 */

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The only variables a location may depend on: MCP clients pass their children little else. */
export interface LocationEnvironment {
  readonly SALLYPORT_HOME?: string | undefined;
  readonly HOME?: string | undefined;
}

export interface Locations {
  readonly home: string;
  readonly handshake: string;
  readonly controlSocket: string;
  /**
   * The folder the socket is in: `home`, or a private one under /tmp where the path would not fit.
   */
  readonly controlSocketFolder: string;
  /** The folders of boxes: in the home, and where others than the owner get through as well. */
  readonly boxes: string;
  readonly sharedBoxes: string;
  readonly lock: string;
  readonly store: string;
  readonly secrets: string;
  /** Says where the secrets are (store-record.ts). */
  readonly storeRecord: string;
  readonly logs: string;
}

/**
 * In the home, until its first start: it is made without a person (`sallyport init --unattended`).
 */
export const unattendedMark = 'unattended';
/** In the home: root's word on a reset of the owner passphrase. */
export const rootConfirmation = 'passphrase-reset';

/**
 * `sun_path` holds 104 bytes on macOS with its NUL; a longer path is silently cut and lands
 * elsewhere.
 */
const maxSocketPathBytes = 103;

/** SALLYPORT_HOME names no folder; a sentence. */
export class MisnamedHome extends Error {}

/** @throws MisnamedHome; the system's own error where this user has no home folder. */
export function homeFolder(environment: LocationEnvironment, platform: NodeJS.Platform = process.platform): string {
  const { SALLYPORT_HOME: named, HOME } = environment;
  if (named && isAbsolute(named)) return resolve(named);
  const userHome = HOME || homedir();
  if (named) return namedFolder(named, userHome);
  return platform === 'darwin'
    ? join(userHome, 'Library', 'Application Support', 'Sallyport')
    : join(userHome, '.local', 'share', 'sallyport');
}

/**
 * No shell has read what stands in the `env` of a client's file, and a client starts its servers in
 * any folder.
 */
function namedFolder(named: string, userHome: string): string {
  const folder = named.replace(/^~(?=\/|$)/, () => userHome);
  if (isAbsolute(folder)) return resolve(folder);
  throw new MisnamedHome(
    `SALLYPORT_HOME is ${JSON.stringify(named)}, which is not a whole path; begin it with / or ~/.`,
  );
}

/** A home that the user named, not the usual one; null where they named none. */
export function namedHome(environment: LocationEnvironment): string | null {
  return environment.SALLYPORT_HOME ? homeFolder(environment) : null;
}

/**
 * @param home as `homeFolder` gives it; it need not exist yet, but the socket's place is only final
 * once it does.
 */
export function locationsIn(home: string): Locations {
  const controlSocketFolder = socketFolder(home);
  return {
    home,
    handshake: join(home, 'mcp-handshake.json'),
    controlSocket: join(controlSocketFolder, 'control.sock'),
    controlSocketFolder,
    boxes: join(home, 'boxes'),
    sharedBoxes: runtimeFolder(home, 'sallyport-boxes'),
    lock: join(home, 'daemon.lock'),
    store: join(home, 'sallyport.db'),
    secrets: join(home, 'secrets.json'),
    storeRecord: join(home, 'store.json'),
    logs: join(home, 'logs'),
  };
}

function socketFolder(home: string): string {
  if (Buffer.byteLength(join(home, 'control.sock')) <= maxSocketPathBytes) return home;
  return runtimeFolder(home, 'sallyport');
}

/** Where a home's sockets lie that can't be in it. */
function runtimeFolder(home: string, called: string): string {
  const digest = createHash('sha256').update(realPathOf(home)).digest('hex').slice(0, 16);
  // Not os.tmpdir(): TMPDIR differs between a terminal, a LaunchAgent and an MCP client's child.
  return `/tmp/${called}-${process.getuid?.() ?? 0}-${digest}`;
}

function realPathOf(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    return resolve(home);
  }
}
