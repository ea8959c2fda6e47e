/**
 * The options of a command that describe a connection, translated for the daemon. Nobody is asked
 * anything here; a piped secret is all that is read.
 */

import type { CommandParams } from '../shared/asked-commands.ts';
import type { ClientCertificate, SshTunnelView } from '../shared/control-commands.ts';
import { parseTunnelledUrl, type TunnelledUrl } from '../shared/ssh-url.ts';
import { secondsUntilMidnight } from '../shared/until-midnight.ts';
import { absolutePath, guessSentence, ignoredSentence } from '../shared/url-parts.ts';
import { misuse } from './cli-error.ts';
import type { CommandCall, OptionSpec } from './command.ts';
import { secretFromStdin } from './password.ts';
import { remark, type Terminal } from './terminal.ts';
import {
  aiPolicyWords,
  databasesWords,
  durationSeconds,
  externalClientsWords,
  identityWords,
  meaningOf,
  tlsWords,
  wallsWords,
  wholeNumber,
} from './words.ts';

export const fieldOptions = {
  'external-clients': {
    type: 'string',
    value: 'LEVEL',
    about: 'blocked, read-only (default) or read-write',
  },
  for: { type: 'string', value: 'DURATION', about: 'with read-write: how long (30m, 2h, tonight, always)' },
  'ai-policy': { type: 'string', value: 'POLICY', about: 'always (default), ask or never' },
  tag: { type: 'string', multiple: true, value: 'T', about: "a tag; may be repeated; '' for none" },
  group: { type: 'string', value: 'G', about: "the group it is listed under; '' for none" },
  color: { type: 'string', value: 'C', about: "a colour's name or #rrggbb; '' for none" },
  tls: {
    type: 'string',
    value: 'MODE',
    about: 'disable, prefer, require, verify-ca, verify-full',
  },
  ca: { type: 'string', value: 'FILE', about: "the certificate authority's file; '' for none" },
  'client-cert': { type: 'string', value: 'FILE', about: "the certificate to show the server; '' for none" },
  'client-key': { type: 'string', value: 'FILE', about: 'its key, a PEM file that you alone may read' },
  'key-passphrase-stdin': { type: 'boolean', about: "read the key's passphrase from stdin" },
  ssh: { type: 'string', value: 'HOST', about: "through SSH: [user@]host[:port] or an alias; '' for none" },
  'ssh-key': { type: 'string', value: 'FILE', about: "the SSH key to sign in with; '' for any" },
  'ssh-jump': { type: 'string', multiple: true, value: 'HOST', about: 'an SSH server on the way; may be repeated' },
  'ssh-passphrase-stdin': { type: 'boolean', about: "read the SSH key's passphrase from stdin" },
  'ssh-password-stdin': { type: 'boolean', about: 'read the SSH password from stdin' },
  timeout: { type: 'string', value: 'SECONDS', about: "longest time of a statement; '' for the default" },
  'row-limit': { type: 'string', value: 'N', about: "most rows of a call; '' for the default" },
  'write-row-limit': {
    type: 'string',
    value: 'N',
    about: 'rows of a table a client may change in an hour',
  },
  'time-zone': { type: 'string', value: 'ZONE', about: "Europe/Berlin, UTC, +05:30; '' for the server's" },
  databases: { type: 'string', value: 'own|all', about: 'whether clients may name another database' },
  create: { type: 'boolean', about: 'create the SQLite file if there is none' },
  'password-stdin': { type: 'boolean', about: 'read the password from stdin' },
  identity: { type: 'string', value: 'known|any', about: 'any: its server may be another one each time' },
  walls: { type: 'string', value: 'both|one', about: "one: clients read though the server can't refuse writes" },
  hide: { type: 'string', value: 'TABLES', about: "tables clients never meet: 'audit.*,*_secret'; '' for none" },
  only: { type: 'string', value: 'TABLES', about: "clients meet these alone: 'shop.*'; '' for all" },
  show: { type: 'string', value: 'TABLES', about: "what they meet of that nevertheless; '' for none" },
  mask: { type: 'string', value: 'COLUMNS', about: "columns clients never read: 'users.email,/token/'; '' for none" },
  'password-command': { type: 'string', value: 'CMD', about: 'a command that prints the password' },
  'tunnel-command': {
    type: 'string',
    value: 'CMD',
    about: "a command that opens a tunnel to {socket} or {port}; '' for none",
  },
} as const satisfies Record<string, OptionSpec>;

/** The option that sets a field, by the field's name in the daemon's answers. */
export const optionOfField: Readonly<Record<string, keyof typeof fieldOptions | 'name'>> = {
  name: 'name',
  statementTimeoutSeconds: 'timeout',
  rowLimit: 'row-limit',
  writeRowLimit: 'write-row-limit',
  timeZone: 'time-zone',
  colour: 'color',
  group: 'group',
  tags: 'tag',
  databases: 'databases',
  hide: 'hide',
  only: 'only',
  show: 'show',
  mask: 'mask',
  'externalClients.forSeconds': 'for',
  'tls.mode': 'tls',
  'tls.caFile': 'ca',
  'tls.clientCertificate': 'client-cert',
  'tls.clientCertificate.certificateFile': 'client-cert',
  'tls.clientCertificate.keyFile': 'client-key',
  'tls.keyPassphrase': 'key-passphrase-stdin',
  'password.command': 'password-command',
  tunnel: 'ssh',
  'tunnel.destination': 'ssh',
  'tunnel.jumps': 'ssh-jump',
  'tunnel.keyFile': 'ssh-key',
  sshPassphrase: 'ssh-passphrase-stdin',
  sshPassword: 'ssh-password-stdin',
  'tunnel.command': 'tunnel-command',
};

export type ParsedConnection = Exclude<TunnelledUrl, { readonly kind: 'refused' }>;

export type FieldOptions = CommandCall<typeof fieldOptions>['options'];

export const urlForms = [
  'URL is postgres://user@host:port/database, mysql://user@host:port/database,',
  "sqlite:path, the path of an SQLite file, or libpq's 'host=… user=… dbname=…'.",
  'The forms of JDBC, SQLAlchemy, Rails, Django and Prisma work too.',
  'Several servers, tried in turn: postgres://user@h1:5432,h2:5433/database, with',
  '?target_session_attrs=read-write if it must be the primary. How it may be signed',
  'in to: ?require_auth=scram-sha-256, ?channel_binding=require.',
  'Behind SSH: postgresql+ssh://user@bastion/dbuser@host:port/database, or --ssh.',
  'Sockets: ?host=/run/postgresql or ?socket=PATH. TLS: ?sslmode=MODE and',
  '?sslrootcert=FILE; verify-full by default, prefer on this machine.',
];

/**
 * Reads a typed URL, and remarks on what was guessed or has no effect.
 * @throws CliError if the URL can't be used.
 */
export function parsedUrl(terminal: Terminal, url: string): ParsedConnection {
  const parsed = parseTunnelledUrl(url, { cwd: terminal.cwd, home: terminal.userHome });
  if (parsed.kind === 'refused') throw misuse(parsed.problem);
  for (const told of [guessSentence(parsed), ignoredSentence(parsed)]) if (told !== null) remark(terminal, told);
  return parsed;
}

const secretOptions = [
  'password-stdin',
  'key-passphrase-stdin',
  'ssh-passphrase-stdin',
  'ssh-password-stdin',
] as const satisfies (keyof typeof fieldOptions)[];

/**
 * The parameters of `connections.save` that the options and the URL give; absent fields stay as
 * they are.
 * @param parsed the typed URL; null for none.
 * @param isAsked true if a missing password will be asked for later.
 * @throws CliError
 */
export async function paramsOf(
  terminal: Terminal,
  options: FieldOptions,
  parsed: ParsedConnection | null,
  isAsked = false,
): Promise<Omit<CommandParams<'connections.save'>, 'connection' | 'name'>> {
  const [first, second] = secretOptions.filter(option => options[option]);
  if (first !== undefined && second !== undefined)
    throw misuse(`--${first} and --${second} both read stdin; give one now and the other with \`set\`.`);
  const password = await passwordOf(terminal, options, parsed?.password ?? null);
  if (parsed?.passwordIsPlaceholder === true && password === null && !isAsked) {
    throw misuse(
      'The URL has a placeholder for its password; leave it out, and give the password with --password-stdin.',
    );
  }
  const tls = await tlsOf(terminal, options, parsed);
  const level = options['external-clients'];
  if (options.for !== undefined && level === undefined) throw misuse('--for needs --external-clients read-write.');
  return {
    ...(parsed === null
      ? {}
      : {
          endpoint: parsed.endpoint,
          targetServers: parsed.targetServers ?? null,
          signInMethods: parsed.signInMethods ?? null,
        }),
    ...given(options.create, create => ({ create })),
    ...(password === null ? {} : { password }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
    ...(await tunnelOf(terminal, options, parsed)),
    ...given(options.databases, typed => ({ databases: meaningOf('databases', databasesWords, typed) })),
    ...given(options.walls, typed => ({ walls: meaningOf('walls', wallsWords, typed) })),
    ...given(options.hide, typed => ({ hide: patternsIn(typed) })),
    ...given(options.only, typed => ({ only: patternsIn(typed) })),
    ...given(options.show, typed => ({ show: patternsIn(typed) })),
    ...given(options.mask, typed => ({ mask: patternsIn(typed) })),
    ...given(options.identity, typed => ({ identity: meaningOf('identity', identityWords, typed) })),
    ...given(options.timeout, typed => ({
      statementTimeoutSeconds: typed === '' ? null : wholeNumber('timeout', typed),
    })),
    ...given(options['row-limit'], typed => ({ rowLimit: typed === '' ? null : wholeNumber('row-limit', typed) })),
    ...given(options['write-row-limit'], typed => ({
      writeRowLimit: typed === '' ? null : wholeNumber('write-row-limit', typed),
    })),
    ...given(timeZoneOf(options, parsed), typed => ({ timeZone: typed === '' ? null : typed })),
    ...given(options.color, typed => ({ colour: typed === '' ? null : typed.toLowerCase() })),
    ...given(options.group, typed => ({ group: typed === '' ? null : typed })),
    ...given(options.tag, typed => ({ tags: typed.filter(tag => tag !== '') })),
    ...given(level, typed => ({ externalClients: levelOf(typed, options.for) })),
    ...given(options['ai-policy'], typed => ({ aiPolicy: meaningOf('ai-policy', aiPolicyWords, typed) })),
  };
}

/** The patterns in a text such as `audit.*, *_secret`. */
const patternsIn = (typed: string): string[] => (typed === '' ? [] : typed.split(',').map(pattern => pattern.trim()));

/** @param parsed the typed URL, which may name a tunnel too. @throws CliError */
async function tunnelOf(
  terminal: Terminal,
  options: FieldOptions,
  parsed: ParsedConnection | null,
): Promise<Pick<CommandParams<'connections.save'>, 'tunnel' | 'sshPassphrase' | 'sshPassword'>> {
  const { ssh, 'ssh-key': key, 'ssh-jump': jumps, 'tunnel-command': command } = options;
  if (command !== undefined) {
    if (ssh || key || jumps !== undefined || parsed?.tunnel !== undefined)
      throw misuse('SSH and --tunnel-command both give a tunnel; remove one.');
    return { tunnel: command === '' ? null : { kind: 'command', command } };
  }
  if (ssh !== undefined && parsed?.tunnel !== undefined)
    throw misuse('The URL and --ssh both give an SSH server; remove one.');
  const destination = ssh ?? parsed?.tunnel?.destination;
  if (destination === undefined && (key !== undefined || jumps !== undefined))
    throw misuse(`--ssh-${key === undefined ? 'jump' : 'key'} needs --ssh, which names the SSH server.`);
  const tunnel: SshTunnelView | null | undefined =
    destination === undefined
      ? undefined
      : destination === ''
        ? null
        : {
            kind: 'ssh',
            destination,
            jumps: (jumps ?? []).flatMap(typed => typed.split(',')),
            keyFile: key === undefined || key === '' ? null : fileOf(terminal, '--ssh-key', key),
          };
  return {
    ...(tunnel !== undefined && { tunnel }),
    ...(options['ssh-passphrase-stdin'] && {
      sshPassphrase: await secretFromStdin(terminal, '--ssh-passphrase-stdin', 'Passphrase of the SSH key: '),
    }),
    ...(options['ssh-password-stdin'] && {
      sshPassword: await secretFromStdin(terminal, '--ssh-password-stdin', 'SSH password: '),
    }),
  };
}

function timeZoneOf({ 'time-zone': typed }: FieldOptions, parsed: ParsedConnection | null): string | undefined {
  if (typed !== undefined && parsed?.timeZone !== undefined)
    throw misuse('The URL and --time-zone both give a time zone; remove one.');
  return typed ?? parsed?.timeZone;
}

/** The field that a typed option sets. Without the option there is none, so it stays as it is. */
function given<Typed, Field extends object>(
  typed: Typed | undefined,
  fieldOf: (typed: Typed) => Field,
): Field | object {
  return typed === undefined ? {} : fieldOf(typed);
}

function levelOf(
  typed: string,
  duration: string | undefined,
): NonNullable<CommandParams<'connections.save'>['externalClients']> {
  const level = meaningOf('external-clients', externalClientsWords, typed);
  if (duration === undefined) return { level };
  if (level !== 'readWrite') throw misuse('--for needs --external-clients read-write.');
  if (duration === 'always') return { level };
  return { level, forSeconds: duration === 'tonight' ? secondsUntilMidnight() : durationSeconds('for', duration) };
}

async function tlsOf(
  terminal: Terminal,
  options: FieldOptions,
  parsed: ParsedConnection | null,
): Promise<NonNullable<CommandParams<'connections.save'>['tls']>> {
  if (options.tls !== undefined && parsed?.tls.mode)
    throw misuse('The URL and --tls both give a TLS mode; remove one.');
  if (options.ca !== undefined && parsed?.tls.caFile) throw misuse('The URL and --ca both give a CA file; remove one.');
  const mode = options.tls === undefined ? parsed?.tls.mode : meaningOf('tls', tlsWords, options.tls);
  const caFile = options.ca === undefined ? parsed?.tls.caFile : caFileOf(terminal, options.ca);
  return {
    ...(mode == null ? {} : { mode }),
    // A URL without a CA file leaves the saved one; --ca '' removes it.
    ...(caFile === undefined || (caFile === null && options.ca === undefined) ? {} : { caFile }),
    ...given(clientCertificateOf(terminal, options, parsed), clientCertificate => ({ clientCertificate })),
    ...(options['key-passphrase-stdin'] && {
      keyPassphrase: await secretFromStdin(terminal, '--key-passphrase-stdin', 'Passphrase of the client key: '),
    }),
  };
}

function clientCertificateOf(
  terminal: Terminal,
  { 'client-cert': certificate, 'client-key': key }: FieldOptions,
  parsed: ParsedConnection | null,
): ClientCertificate | null | undefined {
  if (certificate === undefined && key === undefined) return parsed?.tls.clientCertificate;
  if (parsed?.tls.clientCertificate !== undefined)
    throw misuse('The URL and --client-cert both give a client certificate; remove one.');
  if (certificate === '' && (key === undefined || key === '')) return null;
  if (!certificate || !key) throw misuse('--client-cert and --client-key belong together; name both files.');
  return {
    certificateFile: fileOf(terminal, '--client-cert', certificate),
    keyFile: fileOf(terminal, '--client-key', key),
  };
}

function caFileOf(terminal: Terminal, typed: string): string | null {
  return typed === '' ? null : fileOf(terminal, '--ca', typed);
}

function fileOf(terminal: Terminal, option: string, typed: string): string {
  const path = absolutePath(typed, { cwd: terminal.cwd, home: terminal.userHome });
  if (path === null) throw misuse(`${option}: another user's home (~name) is not looked up; write the whole path.`);
  return path;
}

async function passwordOf(
  terminal: Terminal,
  options: FieldOptions,
  inUrl: string | null,
): Promise<NonNullable<CommandParams<'connections.save'>['password']> | null> {
  const passwordCommand = options['password-command'];
  const sources = [inUrl !== null, options['password-stdin'] === true, passwordCommand !== undefined];
  if (sources.filter(Boolean).length > 1) {
    throw misuse('A password comes from one place: the URL, --password-stdin or --password-command.');
  }
  if (passwordCommand !== undefined) return { kind: 'command', command: passwordCommand };
  if (options['password-stdin'])
    return { kind: 'stored', value: await secretFromStdin(terminal, '--password-stdin', 'Password: ') };
  if (inUrl === null) return null;
  remark(
    terminal,
    "The password was removed from the URL and is stored separately, but it may still be in your shell's history; --password-stdin avoids that.",
  );
  return { kind: 'stored', value: inUrl };
}
