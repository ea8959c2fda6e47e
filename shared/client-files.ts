/** Where AI clients keep the list of their MCP servers, as far as that is one known file of the user. Reads none of them. */

import { join } from 'node:path';

export interface ClientFile {
  /** As `sallyport connect` names it. */
  readonly client: string;
  /** As people call it. */
  readonly title: string;
  readonly path: string;
}

export function clientFiles(userHome: string, platform: NodeJS.Platform = process.platform): readonly ClientFile[] {
  const applications = platform === 'darwin' ? ['Library', 'Application Support'] : ['.config'];
  const inApplications = (...parts: string[]): string => join(userHome, ...applications, ...parts);
  const inHome = (...parts: string[]): string => join(userHome, ...parts);
  const cline = ['globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'];
  return [
    {
      client: 'claude-desktop',
      title: 'Claude Desktop',
      path: inApplications('Claude', 'claude_desktop_config.json'),
    },
    { client: 'claude-code', title: 'Claude Code', path: inHome('.claude.json') },
    { client: 'cursor', title: 'Cursor', path: inHome('.cursor', 'mcp.json') },
    { client: 'vscode', title: 'VS Code', path: inApplications('Code', 'User', 'mcp.json') },
    { client: 'continue', title: 'Continue', path: inHome('.continue', 'mcpServers', 'sallyport.yaml') },
    { client: 'zed', title: 'Zed', path: inHome('.config', 'zed', 'settings.json') },
    { client: 'goose', title: 'Goose', path: inHome('.config', 'goose', 'config.yaml') },
    { client: 'windsurf', title: 'Windsurf', path: inHome('.codeium', 'windsurf', 'mcp_config.json') },
    { client: 'cline', title: 'Cline', path: inApplications('Code', 'User', ...cline) },
  ];
}
