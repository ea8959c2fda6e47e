/**
 * Where AI clients keep their lists of MCP servers: the paths of the table in clients.ts for this
 * user and machine. Reads none of them.
 */

import { isAbsolute, join } from 'node:path';
import { type ClientEntry, placeOfServers } from './client-configs.ts';
import { clients } from './clients.ts';

export interface ClientFile {
  /** Its name for `sallyport connect`. */
  readonly client: string;
  /** Its name for people. */
  readonly title: string;
  readonly path: string;
}

/** A map or list of servers in a file. */
export interface ServersPlace extends ClientFile, Pick<ClientEntry, 'format' | 'kind'> {
  /** The keys that lead there; `*` is any key. */
  readonly under: readonly string[];
  /** True in the folder of a project, where others may read the file too. */
  readonly isProject: boolean;
}

/** Variables that make these clients look elsewhere. */
export interface ClientFileEnvironment {
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly CLAUDE_CONFIG_DIR?: string | undefined;
  readonly CODEX_HOME?: string | undefined;
}

/** Variables of a shell inside WSL. */
export interface WslEnvironment {
  /** The distribution's name; WSL sets it. */
  readonly WSL_DISTRO_NAME?: string | undefined;
  /** The person's folder on Windows as a path, if they hand it on: WSLENV=USERPROFILE/p. */
  readonly USERPROFILE?: string | undefined;
}

type ToPath = (named: string) => string;

/** If a client has several files, its newer versions use the first one. */
export function clientFiles(
  userHome: string,
  environment: ClientFileEnvironment = {},
  platform: NodeJS.Platform = process.platform,
): readonly ClientFile[] {
  const toPath = pathsOf(userHome, environment, platform);
  return clients.flatMap(({ client, title, files }) => files.map(file => ({ client, title, path: toPath(file) })));
}

/**
 * Each place where a client on this machine may have servers. A file's name may begin with `*`.
 * @param project the folder of a project, which has files too; null for none.
 */
export function serversPlaces(
  userHome: string,
  environment: ClientFileEnvironment = {},
  project: string | null = null,
  platform: NodeJS.Platform = process.platform,
): readonly ServersPlace[] {
  const toPath = pathsOf(userHome, environment, platform);
  const ofProject = (file: string): string | null => (project === null ? null : join(project, file));
  return clients.flatMap(({ client, title, shape, files, project: inProject = [], elsewhere = [] }) => {
    const { format, kind, under } = placeOfServers(shape);
    const usual = { client, title, format, kind, under };
    return [
      ...files.map(file => ({ ...usual, path: toPath(file), isProject: false })),
      ...inProject.map(file => ({ ...usual, path: ofProject(file), isProject: true })),
      ...elsewhere.map(place => {
        const [file = '', keys = ''] = place.split('#');
        const isProject = !isOfUser(file);
        const path = isProject ? ofProject(file) : toPath(file);
        const form = file.endsWith('.json') ? { format: 'json' as const, kind: 'member' as const } : {};
        return { ...usual, ...form, under: keys.split('/'), path, isProject };
      }),
    ].flatMap(({ path, ...place }) => (path === null ? [] : [{ ...place, path }]));
  });
}

/** Paths of named files: of the user (`~`, braces) or the project; null without a project. */
export function placesOf(
  files: readonly string[],
  userHome: string,
  environment: ClientFileEnvironment,
  project: string | null,
  platform: NodeJS.Platform = process.platform,
): readonly (string | null)[] {
  const toPath = pathsOf(userHome, environment, platform);
  return files.map(file => (isOfUser(file) ? toPath(file) : project === null ? null : join(project, file)));
}

function isOfUser(file: string): boolean {
  return /^[~{]/.test(file);
}

function pathsOf(userHome: string, environment: ClientFileEnvironment, platform: NodeJS.Platform): ToPath {
  // A relative path counts as unset (XDG Base Directory Specification).
  const named = environment.XDG_CONFIG_HOME ?? '';
  const config = isAbsolute(named) ? named : join(userHome, '.config');
  const roaming = join(userHome, 'AppData', 'Roaming');
  const elsewhere: Partial<Record<NodeJS.Platform, readonly [applications: string, zed: string]>> = {
    darwin: [join(userHome, 'Library', 'Application Support'), join(userHome, '.config', 'zed')],
    win32: [roaming, join(roaming, 'Zed')],
  };
  const [applications, zed] = elsewhere[platform] ?? [config, join(config, 'zed')];
  const folders: Readonly<Record<string, string>> = {
    '~': userHome,
    '{config}': config,
    '{applications}': applications,
    '{zed}': zed,
    '{claude}': environment.CLAUDE_CONFIG_DIR || userHome,
    '{claude-settings}': environment.CLAUDE_CONFIG_DIR || join(userHome, '.claude'),
    '{codex}': environment.CODEX_HOME || join(userHome, '.codex'),
  };
  return named => {
    const [folder = '', ...parts] = named.split('/');
    return join(folders[folder] ?? folder, ...parts);
  };
}

/**
 * The file in a project's folder that a client reads beside the user's own, relative to that
 * folder; null if there is none.
 */
export function projectFile(client: string): string | null {
  return clients.find(known => known.client === client)?.project?.[0] ?? null;
}
