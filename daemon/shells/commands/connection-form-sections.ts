/**
 * The form of a connection (spec §6): its fields in drawing order, each with its words and when it
 * is shown. A shell draws it and knows no field by name.
 */

import { targetServersWords } from '../../../shared/target-servers.ts';
import type { Text } from '../../../shared/texts.ts';
import type { ConnectionView, FormChoice, FormField, FormSection } from '../messages/connections.ts';
import type { colours } from './connection-fields.ts';

/** What the form of a saved connection depends on. */
type Saved = Pick<ConnectionView, 'colour' | 'externalClients' | 'password' | 'tls'>;
type Shown = NonNullable<FormField['shownIf']>;

const onServer: Shown = { engine: ['postgres', 'mysql'] };
const byHost: Shown = { ...onServer, place: ['host'] };

/** Another value in one of them is another place. */
export const placeKeys = [
  ...['place', 'endpoint.host', 'endpoint.socketPath'],
  ...['tunnel', 'tunnel.destination', 'tunnel.jumps', 'tunnel.keyFile', 'tunnel.command'],
];

/** @param saved null for a new connection. */
export function formSections(saved: Saved | null): FormSection[] {
  const modes = {
    disable: 'Off',
    prefer: 'When offered',
    require: 'Required, certificate not checked',
    'verify-ca': 'Required, issuer checked',
    'verify-full': 'Required, issuer and name checked',
  } as const;
  const engines = { postgres: 'PostgreSQL', mysql: 'MySQL or MariaDB', sqlite: 'SQLite' } as const;
  const automatic = [none('Automatic')];
  return [
    section('general', null, {}, [
      required('name', 'Name'),
      ...(saved === null ? [choice('engine', 'Kind', words(engines))] : []),
    ]),
    section('general', 'File', { engine: ['sqlite'] }, [{ ...required('endpoint.filePath', 'Path'), kind: 'path' }]),
    section('general', 'Server', onServer, [
      choice('place', 'Connect by', words({ host: 'Host and port', socket: 'Unix socket' })),
      ...when('place', 'host', [required('endpoint.host', 'Host'), field('endpoint.port', 'Port', 'Default')]),
      ...when('place', 'socket', [{ ...required('endpoint.socketPath', 'Socket'), kind: 'path' }]),
      field('endpoint.database', 'Database'),
      field('endpoint.user', 'User'),
    ]),
    section('general', null, onServer, [
      choice('password', 'Password', [
        ...(saved?.password.kind === 'stored' ? words({ kept: 'As saved in the keychain' }) : []),
        ...words({ none: 'None', stored: 'Kept by Sallyport', command: 'Printed by a command' }),
      ]),
      ...when('password', 'stored', [{ ...required('password.value', 'New password'), kind: 'secret' }]),
      ...when('password', 'command', [
        code(
          'password.command',
          'Command',
          'Run as you whenever the database is dialled; what it prints on its first line is the password.',
        ),
      ]),
    ]),
    section('general', 'TLS', onServer, [
      // The saved mode doesn't hold for another place (connection-change.ts); a chosen one does.
      {
        ...choice('tls', 'Encryption', [...automatic, ...words(modes)]),
        ...(saved !== null && { saved: saved.tls.mode }),
      },
      path('tls.caFile', 'CA file'),
      path('tls.clientCertificate.certificateFile', 'Client certificate'),
      path('tls.clientCertificate.keyFile', 'Client key'),
      secret('tls.keyPassphrase', 'New key passphrase'),
    ]),
    section('advanced', null, {}, [
      choice(
        'externalClients',
        'External Clients',
        words({ blocked: 'Blocked', readOnly: 'Read Only', readWrite: 'Read & Write' }),
      ),
      ...when('externalClients', 'readWrite', [
        choice('externalClients.forSeconds', 'Write access', [
          ...(saved?.externalClients.level === 'readWrite' ? [none('As it is')] : []),
          ...words({ halfHour: 'For 30 minutes', tonight: 'Until tonight', noEnd: 'Until I take it back' }),
        ]),
      ]),
      choice('aiPolicy', 'AI Policy', words({ always: 'Always', askEachTime: 'Ask Each Time', never: 'Never' })),
      {
        ...choice('databases', 'Databases', [
          // A saved connection has one of the two.
          ...(saved === null ? automatic : []),
          ...words({ own: 'Only this database', all: 'Every database of the server' }),
        ]),
        shownIf: onServer,
      },
      {
        ...choice('targetServers', 'Of several servers', [
          none('The first that answers'),
          ...plain(targetServersWords),
        ]),
        shownIf: { engine: ['postgres'] },
      },
      { ...field('timeZone', 'Time zone', 'As the server has it'), shownIf: onServer },
    ]),
    section('advanced', null, byHost, [
      choice('tunnel', 'Tunnel', words({ none: 'None', ssh: 'SSH', command: 'A command' })),
      ...when('tunnel', 'ssh', [
        required('tunnel.destination', 'SSH server'),
        field('tunnel.jumps', 'Hops before it', 'Separated by commas'),
        path('tunnel.keyFile', 'SSH key'),
        secret('sshPassphrase', 'New passphrase of the SSH key'),
        {
          ...secret('sshPassword', 'New SSH password'),
          note: 'By the system’s own ssh, with ~/.ssh/config and your agent. The last hop looks up the database’s host.',
        },
      ]),
      ...when('tunnel', 'command', [
        code(
          'tunnel.command',
          'Tunnel command',
          'Run as you. {stdio}, {socket} or {port} in it says how its program is reached.',
        ),
      ]),
    ]),
    section('advanced', 'Limits', {}, [
      field('statementTimeoutSeconds', 'Seconds for a statement', 'As in Settings'),
      field('rowLimit', 'Rows of a result', 'As in Settings'),
      field('writeRowLimit', 'Rows changed in an hour', 'As in Settings'),
    ]),
    section('advanced', 'Organization', {}, [
      field('group', 'Group'),
      field('tags', 'Tags', 'Separated by commas'),
      choice('colour', 'Color', [none('None'), ...coloursOf(saved)]),
    ]),
  ];
}

/** The named ones, and its own. */
function coloursOf(saved: Saved | null): FormChoice[] {
  const named = words(colourWords);
  const own = saved?.colour ?? null;
  return own === null || named.some(({ value }) => value === own) ? named : [...named, ...plain([own])];
}

/** @param shownIf of each of its fields too. */
function section(pane: FormSection['pane'], title: Text | null, shownIf: Shown, fields: FormField[]): FormSection {
  return { pane, title, fields: fields.map(each => ({ ...each, shownIf: { ...shownIf, ...each.shownIf } })) };
}

function field(key: string, label: Text, prompt: Text | '' = 'Optional'): FormField {
  return { key, label, kind: 'text', prompt, choices: [] };
}

const when = (key: string, value: string, fields: FormField[]): FormField[] =>
  fields.map(each => ({ ...each, shownIf: { [key]: [value] } }));
const required = (key: string, label: Text): FormField => field(key, label, 'Required');
const path = (key: string, label: Text): FormField => ({ ...field(key, label), kind: 'path' });
const secret = (key: string, label: Text): FormField => ({ ...field(key, label), kind: 'secret' });
const code = (key: string, label: Text, note: Text): FormField => ({ ...required(key, label), kind: 'code', note });

function choice(key: string, label: Text, choices: FormChoice[]): FormField {
  return { ...field(key, label, ''), kind: 'choice', choices };
}

const none = (label: Text): FormChoice => ({ value: '', label });
const plain = (values: readonly string[]): FormChoice[] => values.map(value => ({ value, label: value }));

function words(labels: Readonly<Record<string, Text>>): FormChoice[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

const colourWords: Readonly<Record<(typeof colours)[number], Text>> = {
  red: 'Red',
  orange: 'Orange',
  yellow: 'Yellow',
  green: 'Green',
  blue: 'Blue',
  purple: 'Purple',
  pink: 'Pink',
  brown: 'Brown',
  grey: 'Gray',
};
