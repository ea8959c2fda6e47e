/**
 * The configuration of an AI client that reaches Sallyport (spec §16): eight shapes that start the
 * bridge, two for HTTP, and each client's own form of HTTP from within a box. Only values and text;
 * reads and writes no client's file.
 *
 * The newer clients' own pages: Codex developers.openai.com/codex/mcp, Gemini CLI
 * geminicli.com/docs/tools/mcp-server, JetBrains Junie
 * jetbrains.com/help/junie/model-context-protocol-mcp.html, opencode opencode.ai/docs/mcp-servers,
 * Amp ampcode.com/manual, LM Studio lmstudio.ai/docs/app/mcp.
 */

import { isInNpxCache, npxBridge } from './npx.ts';

export interface ClientConfig {
  /** Its name for `sallyport connect`. */
  readonly client: string;
  /** Its name for people. */
  readonly title: string;
  /** The file for it, or what to do with it. */
  readonly where: string;
  readonly format: 'json' | 'yaml' | 'toml' | 'shell';
  /** For a person to paste. */
  readonly text: string;
  /** The same as an entry of the client's own file. */
  readonly entry: ClientEntry;
}

/** One entry of a client's file. */
export interface ClientEntry {
  readonly format: 'json' | 'yaml' | 'toml';
  /** The top-level key of the map or list that holds it. */
  readonly under: string;
  /** `member`: of a map, by its name. `item`: of a list, with its name inside. */
  readonly kind: 'member' | 'item';
  readonly name: string;
  readonly value: EntryValue;
  /** The first lines of a file made for it. */
  readonly head: readonly string[];
}

export type EntryValue = Readonly<
  Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>>>
>;

const serverName = 'sallyport';

/** Placeholder if no token was minted. */
export const tokenWords = '<a token of `sallyport tokens mint`>';

/** How many seconds a command-line agent waits for a call (spec §16). */
const agentTimeoutSeconds = 300;

interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

interface StdioShape {
  entry(started: Started): ClientEntry;
  /** For pasting, if it isn't the entry. @param home as `stdioConfigs` takes it. */
  pasted?(started: Started, home: string | null): string;
  /** The member for environment variables, if it isn't `env`. */
  readonly environmentKey?: string;
}

const json = (under: string, value: EntryValue): ClientEntry => ({
  format: 'json',
  kind: 'member',
  name: serverName,
  head: [],
  under,
  value,
});

/** Most clients need no `args` if the list is empty. */
const startedBy = ({ command, args }: Started): EntryValue => (args.length === 0 ? { command } : { command, args });

const chatClient: StdioShape = { entry: started => json('mcpServers', startedBy(started)) };
const editor: StdioShape = { entry: started => json('servers', { type: 'stdio', ...startedBy(started) }) };
const codeEditor: StdioShape = { entry: ({ command, args }) => json('context_servers', { command, args }) };
const assistantExtension: StdioShape = {
  entry: started => ({
    format: 'yaml',
    under: 'mcpServers',
    kind: 'item',
    name: serverName,
    value: { name: serverName, type: 'stdio', ...startedBy(started) },
    head: ['name: Sallyport', 'version: 0.0.1', 'schema: v1'],
  }),
};
const commandLineAgent: StdioShape = {
  entry: ({ command: cmd, args }) => ({
    format: 'yaml',
    under: 'extensions',
    kind: 'member',
    name: serverName,
    head: [],
    value: { name: serverName, type: 'stdio', cmd, args, enabled: true, timeout: agentTimeoutSeconds },
  }),
  environmentKey: 'envs',
};
const tableAgent: StdioShape = {
  entry: started => ({
    format: 'toml',
    under: 'mcp_servers',
    kind: 'member',
    name: serverName,
    head: [],
    value: startedBy(started),
  }),
};
/** One list holds the command and its arguments. */
const listAgent: StdioShape = {
  entry: ({ command, args }) => json('mcp', { type: 'local', command: [command, ...args], enabled: true }),
  environmentKey: 'environment',
};
/** The key is one word that has a dot in it, not a path. */
const dottedAgent: StdioShape = { entry: started => json('amp.mcpServers', startedBy(started)) };
/** `claude mcp add --scope user` writes its file. */
const terminalAgent: StdioShape = {
  entry: ({ command, args }) => json('mcpServers', { type: 'stdio', command, args, env: {} }),
  pasted: ({ command, args }, home) => {
    const environment = home === null ? '' : ` --env ${shellWord(`SALLYPORT_HOME=${home}`)}`;
    return `claude mcp add ${serverName}${environment} -- ${[command, ...args].map(shellWord).join(' ')}`;
  },
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
  { client: 'vscode', title: 'VS Code', where: '.vscode/mcp.json (VS Code 1.99 or later)', shape: editor },
  { client: 'continue', title: 'Continue', where: '.continue/mcpServers/sallyport.yaml', shape: assistantExtension },
  { client: 'zed', title: 'Zed', where: 'settings.json', shape: codeEditor },
  { client: 'goose', title: 'Goose', where: '~/.config/goose/config.yaml', shape: commandLineAgent },
  { client: 'windsurf', title: 'Windsurf', where: '~/.codeium/windsurf/mcp_config.json', shape: chatClient },
  { client: 'cline', title: 'Cline', where: 'cline_mcp_settings.json (MCP Servers > Configure)', shape: chatClient },
  { client: 'codex', title: 'Codex', where: '~/.codex/config.toml', shape: tableAgent },
  { client: 'gemini', title: 'Gemini CLI', where: '~/.gemini/settings.json', shape: chatClient },
  { client: 'jetbrains', title: 'JetBrains Junie', where: '~/.junie/mcp/mcp.json', shape: chatClient },
  { client: 'opencode', title: 'opencode', where: '~/.config/opencode/opencode.json', shape: listAgent },
  { client: 'amp', title: 'Amp', where: '~/.config/amp/settings.json', shape: dottedAgent },
  { client: 'lmstudio', title: 'LM Studio', where: 'mcp.json (Program > Install > Edit mcp.json)', shape: chatClient },
];

/** A client's name for people, if it starts the bridge. */
export function titleOf(client: string): string {
  return stdioClients.find(known => known.client === client)?.title ?? client;
}

/**
 * @param bridgePath the absolute path of this install's `sallyport-mcp`. If npx runs this install,
 *   clients start the bridge through npx.
 * @param home if it isn't the usual one: the bridge learns it from its entry, not from its client's
 *   environment.
 */
export function stdioConfigs(bridgePath: string, home: string | null = null): readonly ClientConfig[] {
  return configsStarting(isInNpxCache(bridgePath) ? npxBridge : { command: bridgePath, args: [] }, home);
}

/** The entry of a client in a box: socat connects it to the socket, which speaks MCP's lines. */
export function boxConfigs(socket: string): readonly ClientConfig[] {
  return configsStarting({ command: 'socat', args: ['-', `UNIX-CONNECT:${socket}`] }, null);
}

/** What holds the token of a box, in its file and in the environment of a client inside. */
export const tokenVariable = 'SALLYPORT_TOKEN';

/**
 * As each client names a variable in a header, by its own documentation. What isn't here reads
 * none.
 */
const headersInside: Readonly<Record<string, (url: string) => ClientEntry>> = {
  'claude-code': url => json('mcpServers', { type: 'http', url, ...bearer(`\${${tokenVariable}}`) }),
  cursor: url => json('mcpServers', { url, ...bearer(`\${env:${tokenVariable}}`) }),
  vscode: url => json('servers', { type: 'http', url, ...bearer(`\${env:${tokenVariable}}`) }),
  goose: uri => ({
    format: 'yaml',
    under: 'extensions',
    kind: 'member',
    name: serverName,
    head: [],
    value: {
      name: serverName,
      type: 'streamable_http',
      uri,
      ...bearer(`\${${tokenVariable}}`),
      env_keys: [tokenVariable],
      enabled: true,
      timeout: agentTimeoutSeconds,
    },
  }),
  windsurf: serverUrl => json('mcpServers', { serverUrl, ...bearer(`\${env:${tokenVariable}}`) }),
  codex: url => ({
    format: 'toml',
    under: 'mcp_servers',
    kind: 'member',
    name: serverName,
    head: [],
    value: { url, bearer_token_env_var: tokenVariable },
  }),
  gemini: httpUrl => json('mcpServers', { httpUrl, ...bearer(`$${tokenVariable}`) }),
  opencode: url => json('mcp', { type: 'remote', url, ...bearer(`{env:${tokenVariable}}`), enabled: true }),
  amp: url => json('amp.mcpServers', { url, ...bearer(`\${${tokenVariable}}`) }),
};

/** For a client in a box with a token: a container's name of this machine, and no secret. */
export function boxTokenConfigs(port: number): readonly ClientConfig[] {
  const url = `http://host.docker.internal:${port}/mcp`;
  const header = shellWord(`Authorization: Bearer \${${tokenVariable}}`);
  const typed = `claude mcp add --scope project --transport http ${serverName} ${url} --header ${header}`;
  return stdioClients.flatMap(({ shape: _, ...client }): readonly ClientConfig[] => {
    const entry = headersInside[client.client]?.(url);
    if (entry === undefined) return [];
    if (client.client === 'claude-code') return [{ ...client, format: 'shell', text: typed, entry }];
    return [{ ...client, format: entry.format, text: entryText(entry), entry }];
  });
}

function bearer(token: string) {
  return { headers: { Authorization: `Bearer ${token}` } };
}

function configsStarting(started: Started, home: string | null): readonly ClientConfig[] {
  return stdioClients.map(({ shape, ...client }) => {
    const usual = shape.entry(started);
    const environment = home === null ? {} : { [shape.environmentKey ?? 'env']: { SALLYPORT_HOME: home } };
    const entry: ClientEntry = { ...usual, value: { ...usual.value, ...environment } };
    if (shape.pasted !== undefined) return { ...client, format: 'shell', text: shape.pasted(started, home), entry };
    return { ...client, format: entry.format, text: entryText(entry), entry };
  });
}

/** @param token a minted token, or a placeholder for one. */
export function httpConfigs(port: number, token: string): readonly [plain: ClientConfig, typed: ClientConfig] {
  const server = { url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: `Bearer ${token}` } };
  const config = (title: string, value: EntryValue): ClientConfig => {
    const entry = json('mcpServers', value);
    const where = "the client's MCP configuration";
    return { client: 'http', title, where, format: 'json', text: entryText(entry), entry };
  };
  return [
    config('HTTP', server),
    config('HTTP, where the client wants a type', { type: 'streamable-http', ...server }),
  ];
}

/** A whole file that holds only the entry, without a line feed at its end. */
export function entryText({ format, under, kind, name, value, head }: ClientEntry): string {
  if (format === 'json') return JSON.stringify({ [under]: { [name]: value } }, null, 2);
  if (format === 'toml') return tableLines(under, name, value).join('\n');
  return [...head, `${under}:`, ...entryLines(kind, name, value).map(line => `  ${line}`)].join('\n');
}

/** An entry of a YAML file, unindented. */
export function entryLines(kind: ClientEntry['kind'], name: string, value: EntryValue): string[] {
  const members = Object.entries(value).map(([key, member]) => `${key}: ${yamlText(member)}`);
  if (kind === 'member') return [`${name}:`, ...members.map(line => `  ${line}`)];
  return members.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

/** A table of a TOML file. */
function tableLines(under: string, name: string, value: EntryValue): string[] {
  return [`[${under}.${name}]`, ...Object.entries(value).map(([key, member]) => `${key} = ${tomlText(member)}`)];
}

/** JSON quotes like a basic string of TOML, except for one character that TOML wants escaped. */
export function tomlText(value: EntryValue[string]): string {
  if (typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
  return `{ ${Object.entries(value)
    .map(([key, member]) => `${key} = ${tomlText(member)}`)
    .join(', ')} }`;
}

/** JSON quotes like YAML's double-quoted style; a plain word needs no quotes. */
export function yamlText(value: EntryValue[string]): string {
  return typeof value === 'string' && /^[a-z]+$/.test(value) ? value : JSON.stringify(value);
}

/** Unchanged if a shell leaves it alone, otherwise single-quoted. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_/.+@%:=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
