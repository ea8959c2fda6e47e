/**
 * The AI clients that Sallyport knows, as a table: their files, where the servers are in these, and
 * the shape of an entry. This is data alone; it touches no file.
 *
 * Each row is from the client's own pages: Codex developers.openai.com/codex/mcp, Gemini CLI
 * geminicli.com/docs/tools/mcp-server, JetBrains Junie
 * jetbrains.com/help/junie/model-context-protocol-mcp.html, opencode opencode.ai/docs/mcp-servers,
 * Amp ampcode.com/manual, LM Studio lmstudio.ai/docs/app/mcp, Copilot CLI
 * docs.github.com/copilot/how-tos/copilot-cli, Kiro kiro.dev/docs/mcp/configuration, Amazon Q
 * docs.aws.amazon.com/amazonq/latest/qdeveloper-ug, Droid docs.factory.ai/cli/configuration/mcp,
 * Qwen Code qwenlm.github.io/qwen-code-docs, Crush github.com/charmbracelet/crush, Kilo
 * kilo.ai/docs/automate/mcp, Kimi moonshotai.github.io/kimi-cli, Auggie
 * docs.augmentcode.com/cli/integrations, Pi github.com/nicobailon/pi-mcp-adapter.
 */

/** The forms of an entry (client-configs.ts). */
export type ShapeName =
  | 'chat'
  | 'claude'
  | 'editor'
  | 'zed'
  | 'continue'
  | 'goose'
  | 'codex'
  | 'list'
  | 'amp'
  | 'typed'
  | 'crush'
  | 'copilot';

export interface Client {
  /** Its name for `sallyport connect`. */
  readonly client: string;
  /** Its name for people. */
  readonly title: string;
  /** The file for its entry, or what to do with the entry; for people. */
  readonly where: string;
  readonly shape: ShapeName;
  /**
   * Files of the user that have its servers. The client's newest version makes the first one. Each
   * begins with `~`, or with a place of client-files.ts in braces.
   */
  readonly files: readonly string[];
  /** Files in a project's folder that it reads, too. `--project` writes the first one. */
  readonly project?: readonly string[];
  /** Other places of servers, which are read and never written: `FILE#KEY/KEY`; `*` is any name. */
  readonly elsewhere?: readonly string[];
}

const clineFile = 'saoudrizwan.claude-dev/settings/cline_mcp_settings.json';

export const clients: readonly Client[] = [
  {
    client: 'claude-desktop',
    title: 'Claude Desktop',
    where: 'claude_desktop_config.json (Settings > Developer > Edit Config)',
    shape: 'chat',
    files: ['{applications}/Claude/claude_desktop_config.json'],
  },
  {
    client: 'claude-code',
    title: 'Claude Code',
    where: 'run in a terminal',
    shape: 'claude',
    files: ['{claude}/.claude.json'],
    project: ['.mcp.json'],
    elsewhere: ['{claude}/.claude.json#projects/*/mcpServers'],
  },
  {
    client: 'cursor',
    title: 'Cursor',
    where: '~/.cursor/mcp.json',
    shape: 'chat',
    files: ['~/.cursor/mcp.json'],
    project: ['.cursor/mcp.json'],
  },
  {
    client: 'vscode',
    title: 'VS Code',
    where: '.vscode/mcp.json (VS Code 1.99 or later)',
    shape: 'editor',
    files: [
      '{applications}/Code/User/mcp.json',
      '~/.var/app/com.visualstudio.code/config/Code/User/mcp.json',
      '~/.vscode-server/data/User/mcp.json',
    ],
    project: ['.vscode/mcp.json'],
    elsewhere: [
      '{applications}/Code/User/settings.json#mcp/servers',
      '~/.var/app/com.visualstudio.code/config/Code/User/settings.json#mcp/servers',
      '.vscode/settings.json#mcp/servers',
    ],
  },
  {
    client: 'vscode-insiders',
    title: 'VS Code Insiders',
    where: '.vscode/mcp.json',
    shape: 'editor',
    files: ['{applications}/Code - Insiders/User/mcp.json', '~/.vscode-server-insiders/data/User/mcp.json'],
    elsewhere: ['{applications}/Code - Insiders/User/settings.json#mcp/servers'],
  },
  {
    client: 'vscodium',
    title: 'VSCodium',
    where: '.vscode/mcp.json',
    shape: 'editor',
    files: ['{applications}/VSCodium/User/mcp.json', '~/.var/app/com.vscodium.codium/config/VSCodium/User/mcp.json'],
    elsewhere: ['{applications}/VSCodium/User/settings.json#mcp/servers'],
  },
  {
    client: 'continue',
    title: 'Continue',
    where: '.continue/mcpServers/sallyport.yaml',
    shape: 'continue',
    files: ['~/.continue/mcpServers/sallyport.yaml'],
    project: ['.continue/mcpServers/sallyport.yaml'],
    elsewhere: [
      '~/.continue/config.yaml#mcpServers',
      ...['~/.continue/mcpServers', '.continue/mcpServers'].flatMap(folder =>
        ['yaml', 'yml', 'json'].map(ending => `${folder}/*.${ending}#mcpServers`),
      ),
    ],
  },
  {
    client: 'zed',
    title: 'Zed',
    where: 'settings.json',
    shape: 'zed',
    files: ['{zed}/settings.json'],
    elsewhere: ['.zed/settings.json#context_servers'],
  },
  {
    client: 'goose',
    title: 'Goose',
    where: '~/.config/goose/config.yaml',
    shape: 'goose',
    files: ['{config}/goose/config.yaml'],
  },
  {
    client: 'windsurf',
    title: 'Windsurf',
    where: '~/.codeium/windsurf/mcp_config.json',
    shape: 'chat',
    files: ['~/.codeium/windsurf/mcp_config.json'],
  },
  {
    client: 'cline',
    title: 'Cline',
    where: 'cline_mcp_settings.json (MCP Servers > Configure)',
    shape: 'chat',
    files: [
      '~/.cline/data/settings/cline_mcp_settings.json',
      `{applications}/Code/User/globalStorage/${clineFile}`,
      `~/.vscode-server/data/User/globalStorage/${clineFile}`,
    ],
  },
  {
    client: 'codex',
    title: 'Codex',
    where: '~/.codex/config.toml',
    shape: 'codex',
    files: ['{codex}/config.toml'],
    project: ['.codex/config.toml'],
  },
  {
    client: 'gemini',
    title: 'Gemini CLI',
    where: '~/.gemini/settings.json',
    shape: 'chat',
    files: ['~/.gemini/settings.json'],
    project: ['.gemini/settings.json'],
  },
  {
    client: 'antigravity',
    title: 'Antigravity',
    where: '~/.gemini/config/mcp_config.json',
    shape: 'chat',
    files: ['~/.gemini/config/mcp_config.json', '~/.gemini/antigravity/mcp_config.json'],
    project: ['.agents/mcp_config.json'],
  },
  {
    client: 'jetbrains',
    title: 'JetBrains Junie',
    where: '~/.junie/mcp/mcp.json',
    shape: 'chat',
    files: ['~/.junie/mcp/mcp.json'],
    project: ['.junie/mcp/mcp.json'],
  },
  {
    client: 'opencode',
    title: 'opencode',
    where: '~/.config/opencode/opencode.json',
    shape: 'list',
    // It reads all of them; an existing one is kept.
    files: ['{config}/opencode/opencode.json', '{config}/opencode/opencode.jsonc', '{config}/opencode/config.json'],
    project: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
  },
  {
    client: 'amp',
    title: 'Amp',
    where: '~/.config/amp/settings.json',
    shape: 'amp',
    files: ['{config}/amp/settings.json'],
    project: ['.amp/settings.json'],
  },
  {
    client: 'lmstudio',
    title: 'LM Studio',
    where: 'mcp.json (Program > Install > Edit mcp.json)',
    shape: 'chat',
    files: ['~/.lmstudio/mcp.json'],
  },
  {
    client: 'copilot-cli',
    title: 'Copilot CLI',
    where: '~/.copilot/mcp-config.json',
    shape: 'copilot',
    files: ['~/.copilot/mcp-config.json'],
  },
  {
    client: 'kiro',
    title: 'Kiro',
    where: '~/.kiro/settings/mcp.json',
    shape: 'chat',
    files: ['~/.kiro/settings/mcp.json'],
    project: ['.kiro/settings/mcp.json'],
  },
  {
    client: 'amazon-q',
    title: 'Amazon Q',
    where: '~/.aws/amazonq/mcp.json',
    shape: 'chat',
    files: ['~/.aws/amazonq/mcp.json'],
    project: ['.amazonq/mcp.json'],
    // Agents of the editors, and agents of the command line.
    elsewhere: ['~/.aws/amazonq', '.amazonq'].flatMap(folder =>
      ['agents', 'cli-agents'].map(kind => `${folder}/${kind}/*.json#mcpServers`),
    ),
  },
  {
    client: 'droid',
    title: 'Droid',
    where: '~/.factory/mcp.json',
    shape: 'typed',
    files: ['~/.factory/mcp.json'],
    project: ['.factory/mcp.json'],
  },
  {
    client: 'qwen',
    title: 'Qwen Code',
    where: '~/.qwen/settings.json',
    shape: 'chat',
    files: ['~/.qwen/settings.json'],
    project: ['.qwen/settings.json'],
  },
  {
    client: 'crush',
    title: 'Crush',
    where: '~/.config/crush/crush.json',
    shape: 'crush',
    files: ['{config}/crush/crush.json'],
    project: ['.crush.json', 'crush.json'],
  },
  {
    client: 'kilo',
    title: 'Kilo Code',
    where: '~/.config/kilo/kilo.jsonc',
    shape: 'list',
    files: ['{config}/kilo/kilo.jsonc', '{config}/kilo/kilo.json'],
    project: ['kilo.jsonc', '.kilo/kilo.jsonc'],
    elsewhere: [
      '{applications}/Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json#mcpServers',
      '.kilocode/mcp.json#mcpServers',
    ],
  },
  { client: 'kimi', title: 'Kimi', where: '~/.kimi/mcp.json', shape: 'chat', files: ['~/.kimi/mcp.json'] },
  {
    client: 'auggie',
    title: 'Auggie',
    where: '~/.augment/settings.json',
    shape: 'chat',
    files: ['~/.augment/settings.json'],
  },
  {
    client: 'pi',
    title: 'Pi',
    where: '~/.pi/agent/mcp.json (with pi-mcp-adapter)',
    shape: 'chat',
    files: ['~/.pi/agent/mcp.json'],
    project: ['.pi/mcp.json'],
    elsewhere: ['{config}/mcp/mcp.json#mcpServers'],
  },
];

/** A client's name for people; the given name itself if the table has no such client. */
export function titleOf(client: string): string {
  return clients.find(known => known.client === client)?.title ?? client;
}
