/**
 * `sallyport connections add` and `set`. On a terminal `add` asks and tests; otherwise both only
 * save.
 */

import type { CommandParams } from '../../shared/asked-commands.ts';
import { shellWord } from '../../shared/client-configs.ts';
import type { ConnectionView } from '../../shared/control-commands.ts';
import { tunnelWay } from '../../shared/tunnel-command.ts';
import { accessSentence } from '../access-sentence.ts';
import { administratorAdvice } from '../administrators.ts';
import { CliError, exitCodes, failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { type FieldOptions, fieldOptions, optionOfField, paramsOf, parsedUrl, urlForms } from '../connection-fields.ts';
import { askDaemon } from '../daemon.ts';
import { offerPassphrase } from '../passphrase-offer.ts';
import { nameFor } from '../setup/candidate.ts';
import { holderOf, passwordFor, testUntilKept } from '../setup/import.ts';
import { offerRole } from '../setup/offer-role.ts';
import { typedLine } from '../setup/typed.ts';
import { runningDaemon } from '../starting.ts';
import { print, printJson, remark, say, type Terminal } from '../terminal.ts';

export const addConnectionCommand = command(
  {
    words: 'connections add',
    arguments: ['URL'],
    about: 'Save a connection, and test it on a terminal',
    missing: { URL: 'URL is missing, as in postgres://me@db.example/shop; `sallyport setup` finds databases here.' },
    details: [
      ...urlForms,
      'Starts Sallyport if needed. On a terminal it asks for the password and tests the',
      'connection. In a script, and with --json, it only saves.',
    ],
    options: {
      name: { type: 'string', value: 'NAME', about: 'its name for clients (needed in a script)' },
      ...fieldOptions,
    },
  },
  async ({ terminal, arguments: [url = ''], options, json }) => {
    const isAsked = terminal.stdin.isTTY === true && !json;
    const parsed = parsedUrl(terminal, url);
    const name = options.name ?? (isAsked ? nameFor(parsed.endpoint) : undefined);
    if (name === undefined) throw misuse('--name NAME is needed: clients ask for the connection by it.');
    const limited = isAsked ? await withDuration(terminal, options) : options;
    const params = { name, ...(await paramsOf(terminal, limited, parsed, isAsked)) };
    await runningDaemon(terminal);
    const holder = isAsked ? await holderOf(terminal, name) : null;
    if (holder !== null)
      throw failed(`There is already a connection ${JSON.stringify(holder)}; choose another name with --name.`);
    const typed = isAsked && params.password === undefined ? await passwordFor(terminal, parsed) : null;
    const password = typed === null ? {} : { password: { kind: 'stored' as const, value: typed } };
    const whole = { ...params, ...password };
    const saved = await save(terminal, whole, options);
    tell(terminal, json, saved, 'Added', !isAsked);
    remarkOpenPort(terminal, options['tunnel-command']);
    if (!isAsked) {
      const advice = administratorAdvice(saved);
      if (advice !== null) remark(terminal, advice);
    } else if (await testUntilKept(terminal, saved, whole)) {
      const { connections } = await askDaemon(terminal, 'status', {});
      if (connections === 1) await offerPassphrase(terminal);
      await offerRole(terminal, saved.name);
      say(terminal, 'Next: `sallyport connect` lists the AI clients that can use it.');
    }
  },
);

export const setConnectionCommand = command(
  {
    words: 'connections set',
    arguments: ['NAME'],
    about: 'Change the parts of a connection that you name',
    details: urlForms,
    options: {
      url: { type: 'string', value: 'URL', about: 'another place, user or database' },
      name: { type: 'string', value: 'N', about: 'another name' },
      ...fieldOptions,
      'no-password': { type: 'boolean', about: 'forget the password' },
    },
  },
  async ({ terminal, arguments: [connection = ''], options, json }) => {
    const { 'no-password': noPassword, url, name, ...fields } = options;
    const parsed = url === undefined ? null : parsedUrl(terminal, url);
    const isAsked = terminal.stdin.isTTY === true && !json;
    const asked = await paramsOf(terminal, isAsked ? await withDuration(terminal, fields) : fields, parsed);
    if (noPassword && asked.password !== undefined) throw misuse('Give a password or --no-password, not both.');
    const params = {
      ...asked,
      ...(noPassword ? { password: { kind: 'none' as const } } : {}),
      ...(name === undefined ? {} : { name }),
    };
    if (Object.keys(params).length === 0)
      throw misuse('Nothing to change; `sallyport connections set --help` lists the options.');
    const saved = await save(terminal, { connection, ...params }, options);
    tell(terminal, json, saved, 'Changed', true);
    remarkOpenPort(terminal, options['tunnel-command']);
  },
);

/**
 * @param typed the options; a problem in any other field comes from the URL.
 * @throws CliError that names the option that was typed.
 */
async function save(
  terminal: Terminal,
  params: CommandParams<'connections.save'>,
  typed: Readonly<Record<string, unknown>>,
): Promise<ConnectionView> {
  try {
    return await askDaemon(terminal, 'connections.save', params);
  } catch (error) {
    const refused = error instanceof CliError && error.exitCode === exitCodes.misuse ? error.told.refused : null;
    if (!(error instanceof CliError) || refused == null) throw error;
    const { field, why } = refused;
    const option = optionOfField[field.replace(/\.\d+$/, '')];
    const named = option !== undefined && typed[option] !== undefined ? `--${option}` : placeInUrl(field);
    throw new CliError(error.exitCode, `${named}: ${why}.`, error.told);
  }
}

/** `endpoint.host` is the URL's host. */
function placeInUrl(field: string): string {
  const part = field.split('.').at(-1) ?? '';
  if (field === 'endpoint' || field === 'tls') return 'The URL';
  return field.startsWith('endpoint.') ? `The URL's ${part.replace(/Path$/, '')}` : (inUrl[field] ?? field);
}

const inUrl: Readonly<Record<string, string>> = {
  'tls.mode': "The URL's TLS mode",
  'tls.caFile': "The URL's CA file",
  'tls.clientCertificate': "The URL's client certificate",
  'tls.clientCertificate.certificateFile': "The URL's client certificate",
  'tls.clientCertificate.keyFile': "The URL's client key",
  timeZone: "The URL's time zone",
};

function remarkOpenPort(terminal: Terminal, command = ''): void {
  if (command === '' || ['socket', 'stdio'].includes(tunnelWay(command))) return;
  remark(
    terminal,
    'While this tunnel is up, its port is open to every program on this machine. If its program can use {socket} or {stdio} instead, nobody else gets in.',
  );
}

function tell(terminal: Terminal, json: boolean, saved: ConnectionView, what: string, isUntested: boolean): void {
  if (json) {
    printJson(terminal, saved);
    return;
  }
  say(terminal, `${what} ${saved.name}. ${accessSentence(saved, Date.now())}`);
  if (isUntested) say(terminal, `\`sallyport connections test ${shellWord(saved.name)}\` tests it.`);
}

const durationHelp =
  'Type the number of a line above. Afterwards the connection is Read Only again; `--for 2h` gives another duration.';

const choices = [
  { word: '30m', shown: '30 minutes' },
  { word: 'tonight', shown: 'until tonight' },
  { word: 'always', shown: 'until you end it' },
] as const;

/**
 * @returns the options, with `for` filled in if they open a connection for writing.
 * @throws CliError if the person gives up.
 */
async function withDuration(terminal: Terminal, options: FieldOptions): Promise<FieldOptions> {
  if (options.for !== undefined || !/^read-?write$/i.test(options['external-clients'] ?? '')) return options;
  print(terminal, 'For how long may AI clients write?', ...choices.map(({ shown }, at) => `  ${at + 1}  ${shown}`));
  for (;;) {
    const typed = await typedLine(terminal, 'Number, or Enter for 30 minutes: ', durationHelp);
    const choice = choices[typed === '' ? 0 : Number(typed) - 1];
    if (choice !== undefined) return { ...options, for: choice.word };
  }
}
