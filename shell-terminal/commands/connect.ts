/**
 * `sallyport connect CLIENT`: prints the configuration a client needs to reach Sallyport, or writes
 * it into the client's file (spec §16).
 */

import { resolve } from 'node:path';
import {
  boxConfigs,
  boxTokenConfigs,
  type ClientConfig,
  jsonConfig,
  shellWord,
  stdioConfigs,
  tokenVariable,
} from '../../shared/client-configs.ts';
import { projectFile } from '../../shared/client-files.ts';
import { clients, titleOf } from '../../shared/clients.ts';
import type { BoxView } from '../../shared/control-commands.ts';
import { bridgeCalled } from '../../shared/install.ts';
import { namedHome } from '../../shared/locations.ts';
import { nearestWord } from '../../shared/nearest-word.ts';
import { npxPackage } from '../../shared/npx.ts';
import { boxNamed } from '../boxes/box-named.ts';
import { failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { adviceFor } from '../connect/advice.ts';
import { showClientsHere } from '../connect/clients-here.ts';
import { connectHttp, type HttpOptions, httpOptions, portOf, refuseHttpOptions, tellPort } from '../connect/http.ts';
import { printRemoved, printWritten } from '../connect/show.ts';
import { usualFile } from '../connect/usual-file.ts';
import { withDaemon } from '../daemon.ts';
import type { OtherServer } from '../past/entries.ts';
import { runningDaemon } from '../starting.ts';
import { print, printJson, remark, type Terminal } from '../terminal.ts';

export const connectCommand = command(
  {
    words: 'connect',
    arguments: ['[CLIENT]'],
    about: 'List the AI clients here, or set one of them up',
    details: [
      `CLIENT is ${clients.map(({ client }) => client).join(', ')}: these start the bridge.`,
      'json is any other client with a JSON file that starts programs (--file FILE), http',
      "any client that speaks HTTP. Alone it prints the entry for the client's file.",
      '--write and --remove keep the rest of the file byte for byte, and make a backup.',
      'On a terminal --write offers to take over servers that reach a database past',
      'Sallyport: their databases are saved, and they are taken out of the file.',
      '--skill writes a skill for claude-code, codex, gemini or opencode: that the agent',
      'asks databases through Sallyport, and looks for no passwords. For others --project',
      'writes it into AGENTS.md.',
    ],
    options: {
      all: { type: 'boolean', about: 'with --write or --remove: every client here' },
      write: { type: 'boolean', about: "add the entry to the client's file" },
      remove: { type: 'boolean', about: "remove the entry from the client's file" },
      project: { type: 'boolean', about: "use the file of this folder's project" },
      file: { type: 'string', value: 'FILE', about: 'use this file, not the usual one (http needs it)' },
      take: {
        type: 'string',
        multiple: true,
        value: 'NAME',
        about: 'take over this server of the client: save its database, take it out',
      },
      under: { type: 'string', value: 'KEY', about: 'json: the key of the map of servers (mcpServers), or KEY/KEY' },
      skill: {
        type: 'boolean',
        about: 'tell the agent how to use databases here: a skill, or with --project AGENTS.md',
      },
      box: { type: 'string', value: 'NAME', about: 'for a client inside this box (`sallyport boxes`)' },
      wsl: { type: 'boolean', about: 'inside WSL: for the client on Windows' },
      ...httpOptions,
    },
  },
  async ({ terminal, arguments: [typed], options, json }) => {
    if (options.all) {
      if (typed !== undefined) throw misuse('--all means every client; leave the name out.');
      const others = Object.keys(options).filter(name => !['all', 'write', 'remove', 'json'].includes(name));
      if (others.length > 0) throw misuse(`Use --all only with --write or --remove, not with --${others[0]}.`);
      if ((options.write ?? false) === (options.remove ?? false)) throw misuse('--all needs --write or --remove.');
      const { changeAll } = await import('../connect/all.ts');
      if (options.write) tellNpx(terminal, bridgeOf(terminal));
      return changeAll(terminal, bridgeOf(terminal), options.write ? 'write' : 'remove', json);
    }
    if (typed === undefined) {
      const given = Object.keys(options).find(name => name !== 'json');
      if (given !== undefined)
        throw misuse(
          `--${given} needs the name of a client${given === 'write' || given === 'remove' ? ', or --all' : ''}.`,
        );
      return showClientsHere(terminal, bridgeOf(terminal), json);
    }
    if (options.skill) {
      const others = Object.keys(options).filter(
        name => !['skill', 'write', 'remove', 'project', 'json'].includes(name),
      );
      if (others.length > 0) throw misuse(`Use --skill with --remove and --project only, not with --${others[0]}.`);
      const { changeSkill } = await import('../skill/change.ts');
      const { client, title } = configOf(clientMeant(typed), await configsFor(terminal, null), null);
      return changeSkill(terminal, { client, title }, { ...options, json });
    }
    const changes = options.write || options.remove || options.project;
    if (options.write && options.remove) throw misuse('Use --write or --remove, not both.');
    if (options.file !== undefined && options.project) throw misuse('Use --file or --project, not both.');
    const client = clientMeant(typed);
    const isJson = client === 'json';
    if (options.file !== undefined && !changes && options.take === undefined && !isJson)
      throw misuse('--file needs --write, --remove or --take.');
    if (options.file === '') throw misuse('--file needs the path of a file.');
    const file = options.file === undefined ? null : resolve(terminal.cwd, options.file);
    if (options.wsl && (isJson || client === 'http' || options.box !== undefined || options.project || options.take))
      throw misuse('--wsl needs the name of a client, and goes with --write, --remove and --file alone.');
    if (client === 'http') {
      if (options.remove || options.project)
        throw misuse('--remove and --project need the name of a client, not http.');
      if (options.box !== undefined) throw misuse('--box needs the name of a client, not http.');
      return connectHttp(terminal, options as HttpOptions, file, json);
    }
    if (options.box !== undefined && file === null && (options.write || options.remove || options.project))
      throw misuse(
        '--box goes with --write or --remove alone, and --file FILE: the file that the client in the box reads.',
      );
    const isOnWindows = options.wsl ?? false;
    const box = options.box === undefined ? null : await boxNamed(terminal, options.box);
    if (options.under !== undefined && !isJson) throw misuse('--under goes with `connect json`.');
    if (isJson && (box !== null || options.project || options.take))
      throw misuse('json goes with --write and --remove alone.');
    if (isJson && changes && file === null) throw misuse('Name the file of your client with --file FILE.');
    const config = isJson
      ? ofAnyClient(terminal, options.under)
      : configOf(client, await configsFor(terminal, box, isOnWindows), box);
    refuseHttpOptions(options as HttpOptions);
    if (typed.toLowerCase() === 'claude') remark(terminal, 'claude is Claude Code; claude-desktop is the desktop app.');
    if (options.take !== undefined) {
      if (changes) throw misuse('Use --take without --write, --remove or --project.');
      if (box !== null) throw misuse('--take is not for a client in a box.');
      return takeNamed(terminal, client, file, options.take, json);
    }
    const path = file ?? (isJson ? 'its file' : await fileOf(terminal, config, options));
    if (!options.remove && box === null) tellNpx(terminal, bridgeOf(terminal));
    if (!changes && box !== null) return showForBox(terminal, config, box, json);
    const named = isJson ? wordsOfJson(options) : `${client}${isOnWindows ? ' --wsl' : ''}`;
    if (!changes) return show(terminal, config, path, named, json);
    // Loaded on demand: the parsers would add a third to every command's start.
    if (options.remove) {
      const { removeEntry } = await import('../connect/remove-entry.ts');
      return printRemoved(terminal, config, removeEntry(path, config.entry), json);
    }
    const { writeBoxToken, writeBridge } = await import('../connect/write-entry.ts');
    const isHere = box === null && !isOnWindows;
    const isToken = box !== null && box.tokenFile !== null;
    const written = isToken
      ? writeBoxToken(path, config.entry)
      : writeBridge(path, config.entry, isHere ? bridgeOf(terminal) : null);
    const past = isHere ? await pastOf(terminal, client) : [];
    const { notLoadedHere } = await import('../connect/loaded-here.ts');
    const { lookingFrom } = await import('../past/entries.ts');
    const shutOut = isHere ? notLoadedHere(client, options.project === true, lookingFrom(terminal)) : [];
    const shown = options.project ? { ...written, madeFolder: null } : written;
    printWritten(terminal, config, shown, { past, shutOut }, json);
    if (isToken && !json) remark(terminal, tokenAdvice(box));
    if (json || past.length === 0 || !terminal.stdin.isTTY) return;
    const { offerTakeovers } = await import('../past/offer.ts');
    await runningDaemon(terminal);
    await offerTakeovers(terminal, bridgeOf(terminal), past);
  },
);

/**
 * The configuration for any client with a JSON file.
 * @param under keys that lead to the map of servers, with a / between them.
 * @throws CliError
 */
function ofAnyClient(terminal: Terminal, under = 'mcpServers'): ClientConfig {
  const keys = under.split('/');
  if (keys.some(key => key === '')) throw misuse('--under needs a key, or keys with a / between them.');
  return jsonConfig(bridgeOf(terminal), namedHome(terminal.environment), keys);
}

/** The client's servers that reach a database past Sallyport. */
async function pastOf(terminal: Terminal, client: string): Promise<readonly OtherServer[]> {
  const { lookingFrom, otherServers } = await import('../past/entries.ts');
  return otherServers(lookingFrom(terminal)).filter(server => server.client === client);
}

/**
 * Takes over the client's servers with these names.
 * @param file the client's file that they must be in; null for any of its files.
 * @throws CliError
 */
async function takeNamed(
  terminal: Terminal,
  client: string,
  file: string | null,
  names: readonly string[],
  json: boolean,
): Promise<void> {
  const { realPath } = await import('../past/entries.ts');
  const { takeUnasked } = await import('../past/take-unasked.ts');
  const servers = (await pastOf(terminal, client)).filter(({ path }) => file === null || path === realPath(file));
  await takeUnasked(terminal, bridgeOf(terminal), servers, names, json);
}

/**
 * The path of the file that the client reads, or words for it if it is only shown and not found.
 * @throws CliError
 */
async function fileOf(
  terminal: Terminal,
  config: ClientConfig,
  options: { readonly project?: boolean; readonly wsl?: boolean; readonly write?: boolean; readonly remove?: boolean },
): Promise<string> {
  if (options.project) return fileOfProject(terminal, config);
  if (!options.wsl) return usualFile(terminal, config.client);
  const { windowsFile } = await import('../connect/windows.ts');
  const found = windowsFile(terminal, config.client);
  if (typeof found === 'string') return found;
  if (options.write || options.remove) throw found;
  return 'its file on Windows';
}

/** @throws CliError */
function fileOfProject({ cwd }: Terminal, { client, title }: ClientConfig): string {
  const path = projectFile(client);
  if (path === null) throw misuse(`${title} has no file for one project; leave out --project.`);
  return resolve(cwd, path);
}

/**
 * The configurations of all clients that can be set up in this place.
 * @param box the box that the client runs in; null for none.
 * @throws CliError
 */
async function configsFor(
  terminal: Terminal,
  box: BoxView | null,
  isOnWindows = false,
): Promise<readonly ClientConfig[]> {
  if (isOnWindows) return (await import('../connect/windows.ts')).windowsConfigs(terminal, bridgeOf(terminal));
  if (box === null) return stdioConfigs(bridgeOf(terminal), namedHome(terminal.environment));
  if (box.socket !== null) return boxConfigs(box.socket);
  if (box.tokenFile === null)
    throw failed(`The box ${box.name} has a socket for PostgreSQL's protocol alone, and no AI client speaks that.`);
  const served = await withDaemon(terminal, portOf);
  tellPort(terminal, served);
  return boxTokenConfigs(served.port);
}

/** @throws CliError */
function configOf(client: string, configs: readonly ClientConfig[], box: BoxView | null): ClientConfig {
  const config = configs.find(({ client: name }) => name === client);
  if (config !== undefined) return config;
  const names = [...configs.map(({ client: name }) => name), ...(box === null ? ['json', 'http'] : [])];
  if (titleOf(client) !== client)
    throw failed(
      `${titleOf(client)} reads no token from its environment, so it can't use a box with one. These can: ${names.join(', ')}.`,
    );
  if (client === 'all') throw misuse('For every client here, use --all with --write or --remove.');
  const meant = nearestWord(names, client);
  throw misuse(
    meant === null
      ? `CLIENT must be one of ${names.join(', ')}.`
      : `Sallyport knows no such client. Did you mean \`sallyport connect ${meant}\`?`,
  );
}

/** Explains npx wherever entries are shown or written. */
export function tellNpx(terminal: Terminal, bridge: string): void {
  const spec = npxPackage(bridge);
  if (spec === null) return;
  remark(
    terminal,
    `npx runs this Sallyport from npm's cache, which may be emptied, so clients are told to start it by npx. \`npm install --global --ignore-scripts ${shellWord(spec)}\` gives it a place that stays.`,
  );
}

/** The path of this install's `sallyport-mcp`. @throws CliError if there is none. */
export function bridgeOf(terminal: Terminal): string {
  const bridge = bridgeCalled(terminal.script);
  if (bridge !== null) return bridge;
  throw failed('sallyport-mcp is missing from this install; build or install it again.');
}

/** The words after `sallyport connect` that name any client with a JSON file. */
function wordsOfJson({ file, under }: { readonly file?: string; readonly under?: string }): string {
  const where = file === undefined ? 'FILE' : shellWord(file);
  return `json --file ${where}${under === undefined ? '' : ` --under ${shellWord(under)}`}`;
}

/** @param named the words after `sallyport connect` that name the client and its place. */
function show(terminal: Terminal, config: ClientConfig, path: string, named: string, json: boolean): void {
  const { client, title, format, text, entry } = config;
  const { needs, also } = adviceFor(client);
  if (json) {
    printJson(terminal, { client, title, needs: needs ?? null, file: path, format, text, entry: entry.value });
    return;
  }
  const place = named.endsWith(' --wsl') ? 'a terminal of Windows' : 'a terminal';
  const whatToDo = format === 'shell' ? `${title}: run this in ${place}` : `${needs ?? title}: add this to ${path}`;
  const typed = `sallyport connect ${named} --write`;
  remark(terminal, `${whatToDo}; or let \`${typed}\` ${format === 'shell' ? `put it into ${path}` : 'put it there'}.`);
  if (also !== undefined) remark(terminal, also);
  remark(terminal, '');
  print(terminal, text);
}

function showForBox(terminal: Terminal, config: ClientConfig, box: BoxView, json: boolean): void {
  const { client, title, format, text, entry, where } = config;
  const { needs } = adviceFor(client);
  if (json) {
    printJson(terminal, { client, title, needs: needs ?? null, file: null, format, text, entry: entry.value });
    return;
  }
  const place = format === 'shell' ? 'run this there' : `add this to ${where}`;
  const needed = box.tokenFile === null ? ', where socat must be installed' : '';
  remark(terminal, `${needs ?? title} in the box ${box.name}${needed}: ${place}.`);
  if (box.tokenFile !== null) remark(terminal, tokenAdvice(box));
  remark(terminal, '`--write --file FILE` writes it into the file that the client in the box reads.');
  remark(terminal, '');
  print(terminal, text);
}

/** How the client gets its token: the entry names a variable, whose value is never shown. */
function tokenAdvice({ tokenFile }: BoxView): string {
  const file = shellWord(tokenFile ?? '');
  return `The client needs ${tokenVariable} in its environment: \`docker run --env-file ${file}\` sets it.`;
}

const otherNames: Readonly<Record<string, string>> = {
  // Someone in a terminal who types `claude` means the command of Claude Code.
  claude: 'claude-code',
  'claude-app': 'claude-desktop',
  code: 'vscode',
  'vs-code': 'vscode',
  copilot: 'vscode',
  'visual-studio-code': 'vscode',
  'codex-cli': 'codex',
  'gemini-cli': 'gemini',
  'lm-studio': 'lmstudio',
  'open-code': 'opencode',
  junie: 'jetbrains',
  intellij: 'jetbrains',
  agy: 'antigravity',
  codium: 'vscodium',
  factory: 'droid',
  'qwen-code': 'qwen',
  'kilo-code': 'kilo',
  'kimi-cli': 'kimi',
  augment: 'auggie',
  'github-copilot-cli': 'copilot-cli',
  'jetbrains-junie': 'jetbrains',
};

/**
 * Our name of the client that a person means; the typed name itself if we know no other.
 * @param typed in any case, with spaces or underscores for our hyphens.
 */
export function clientMeant(typed: string): string {
  const name = typed
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return otherNames[name] ?? name;
}
