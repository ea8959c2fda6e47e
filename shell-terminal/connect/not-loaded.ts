/**
 * Why a client doesn't start an entry that stands in its file: its own lists and its trust in
 * folders say so. Judges values alone.
 */

import { dirname, relative } from 'node:path';
import { isObject } from '../../shared/json.ts';

/** What clients write about servers, as far as it is there. */
export interface ClientSays {
  readonly client: string;
  readonly title: string;
  /** True for the entry in a project's file. */
  readonly isProject: boolean;
  readonly folder: string | null;
  /** The user's own file with servers. */
  readonly user: unknown;
  /** Further files of the user or the project, by the names in {@link filesBeside}. */
  readonly beside: readonly unknown[];
}

/** Other files that decide it, of the user (`~`) or the project. */
export const filesBeside: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['{claude-settings}/settings.json', '.claude/settings.json', '.claude/settings.local.json'],
  gemini: ['.gemini/settings.json', '~/.gemini/trustedFolders.json'],
  qwen: ['.qwen/settings.json', '~/.qwen/trustedFolders.json'],
  'amazon-q': ['~/.aws/amazonq/agents/default.json'],
  vscode: ['{applications}/Code/User/settings.json', '.vscode/settings.json'],
};

const own = 'sallyport';

/** Sentences with what to do; none if nothing speaks against it. */
export function notLoaded(says: ClientSays): readonly string[] {
  switch (says.client) {
    case 'claude-code':
      return inClaude(says);
    case 'gemini':
    case 'qwen':
      return inGemini(says);
    case 'amazon-q':
      return inAmazon(says);
    case 'codex':
      return inCodex(says);
    case 'vscode':
      return inEditor(says);
    default:
      return [];
  }
}

function inClaude({ title, isProject, folder, user, beside }: ClientSays): readonly string[] {
  const project = isObject(user) && isObject(user.projects) ? user.projects[folder ?? ''] : undefined;
  const all = [project, user, ...beside];
  if (
    all.some(one => lists(one, 'disabledMcpServers')) ||
    (isProject && all.some(one => lists(one, 'disabledMcpjsonServers')))
  )
    return [`${title} has sallyport switched off in this folder; /mcp there switches it on.`];
  if (!isProject) return [];
  const isApproved = all.some(
    one => lists(one, 'enabledMcpjsonServers') || (isObject(one) && one.enableAllProjectMcpServers === true),
  );
  return isApproved
    ? []
    : [`${title} shows sallyport as "Pending approval" until you approve it: start ${title} in this folder.`];
}

function inGemini(says: ClientSays): readonly string[] {
  const { title, user, beside } = says;
  if (isDistrusted(says))
    return [`${title} starts no servers in this folder until you trust it: start ${title} there.`];
  const told = [user, ...beside].flatMap(one => {
    const mcp = isObject(one) && isObject(one.mcp) ? one.mcp : {};
    const shutOut = Array.isArray(mcp.allowed) && !lists(mcp, 'allowed');
    if (shutOut) return [`${title} loads only the servers in mcp.allowed; add "sallyport" to it.`];
    return lists(mcp, 'excluded')
      ? [`${title} leaves out the servers in mcp.excluded; take "sallyport" out of it.`]
      : [];
  });
  return [...new Set(told)];
}

/** The rule for the nearest folder counts, if the user has switched trust on. */
function isDistrusted({ isProject, folder, user, beside: [, trusted] }: ClientSays): boolean {
  const security = isObject(user) && isObject(user.security) ? user.security : {};
  const isOn = isObject(security.folderTrust) && security.folderTrust.enabled === true;
  if (!isOn || folder === null) return false;
  const [nearest] = Object.entries(isObject(trusted) ? trusted : {})
    .map(([path, level]) => ({ root: level === 'TRUST_PARENT' ? dirname(path) : path, level }))
    .filter(({ root }) => !relative(root, folder).startsWith('..'))
    .sort((one, other) => other.root.length - one.root.length);
  return nearest === undefined ? isProject : nearest.level === 'DO_NOT_TRUST';
}

/** Its agent may leave out the file that all its programs share. */
function inAmazon({ title, beside: [agent] }: ClientSays): readonly string[] {
  if (!isObject(agent) || agent.useLegacyMcpJson !== false) return [];
  return [`${title}'s agents/default.json leaves out mcp.json; set "useLegacyMcpJson" to true in it.`];
}

/** It reads a project's file only where the user trusts the project. */
function inCodex({ title, isProject, folder, user }: ClientSays): readonly string[] {
  if (!isProject) return [];
  const project = isObject(user) && isObject(user.projects) ? user.projects[folder ?? ''] : undefined;
  if (isObject(project) && project.trust_level === 'trusted') return [];
  return [`${title} reads a project's file only in a folder that you trust: start ${title} there.`];
}

function inEditor({ title, beside }: ClientSays): readonly string[] {
  const isOff = beside.some(
    one => isObject(one) && (one['chat.mcp.access'] === 'none' || one['chat.mcp.enabled'] === false),
  );
  return isOff ? [`${title} loads no servers while chat.mcp.access in its settings is "none".`] : [];
}

function lists(value: unknown, key: string): boolean {
  const list = isObject(value) ? value[key] : undefined;
  return Array.isArray(list) && list.includes(own);
}
