/**
 * Where AI clients keep their list of MCP servers, if that is one known file of the user. Reads
 * none of them.
 */

import { isAbsolute, join } from 'node:path';
import { titleOf } from './client-configs.ts';

export interface ClientFile {
  /** Its name for `sallyport connect`. */
  readonly client: string;
  /** Its name for people. */
  readonly title: string;
  readonly path: string;
}

/** Variables that make these clients look elsewhere. */
export interface ClientFileEnvironment {
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly CLAUDE_CONFIG_DIR?: string | undefined;
  readonly CODEX_HOME?: string | undefined;
}

/** If a client has two files, its newer versions use the first one. */
export function clientFiles(
  userHome: string,
  environment: ClientFileEnvironment = {},
  platform: NodeJS.Platform = process.platform,
): readonly ClientFile[] {
  const inHome = (...parts: string[]): string => join(userHome, ...parts);
  // A relative path counts as unset (XDG Base Directory Specification).
  const named = environment.XDG_CONFIG_HOME ?? '';
  const configFolder = isAbsolute(named) ? named : inHome('.config');
  const applications = platform === 'darwin' ? inHome('Library', 'Application Support') : configFolder;
  const clineFile = 'cline_mcp_settings.json';
  const files: [client: string, path: string][] = [
    ['claude-desktop', join(applications, 'Claude', 'claude_desktop_config.json')],
    ['claude-code', join(environment.CLAUDE_CONFIG_DIR || userHome, '.claude.json')],
    ['cursor', inHome('.cursor', 'mcp.json')],
    ['vscode', join(applications, 'Code', 'User', 'mcp.json')],
    ['continue', inHome('.continue', 'mcpServers', 'sallyport.yaml')],
    ['zed', join(platform === 'darwin' ? inHome('.config') : configFolder, 'zed', 'settings.json')],
    ['goose', join(configFolder, 'goose', 'config.yaml')],
    ['windsurf', inHome('.codeium', 'windsurf', 'mcp_config.json')],
    ['cline', inHome('.cline', 'data', 'settings', clineFile)],
    ['codex', join(environment.CODEX_HOME || inHome('.codex'), 'config.toml')],
    ['gemini', inHome('.gemini', 'settings.json')],
    ['jetbrains', inHome('.junie', 'mcp', 'mcp.json')],
    // It reads both; an existing one is kept.
    ['opencode', join(configFolder, 'opencode', 'opencode.json')],
    ['opencode', join(configFolder, 'opencode', 'opencode.jsonc')],
    ['amp', join(configFolder, 'amp', 'settings.json')],
    ['lmstudio', inHome('.lmstudio', 'mcp.json')],
    ['cline', join(applications, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings', clineFile)],
  ];
  return files.map(([client, path]) => ({ client, title: titleOf(client), path }));
}

/**
 * The file in a project's folder that a client reads beside the user's own, relative to that
 * folder; null if there is none.
 */
export function projectFile(client: string): string | null {
  return projectFiles[client] ?? null;
}

const projectFiles: Readonly<Record<string, string>> = {
  'claude-code': '.mcp.json',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  continue: '.continue/mcpServers/sallyport.yaml',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
  jetbrains: '.junie/mcp/mcp.json',
  opencode: 'opencode.json',
  amp: '.amp/settings.json',
};
