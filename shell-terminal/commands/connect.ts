/**
 * `sallyport connect CLIENT`: prints what a client needs to reach Sallyport, or writes it into the
 * client's own file (spec §16).
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  boxConfigs,
  boxTokenConfigs,
  type ClientConfig,
  shellWord,
  stdioConfigs,
  titleOf,
  tokenVariable,
} from '../../shared/client-configs.ts';
import { clientFiles, projectFile } from '../../shared/client-files.ts';
import type { BoxView } from '../../shared/control-commands.ts';
import { bridgeBeside } from '../../shared/install.ts';
import { namedHome } from '../../shared/locations.ts';
import { nearestWord } from '../../shared/nearest-word.ts';
import { isInNpxCache, npxIsNoHome } from '../../shared/npx.ts';
import { boxNamed } from '../box-named.ts';
import { command } from '../command.ts';
import { adviceFor } from '../connect/advice.ts';
import { showClientsHere } from '../connect/clients-here.ts';
import { connectHttp, type HttpOptions, httpOptions, portOf, refuseHttpOptions, tellPort } from '../connect/http.ts';
import { printRemoved, printWritten } from '../connect/show.ts';
import { withDaemon } from '../daemon.ts';
import { failed, misuse } from '../ending.ts';
import { print, printJson, remark, type Terminal } from '../terminal.ts';

export const connectCommand = command(
  {
    words: 'connect',
    arguments: ['[CLIENT]'],
    about: 'List the AI clients here, or set one of them up',
    details: [
      'CLIENT is claude-desktop, claude-code (or claude), cursor, vscode, continue,',
      'zed, goose, windsurf, cline, codex, gemini, jetbrains, opencode, amp or lmstudio,',
      'which start the bridge, or http for any client that speaks HTTP.',
      'Without CLIENT it lists the clients that are on this machine. With CLIENT alone it',
      "prints what goes into the client's file.",
      '--write and --remove keep the rest of the file byte for byte, and make a backup.',
      '`sallyport connect --all --write` writes every client that is here.',
    ],
    options: {
      all: { type: 'boolean', about: 'with --write or --remove: every client that is here' },
      write: { type: 'boolean', about: "put it into the client's own file" },
      remove: { type: 'boolean', about: "take it out of the client's own file" },
      project: { type: 'boolean', about: 'write the file of the project in this folder' },
      file: { type: 'string', value: 'FILE', about: 'another file than the usual one (http needs it)' },
      box: { type: 'string', value: 'NAME', about: 'for a client inside this box (`sallyport boxes`)' },
      ...httpOptions,
    },
  },
  async ({ terminal, arguments: [typed], options, json }) => {
    if (options.all) {
      if (typed !== undefined) throw misuse('--all stands for every client; leave the name out.');
      const others = Object.keys(options).filter(name => !['all', 'write', 'remove', 'json'].includes(name));
      if (others.length > 0) throw misuse(`--all goes with --write or --remove alone, not with --${others[0]}.`);
      if ((options.write ?? false) === (options.remove ?? false)) throw misuse('--all goes with --write or --remove.');
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
    const changes = options.write || options.remove || options.project;
    if (options.write && options.remove) throw misuse('--write and --remove exclude each other.');
    if (options.file !== undefined && options.project) throw misuse('--file and --project exclude each other.');
    if (options.file !== undefined && !changes) throw misuse('--file goes with --write or --remove.');
    if (options.file === '') throw misuse('--file needs the path of a file.');
    const file = options.file === undefined ? null : resolve(terminal.cwd, options.file);
    const client = clientMeant(typed);
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
    const box = options.box === undefined ? null : await boxNamed(terminal, options.box);
    const config = configOf(client, await configsFor(terminal, box), box);
    refuseHttpOptions(options as HttpOptions);
    if (typed.toLowerCase() === 'claude')
      remark(terminal, 'claude means Claude Code; the name of the desktop app is claude-desktop.');
    const path = file ?? (options.project ? fileOfProject(terminal, config) : usualFile(terminal, client));
    if (!options.remove && box === null) tellNpx(terminal, bridgeOf(terminal));
    if (!changes && box !== null) return showForBox(terminal, config, box, json);
    if (!changes) return show(terminal, config, path, json);
    // Loaded where they are needed: the parsers would cost every command a third of its start.
    if (options.remove) {
      const { removeEntry } = await import('../connect/remove-entry.ts');
      return printRemoved(terminal, config, removeEntry(path, config.entry), json);
    }
    const { writeBoxToken, writeBridge } = await import('../connect/write-entry.ts');
    const isToken = box !== null && box.tokenFile !== null;
    const written = isToken
      ? writeBoxToken(path, config.entry)
      : writeBridge(path, config.entry, box === null ? bridgeOf(terminal) : null);
    printWritten(terminal, config, options.project ? { ...written, madeFolder: null } : written, json);
    if (isToken && !json) remark(terminal, tokenAdvice(box));
  },
);

/** @throws Ending */
function fileOfProject({ cwd }: Terminal, { client, title }: ClientConfig): string {
  const path = projectFile(client);
  if (path === null) throw misuse(`${title} has no file for one project; leave out --project.`);
  return resolve(cwd, path);
}

/** @throws Ending */
async function configsFor(terminal: Terminal, box: BoxView | null): Promise<readonly ClientConfig[]> {
  if (box === null) return stdioConfigs(bridgeOf(terminal), namedHome(terminal.environment));
  if (box.socket !== null) return boxConfigs(box.socket);
  const served = await withDaemon(terminal, portOf);
  tellPort(terminal, served);
  return boxTokenConfigs(served.port);
}

/** @throws Ending */
function configOf(client: string, configs: readonly ClientConfig[], box: BoxView | null): ClientConfig {
  const config = configs.find(({ client: name }) => name === client);
  if (config !== undefined) return config;
  const names = [...configs.map(({ client: name }) => name), ...(box === null ? ['http'] : [])];
  if (titleOf(client) !== client)
    throw failed(
      `${titleOf(client)} reads no token from its environment, so it can't use a box with one. These can: ${names.join(', ')}.`,
    );
  if (client === 'all') throw misuse('Every client that is here is --all, with --write or --remove.');
  const meant = nearestWord(names, client);
  const question = meant === null ? '' : ` Did you mean \`sallyport connect ${meant}\`?`;
  throw misuse(`CLIENT is one of ${names.join(', ')}.${question}`);
}

/** Where entries are shown or written: why they name npx. */
export function tellNpx(terminal: Terminal, bridge: string): void {
  if (isInNpxCache(bridge)) remark(terminal, npxIsNoHome);
}

/** @throws Ending */
export function bridgeOf(terminal: Terminal): string {
  const bridge = bridgeBeside(terminal.script);
  if (bridge !== null) return bridge;
  throw failed('sallyport-mcp is not where this install should have it; build or install it again.');
}

/** Where the client has one already, else where its newest version makes it. */
function usualFile({ userHome, environment }: Terminal, client: string): string {
  const files = clientFiles(userHome, environment).filter(file => file.client === client);
  const [file] = [...files.filter(({ path }) => existsSync(path)), ...files];
  if (file === undefined) throw misuse(`Which file ${client} reads is not known; name it with --file.`);
  return file.path;
}

function show(terminal: Terminal, config: ClientConfig, path: string, json: boolean): void {
  const { client, title, format, text, entry } = config;
  const { needs, also } = adviceFor(client);
  if (json) {
    printJson(terminal, { client, title, needs: needs ?? null, file: path, format, text, entry: entry.value });
    return;
  }
  const whatToDo =
    format === 'shell' ? `${title}: run this in a terminal` : `${needs ?? title}: this goes into ${path}`;
  remark(
    terminal,
    `${whatToDo}; or let \`sallyport connect ${client} --write\` ${format === 'shell' ? `put it into ${path}` : 'put it there'}.`,
  );
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
  const place = format === 'shell' ? 'run this there' : `this goes into ${where}`;
  const needed = box.tokenFile === null ? ', where socat must be installed' : '';
  remark(terminal, `${needs ?? title} in the box ${box.name}${needed}: ${place}.`);
  if (box.tokenFile !== null) remark(terminal, tokenAdvice(box));
  remark(terminal, '`--write --file FILE` writes it into the file that the client in the box reads.');
  remark(terminal, '');
  print(terminal, text);
}

/** The entry names a variable; what it holds is never shown. */
function tokenAdvice({ tokenFile }: BoxView): string {
  const file = shellWord(tokenFile ?? '');
  return `The client needs ${tokenVariable} in its environment: \`docker run --env-file ${file}\` sets it.`;
}

const otherNames: Readonly<Record<string, string>> = {
  // Who types this sits in a terminal: there `claude` is the command of Claude Code.
  ...{ claude: 'claude-code', 'claude-app': 'claude-desktop' },
  ...{ code: 'vscode', 'vs-code': 'vscode', copilot: 'vscode', 'visual-studio-code': 'vscode' },
  ...{ 'codex-cli': 'codex', 'gemini-cli': 'gemini', 'lm-studio': 'lmstudio', 'open-code': 'opencode' },
  ...{ junie: 'jetbrains', intellij: 'jetbrains', 'jetbrains-junie': 'jetbrains' },
};

/** @param typed in any case, with blanks or underlines where ours has hyphens. */
function clientMeant(typed: string): string {
  const name = typed
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return otherNames[name] ?? name;
}
