/**
 * What a person pastes into an AI client so that it reaches Sallyport (FD §4.7, SPEC §16): six shapes that start the bridge
 * and two that speak HTTP. Only text; writes no client's file.
 */

export interface ClientConfig {
  /** As `sallyport connect` names it. */
  readonly client: string;
  /** As people call it. */
  readonly title: string;
  /** The file it belongs in, or what to do with it. */
  readonly where: string;
  readonly format: 'json' | 'yaml' | 'shell';
  readonly text: string;
}

const serverName = 'sallyport';

/** Seconds a command-line agent waits for a call (FD §4.7). */
const agentTimeoutSeconds = 300;

type StdioShape = Pick<ClientConfig, 'format'> & { readonly text: (bridgePath: string) => string };

const chatClient: StdioShape = {
  format: 'json',
  text: command => json({ mcpServers: { [serverName]: { command } } }),
};
const editor: StdioShape = {
  format: 'json',
  text: command => json({ servers: { [serverName]: { type: 'stdio', command } } }),
};
const assistantExtension: StdioShape = {
  format: 'yaml',
  text: command =>
    [
      'name: Sallyport',
      'version: 0.0.1',
      'schema: v1',
      'mcpServers:',
      `  - name: ${serverName}`,
      '    type: stdio',
      `    command: ${yamlText(command)}`,
    ].join('\n'),
};
const codeEditor: StdioShape = {
  format: 'json',
  text: command => json({ context_servers: { [serverName]: { command, args: [] } } }),
};
const commandLineAgent: StdioShape = {
  format: 'yaml',
  text: cmd =>
    [
      'extensions:',
      `  ${serverName}:`,
      `    name: ${serverName}`,
      '    type: stdio',
      `    cmd: ${yamlText(cmd)}`,
      '    args: []',
      '    enabled: true',
      `    timeout: ${agentTimeoutSeconds}`,
    ].join('\n'),
};
const terminalAgent: StdioShape = {
  format: 'shell',
  text: command => `claude mcp add ${serverName} -- ${shellWord(command)}`,
};

const stdioClients: readonly (Pick<ClientConfig, 'client' | 'title' | 'where'> & { readonly shape: StdioShape })[] = [
  {
    client: 'claude-desktop',
    title: 'Claude Desktop',
    where: 'claude_desktop_config.json (Settings > Developer > Edit Config)',
    shape: chatClient,
  },
  { client: 'claude-code', title: 'Claude Code', where: 'run in a terminal', shape: terminalAgent },
  { client: 'cursor', title: 'Cursor', where: '~/.cursor/mcp.json', shape: chatClient },
  { client: 'vscode', title: 'VS Code', where: '.vscode/mcp.json', shape: editor },
  { client: 'continue', title: 'Continue', where: '.continue/mcpServers/sallyport.yaml', shape: assistantExtension },
  { client: 'zed', title: 'Zed', where: 'settings.json', shape: codeEditor },
  { client: 'goose', title: 'Goose', where: '~/.config/goose/config.yaml', shape: commandLineAgent },
  { client: 'windsurf', title: 'Windsurf', where: '~/.codeium/windsurf/mcp_config.json', shape: chatClient },
  { client: 'cline', title: 'Cline', where: 'cline_mcp_settings.json (MCP Servers > Configure)', shape: chatClient },
];

/** @param bridgePath the absolute path of this install's `sallyport-mcp`. */
export function stdioConfigs(bridgePath: string): readonly ClientConfig[] {
  return stdioClients.map(({ shape, ...client }) => ({
    ...client,
    format: shape.format,
    text: shape.text(bridgePath),
  }));
}

/** @param token a minted token, or words that stand for one. */
export function httpConfigs(port: number, token: string): readonly ClientConfig[] {
  const url = `http://127.0.0.1:${port}/mcp`;
  const headers = { Authorization: `Bearer ${token}` };
  const entry = (server: Record<string, unknown>) => json({ mcpServers: { [serverName]: server } });
  return [
    {
      client: 'http',
      title: 'HTTP',
      where: "the client's MCP configuration",
      format: 'json',
      text: entry({ url, headers }),
    },
    {
      client: 'http',
      title: 'HTTP, where the client wants a type',
      where: "the client's MCP configuration",
      format: 'json',
      text: entry({ type: 'streamable-http', url, headers }),
    },
  ];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** JSON's quoting is YAML's double-quoted style. */
function yamlText(text: string): string {
  return JSON.stringify(text);
}

/** As it is where no shell would touch it, else single-quoted. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_/.+@%:=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
