/**
 * A client on Windows, for a command that runs inside WSL: how it starts the bridge there, and
 * which file it reads. Reads names of folders alone, and starts no program of Windows.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientConfig, wslConfigs } from '../../shared/client-configs.ts';
import { clientFiles } from '../../shared/client-files.ts';
import { namedHome } from '../../shared/locations.ts';
import { npxPackage } from '../../shared/npx.ts';
import { type CliError, failed, misuse } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

/** Where WSL shows the people of Windows, unless /etc/wsl.conf says otherwise. */
const usersOfWindows = '/mnt/c/Users';

/** They keep their settings in a folder of another name on Windows. */
const otherOnWindows: ReadonlySet<string> = new Set(['crush', 'goose']);

/** Folders there that are no person's. */
const nobody: ReadonlySet<string> = new Set(['All Users', 'Default', 'Default User', 'Public']);

/** @throws CliError outside WSL, and if Windows couldn't start this install. */
export function windowsConfigs({ environment }: Terminal, bridge: string): readonly ClientConfig[] {
  const { WSL_DISTRO_NAME: distribution = '' } = environment;
  if (distribution === '') throw misuse('--wsl is for a client on Windows; type it inside WSL.');
  if (npxPackage(bridge) !== null)
    throw failed('npx runs this Sallyport, and Windows starts no npx inside WSL; install it first (docs/guide.md).');
  return wslConfigs(distribution, bridge, namedHome(environment));
}

/**
 * The client's existing file on Windows, or the one that it makes; or why it is unknown, with what
 * to type.
 */
export function windowsFile({ environment }: Terminal, client: string, users = usersOfWindows): string | CliError {
  const person = personOfWindows(environment.USERPROFILE, users);
  if (typeof person !== 'string') return person;
  const paths = clientFiles(person, {}, 'win32')
    .filter(file => file.client === client && !otherOnWindows.has(client))
    .map(({ path }) => path);
  const unknown = () => misuse(`Which file ${client} reads on Windows is unknown; name it with --file.`);
  return paths.find(path => existsSync(path)) ?? paths[0] ?? unknown();
}

/** The one person of Windows who has a folder here. */
function personOfWindows(named: string | undefined, users: string): string | CliError {
  if (named?.startsWith('/')) return named;
  // Other people's folders can't be looked into.
  const people = foldersIn(users)
    .filter(name => !nobody.has(name))
    .map(name => join(users, name))
    .filter(folder => foldersIn(join(folder, 'AppData')).includes('Roaming'));
  const [person, ...others] = people;
  if (person !== undefined && others.length === 0) return person;
  return misuse(
    `Which of ${users} is yours is unknown (${people.length} have programs there); name the client's file with --file.`,
  );
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
