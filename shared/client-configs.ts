/**
 * The configuration of an AI client that reaches Sallyport (spec §16): the shapes that start the
 * bridge, two for HTTP, and each client's own form of HTTP from within a box. This makes values and
 * text; it reads and writes no client's file.
 */

import { clients, type ShapeName } from './clients.ts';
import { npxBridge, npxPackage } from './npx.ts';

export interface ClientConfig {
  /** Its name for `sallyport connect`. */
  readonly client: string;
  /** Its name for people. */
  readonly title: string;
  /** The file for its entry, or what to do with the entry. */
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
  /** The keys that lead to the map or list that holds it. In YAML, and for a list, there is one. */
  readonly under: readonly string[];
  /** A `member` of a map has its name as key; an `item` of a list has its name inside. */
  readonly kind: 'member' | 'item';
  readonly name: string;
  readonly value: EntryValue;
  /** The first lines of a file made for it. */
  readonly head: readonly string[];
}

export type EntryValue = Readonly<
  Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>>>
>;

export const serverName = 'sallyport';

/** What stands for the token if none was minted. */
export const tokenWords = '<a token of `sallyport tokens mint`>';

/** How many seconds a command-line agent waits for a call (spec §16). */
const agentTimeoutSeconds = 300;

interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

interface StdioShape {
  entry(started: Started): ClientEntry;
  /** What a person pastes, if it isn't the entry. @param home as `stdioConfigs` takes it. */
  pasted?(started: Started, home: string | null): string;
  /** The entry's key for environment variables, if it isn't `env`. */
  readonly environmentKey?: string;
}

const json = (under: string, value: EntryValue): ClientEntry => ({
  format: 'json',
  kind: 'member',
  name: serverName,
  head: [],
  under: [under],
  value,
});

/** Most clients need no `args` if the list is empty. */
const startedBy = ({ command, args }: Started): EntryValue => (args.length === 0 ? { command } : { command, args });

const shapes: Readonly<Record<ShapeName, StdioShape>> = {
  chat: { entry: started => json('mcpServers', startedBy(started)) },
  typed: { entry: started => json('mcpServers', { type: 'stdio', ...startedBy(started) }) },
  editor: { entry: started => json('servers', { type: 'stdio', ...startedBy(started) }) },
  zed: { entry: ({ command, args }) => json('context_servers', { command, args }) },
  crush: { entry: started => json('mcp', { type: 'stdio', ...startedBy(started) }) },
  /** This client's entry lists which tools of the server may be used. */
  copilot: { entry: ({ command, args }) => json('mcpServers', { type: 'local', command, args, tools: ['*'] }) },
  continue: {
    entry: started => ({
      format: 'yaml',
      under: ['mcpServers'],
      kind: 'item',
      name: serverName,
      value: { name: serverName, type: 'stdio', ...startedBy(started) },
      head: ['name: Sallyport', 'version: 0.0.1', 'schema: v1'],
    }),
  },
  goose: {
    entry: ({ command: cmd, args }) => ({
      format: 'yaml',
      under: ['extensions'],
      kind: 'member',
      name: serverName,
      head: [],
      value: { name: serverName, type: 'stdio', cmd, args, enabled: true, timeout: agentTimeoutSeconds },
    }),
    environmentKey: 'envs',
  },
  codex: {
    entry: started => ({
      format: 'toml',
      under: ['mcp_servers'],
      kind: 'member',
      name: serverName,
      head: [],
      value: startedBy(started),
    }),
  },
  /** One list holds the command and its arguments. */
  list: {
    entry: ({ command, args }) => json('mcp', { type: 'local', command: [command, ...args], enabled: true }),
    environmentKey: 'environment',
  },
  /** The key is one word that has a dot in it, not a path. */
  amp: { entry: started => json('amp.mcpServers', startedBy(started)) },
  /** The entry is what `claude mcp add --scope user` writes into the client's file. */
  claude: {
    entry: ({ command, args }) => json('mcpServers', { type: 'stdio', command, args, env: {} }),
    pasted: ({ command, args }, home) => {
      const environment = home === null ? '' : ` --env ${shellWord(`SALLYPORT_HOME=${home}`)}`;
      return `claude mcp add ${serverName}${environment} -- ${[command, ...args].map(shellWord).join(' ')}`;
    },
  },
};

/** The format of a client's files, and the key of its servers there. */
export function placeOfServers(shape: ShapeName): Pick<ClientEntry, 'format' | 'kind' | 'under'> {
  return shapes[shape].entry({ command: '', args: [] });
}

/**
 * The configurations of all clients that start the bridge.
 * @param bridgePath the absolute path of this install's `sallyport-mcp`. If npx runs this install,
 *   clients start the bridge through npx.
 * @param home null for the usual home. The bridge learns another from its entry, not from its
 *   client's environment.
 */
export function stdioConfigs(bridgePath: string, home: string | null = null): readonly ClientConfig[] {
  return configsStarting(startOf(bridgePath), home);
}

function startOf(bridgePath: string): Started {
  const spec = npxPackage(bridgePath);
  return spec === null ? { command: bridgePath, args: [] } : npxBridge(spec);
}

/**
 * The configuration of any other client that starts what a JSON file names.
 * @param under keys that lead to the map of servers.
 */
export function jsonConfig(bridgePath: string, home: string | null, under: readonly string[]): ClientConfig {
  const started = startOf(bridgePath);
  const environment = home === null ? {} : { env: { SALLYPORT_HOME: home } };
  const entry: ClientEntry = { ...json('', { ...startedBy(started), ...environment }), under };
  return { client: 'json', title: 'Your client', where: 'its file', format: 'json', text: entryText(entry), entry };
}

/** The clients' configurations in a box: socat connects them to its socket, which speaks MCP. */
export function boxConfigs(socket: string): readonly ClientConfig[] {
  return configsStarting({ command: 'socat', args: ['-', `UNIX-CONNECT:${socket}`] }, null);
}

/**
 * The clients' configurations on Windows: `wsl.exe` starts the bridge, without a shell. Windows'
 * variables don't reach Linux, so a home is among the arguments.
 */
export function wslConfigs(distribution: string, bridgePath: string, home: string | null): readonly ClientConfig[] {
  const named = home === null ? [] : ['/usr/bin/env', `SALLYPORT_HOME=${home}`];
  return configsStarting({ command: 'wsl.exe', args: ['-d', distribution, '-e', ...named, bridgePath] }, null);
}

/** The variable with a box's token, in the box's file and in the environment of a client inside. */
export const tokenVariable = 'SALLYPORT_TOKEN';

/**
 * The entries for HTTP from within a box. Each names the token's variable as its client's own
 * documentation says. A client that isn't here reads no variable in a header.
 */
const headersInside: Readonly<Record<string, (url: string) => ClientEntry>> = {
  'claude-code': url => json('mcpServers', { type: 'http', url, ...bearer(`\${${tokenVariable}}`) }),
  cursor: url => json('mcpServers', { url, ...bearer(`\${env:${tokenVariable}}`) }),
  vscode: url => json('servers', { type: 'http', url, ...bearer(`\${env:${tokenVariable}}`) }),
  goose: uri => ({
    format: 'yaml',
    under: ['extensions'],
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
    under: ['mcp_servers'],
    kind: 'member',
    name: serverName,
    head: [],
    value: { url, bearer_token_env_var: tokenVariable },
  }),
  gemini: httpUrl => json('mcpServers', { httpUrl, ...bearer(`$${tokenVariable}`) }),
  opencode: url => json('mcp', { type: 'remote', url, ...bearer(`{env:${tokenVariable}}`), enabled: true }),
  amp: url => json('amp.mcpServers', { url, ...bearer(`\${${tokenVariable}}`) }),
};

/**
 * The clients' configurations in a box with a token. The URL has a container's name for this
 * machine, and there is no secret in it.
 */
export function boxTokenConfigs(port: number): readonly ClientConfig[] {
  const url = `http://host.docker.internal:${port}/mcp`;
  const header = shellWord(`Authorization: Bearer \${${tokenVariable}}`);
  const typed = `claude mcp add --scope project --transport http ${serverName} ${url} --header ${header}`;
  return clients.flatMap(({ client: name, title, where }): readonly ClientConfig[] => {
    const entry = headersInside[name]?.(url);
    const client = { client: name, title, where };
    if (entry === undefined) return [];
    if (name === 'claude-code') return [{ ...client, format: 'shell', text: typed, entry }];
    return [{ ...client, format: entry.format, text: entryText(entry), entry }];
  });
}

function bearer(token: string) {
  return { headers: { Authorization: `Bearer ${token}` } };
}

function configsStarting(started: Started, home: string | null): readonly ClientConfig[] {
  return clients.map(({ shape: shapeName, client: name, title, where }) => {
    const [shape, client] = [shapes[shapeName], { client: name, title, where }];
    const usual = shape.entry(started);
    const environment = home === null ? {} : { [shape.environmentKey ?? 'env']: { SALLYPORT_HOME: home } };
    const entry: ClientEntry = { ...usual, value: { ...usual.value, ...environment } };
    if (shape.pasted !== undefined) return { ...client, format: 'shell', text: shape.pasted(started, home), entry };
    return { ...client, format: entry.format, text: entryText(entry), entry };
  });
}

/** Two configurations for a client that speaks HTTP. @param token a minted one, or `tokenWords`. */
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
  if (format === 'json') return JSON.stringify(within(under, { [name]: value }), null, 2);
  if (format === 'toml') return tableLines([...under, name], value).join('\n');
  return [...head, `${under[0]}:`, ...entryLines(kind, name, value).map(line => `  ${line}`)].join('\n');
}

/** `{ mcp: { servers: value } }` of `['mcp', 'servers']`. */
export function within(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/** An entry of a YAML file, unindented. */
export function entryLines(kind: ClientEntry['kind'], name: string, value: EntryValue): string[] {
  const members = Object.entries(value).map(([key, member]) => `${key}: ${yamlText(member)}`);
  if (kind === 'member') return [`${name}:`, ...members.map(line => `  ${line}`)];
  return members.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

/** A table of a TOML file. */
function tableLines(path: readonly string[], value: EntryValue): string[] {
  const header = path.map(key => (/^[\w-]+$/.test(key) ? key : tomlText(key))).join('.');
  return [`[${header}]`, ...Object.entries(value).map(([key, member]) => `${key} = ${tomlText(member)}`)];
}

/** A value of TOML. JSON quotes like its basic strings, but for one character that TOML escapes. */
export function tomlText(value: EntryValue[string]): string {
  if (typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
  return `{ ${Object.entries(value)
    .map(([key, member]) => `${key} = ${tomlText(member)}`)
    .join(', ')} }`;
}

/** A value of YAML. JSON quotes like its double-quoted style; a plain word needs no quotes. */
export function yamlText(value: EntryValue[string]): string {
  return typeof value === 'string' && /^[a-z]+$/.test(value) ? value : JSON.stringify(value);
}

/** A text as one word of a shell: unchanged if a shell leaves it alone, otherwise single-quoted. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_/.+@%:=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
