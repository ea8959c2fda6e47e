/** `sallyport connect CLIENT`: prints what a client needs to reach Sallyport, or writes it into the client's own file (spec §16). */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ClientConfig, stdioConfigs } from '../../shared/client-configs.ts';
import { clientFiles } from '../../shared/client-files.ts';
import { bridgeBeside } from '../../shared/install.ts';
import { command } from '../command.ts';
import { adviceFor } from '../connect/advice.ts';
import { bridgeDifferences } from '../connect/differences.ts';
import { connectHttp, type HttpOptions, httpOptions, refuseHttpOptions } from '../connect/http.ts';
import { leadsTo } from '../connect/leads-to.ts';
import { printWritten } from '../connect/show.ts';
import { failed, misuse } from '../ending.ts';
import { print, printJson, remark, type Terminal } from '../terminal.ts';

export const connectCommand = command(
  {
    words: 'connect',
    arguments: ['CLIENT'],
    about: 'Print what an AI client needs, or write it',
    details: [
      'CLIENT is claude-desktop, claude-code, cursor, vscode, continue, zed, goose,',
      'windsurf, cline, or http for any that speaks HTTP; all others start the bridge.',
      '--write keeps the rest of the file byte for byte, and the old one beside it.',
    ],
    options: {
      write: { type: 'boolean', about: "put it into the client's own file" },
      file: { type: 'string', value: 'FILE', about: 'another file than the usual one (http needs it)' },
      ...httpOptions,
    },
  },
  async ({ terminal, arguments: [client = ''], options, json }) => {
    if (options.file !== undefined && !options.write) throw misuse('--file goes with --write.');
    if (options.file === '') throw misuse('--file needs the path of a file.');
    const file = options.file === undefined ? null : resolve(terminal.cwd, options.file);
    if (client === 'http') return connectHttp(terminal, options as HttpOptions, file, json);
    const config = configOf(terminal, client);
    refuseHttpOptions(options as HttpOptions);
    const path = file ?? usualFile(terminal, client);
    const { SALLYPORT_HOME: home } = terminal.environment;
    if (!options.write) {
      show(terminal, config, path, json);
      if (home) remark(terminal, sameHome(home));
      return;
    }
    // Loaded where it is needed: the parsers would cost every command a third of its start.
    const { writeEntry } = await import('../connect/write-entry.ts');
    const differences = bridgeDifferences(leadsTo(bridgeOf(terminal)));
    const written = writeEntry({ path, entry: config.entry, differences, isSecret: false });
    printWritten(terminal, config, written, json);
    if (home) remark(terminal, sameHome(home));
  },
);

/** The entry names the bridge alone: which home it looks in is the client's environment's matter. */
export function sameHome(home: string): string {
  return `SALLYPORT_HOME is ${home} here: start the client with the same, or its bridge looks in the usual home.`;
}

/** @throws Ending */
function configOf(terminal: Terminal, client: string): ClientConfig {
  const configs = stdioConfigs(bridgeOf(terminal));
  const config = configs.find(({ client: name }) => name === client);
  if (config !== undefined) return config;
  throw misuse(`CLIENT is one of ${[...configs.map(({ client: name }) => name), 'http'].join(', ')}.`);
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
