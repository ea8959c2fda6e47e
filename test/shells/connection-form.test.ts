/** `connections.form`: the form of a connection, for a shell that knows no field by name. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { draftOf } from '../../daemon/shells/commands/connection-form-draft.ts';
import { formSections } from '../../daemon/shells/commands/connection-form-sections.ts';
import { type FormValues, formValues } from '../../daemon/shells/commands/connection-form-values.ts';
import type { ConnectionView } from '../../daemon/shells/messages/connections.ts';
import { errorCodes } from '../../shared/codes.ts';
import { secondsUntilMidnight } from '../../shared/until-midnight.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

let daemon: DaemonInProcess;
let shell: ControlClient;
beforeAll(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
});
afterAll(async () => {
  shell.close();
  await daemon.end();
});
const home = '/home/anna';
const read = (url: string) => shell.ask('connections.form', { url, home });
const sample = new URL('../../shared/fixtures/control/connections.show.result.json', import.meta.url);
const saved: ConnectionView = JSON.parse(readFileSync(sample, 'utf8')).result;
const at = Date.parse('2026-11-20T12:00:00Z');
const changes = (typed: FormValues, of: ConnectionView | null = saved) => draftOf(of, typed, { home, at });
const isReadOnly = { level: 'readOnly', writeUntil: null, now: 'readOnly' } as const;

describe('a pasted connection', () => {
  test('fills the form, with paths in the person’s home', async () => {
    const { values, notes } = await read('postgres://u:p%40ss@h:5433/d?sslrootcert=ca.pem&sslmode=verify-ca&pool=5');
    expect(values).toMatchObject({
      engine: 'postgres',
      place: 'host',
      'endpoint.host': 'h',
      'endpoint.port': '5433',
      'endpoint.database': 'd',
      'endpoint.user': 'u',
      tls: 'verify-ca',
      'tls.caFile': '/home/anna/ca.pem',
      password: 'stored',
      'password.value': 'p@ss',
    });
    expect(values).not.toHaveProperty('name');
    expect(values).not.toHaveProperty('timeZone');
    expect(notes.map(({ text }) => text)).toEqual(['pool in the URL has no effect here.']);
    expect((await read('~/shop.db')).values).toMatchObject({
      engine: 'sqlite',
      'endpoint.filePath': '/home/anna/shop.db',
    });
    const placeholder = await read('mysql://u:[YOUR-PASSWORD]@h/d');
    expect(placeholder.values).toMatchObject({ password: 'stored', 'password.value': '' });
    expect(placeholder.notes[0]?.text).toBe("A placeholder stands in the password's place; type the password.");
    const tunnelled = await read('postgresql+ssh://me@bastion:2222/u@db.internal/d?application_name=a&pool=5');
    expect(tunnelled.values).toMatchObject({ 'endpoint.host': 'db.internal', 'tunnel.destination': 'me@bastion:2222' });
    expect(tunnelled.notes.map(({ text }) => text)).toEqual([
      'It goes through SSH, by me@bastion:2222.',
      'application_name, pool in the URL have no effect here.',
    ]);
    expect((await shell.ask('connections.list', {})).connections).toEqual([]);
  });

  test('is saved as it was pasted, with what no field shows', async () => {
    const { values } = await read('postgres://anna@h1,h2/d?target_session_attrs=standby&require_auth=scram-sha-256');
    const { draft } = await shell.ask('connections.form', { typed: { ...values, name: 'Shop' }, home });
    const { id } = await shell.ask('connections.save', draft ?? {});
    const shown = await shell.ask('connections.show', { connection: id });
    expect(shown).toMatchObject({ host: 'h1,h2', targetServers: 'standby', signInMethods: ['scram-sha-256'] });
    await expect(
      shell.ask('connections.form', { connection: id, url: 'mysql://anna@h/d', home }),
    ).rejects.toMatchObject({
      message: "A connection can't change its kind of database; add a new connection instead.",
    });
    const opened = await shell.ask('connections.form', { connection: id, typed: {}, home });
    expect(opened.draft).toEqual({ connection: id });
    await shell.ask('connections.delete', { connection: id });
    await expect(shell.ask('connections.form', { connection: id, home })).rejects.toMatchObject({
      data: { code: 'unknown_connection' },
    });
  });

  test('that is unreadable is refused with the reader’s sentence', async () => {
    await expect(read('postgres://u:hun#ter2@h/d')).rejects.toMatchObject({
      code: errorCodes.forbidden,
      message: expect.stringMatching(/^The URL has a bare # in it; /),
    });
    await expect(shell.ask('connections.form', { home: 'anna' })).rejects.toMatchObject({
      code: errorCodes.invalidParams,
      message: 'home: the whole path of a folder is expected.',
    });
  });
});

describe('a connection that another shell changes meanwhile', () => {
  test('isn’t saved in parts from before and after, and is opened again', async () => {
    const { id } = await shell.ask('connections.save', { name: 'Meanwhile', endpoint: postgresAt('a.example.com') });
    const { digest } = await shell.ask('connections.form', { connection: id, home });
    await shell.ask('connections.save', { connection: id, endpoint: postgresAt('b.example.com') });
    const drafted = (typed: FormValues, seen?: string) =>
      shell.ask('connections.form', { connection: id, typed, home, ...(seen && { digest: seen }) });
    for (const seen of [digest, undefined])
      await expect(drafted({ 'endpoint.port': '5433' }, seen)).rejects.toMatchObject({
        message: 'The connection "Meanwhile" was changed meanwhile; open it again.',
        data: { code: 'changed_since' },
      });
    const again = await shell.ask('connections.form', { connection: id, home });
    const { draft } = await drafted({ 'endpoint.port': '5433' }, again.digest);
    expect(draft?.endpoint).toMatchObject({ host: 'b.example.com', port: 5433 });
    await shell.ask('connections.delete', { connection: id });
  });

  test('is closed to clients all the same', async () => {
    const { id } = await shell.ask('connections.save', { name: 'Meanwhile', endpoint: postgresAt('a.example.com') });
    const { digest } = await shell.ask('connections.form', { connection: id, home });
    await shell.ask('connections.save', { connection: id, endpoint: postgresAt('b.example.com') });
    const blocked = { connection: id, typed: { externalClients: 'blocked' }, home, digest };
    expect((await shell.ask('connections.form', blocked)).draft).toEqual({
      connection: id,
      externalClients: { level: 'blocked' },
    });
    await shell.ask('connections.delete', { connection: id });
  });

  test('is the same if nothing that the form shows has changed', async () => {
    const { id } = await shell.ask('connections.save', { name: 'Meanwhile', endpoint: postgresAt('a.example.com') });
    const { digest } = await shell.ask('connections.form', { connection: id, home });
    await shell.ask('connections.save', { connection: id, mask: ['users.email'] });
    const { draft } = await shell.ask('connections.form', { connection: id, typed: { group: 'Work' }, home, digest });
    expect(draft).toEqual({ connection: id, group: 'Work' });
    // The mode of its place is no value of a field.
    await shell.ask('connections.save', { connection: id, tls: { mode: 'require' } });
    await expect(
      shell.ask('connections.form', { connection: id, typed: { group: 'Work' }, home, digest }),
    ).rejects.toMatchObject({ data: { code: 'changed_since' } });
    await shell.ask('connections.delete', { connection: id });
  });
});

test('of a saved connection only what changed is sent', () => {
  expect(changes({})).toEqual({ connection: saved.id });
  expect(changes({ ...formValues(saved) })).toEqual({ connection: saved.id });
  expect(changes({ name: 'Größe', rowLimit: '', tags: 'eu, prod, , eu' })).toEqual({
    connection: saved.id,
    name: 'Größe',
    rowLimit: null,
  });
  expect(changes({ tags: 'eu, us', timeZone: '', group: '', colour: '#FF8000', aiPolicy: 'always' })).toEqual({
    connection: saved.id,
    ...{ tags: ['eu', 'us'], timeZone: null, group: null, colour: '#ff8000', aiPolicy: 'always' },
  });
});

test('of a new one everything is sent, and what is wrong too, for the daemon to say so', () => {
  expect(changes({}, null)).toEqual({ name: '', endpoint: { ...postgresAt(''), database: null, user: null } });
  const wrong = { 'endpoint.port': 'many', rowLimit: '70 000', 'tls.clientCertificate.certificateFile': 'a.crt' };
  expect(changes(wrong, null)).toMatchObject({
    endpoint: { port: 0 },
    rowLimit: 0,
    tls: { clientCertificate: { certificateFile: '/home/anna/a.crt', keyFile: '' } },
  });
  expect(changes({ place: 'socket', 'endpoint.socketPath': '~otto/x' }, null)).toMatchObject({
    endpoint: { host: null, socketPath: '~otto/x' },
  });
});

test('a file has a path and nothing else', () => {
  const typed = { name: 'Shop', engine: 'sqlite', 'endpoint.host': 'left over', tls: 'require' };
  const file = { ...postgresAt(''), engine: 'sqlite', host: null, database: null, user: null };
  expect(changes({ ...typed, password: 'stored', 'endpoint.filePath': '~/shop.db' }, null)).toEqual({
    name: 'Shop',
    endpoint: { ...file, filePath: '/home/anna/shop.db' },
  });
  expect(changes(typed, null)).toMatchObject({ endpoint: { filePath: '' } });
});

test('saving a name makes no timed write access endless', () => {
  expect(changes({ name: 'Other' })).not.toHaveProperty('externalClients');
  const level = (typed: FormValues, of = saved) => changes(typed, of).externalClients;
  expect(level({ 'externalClients.forSeconds': 'halfHour' })).toEqual({ level: 'readWrite', forSeconds: 1_800 });
  expect(level({ 'externalClients.forSeconds': 'noEnd' })).toEqual({ level: 'readWrite' });
  expect(level({ externalClients: 'blocked' })).toEqual({ level: 'blocked' });
  const narrow = { ...saved, externalClients: isReadOnly };
  expect(level({ 'externalClients.forSeconds': 'noEnd' }, narrow)).toBeUndefined();
  expect(level({ externalClients: 'readWrite' }, narrow)).toEqual({ level: 'readWrite', forSeconds: 1_800 });
  expect(level({ externalClients: 'readWrite', 'externalClients.forSeconds': 'tonight' }, narrow)).toEqual({
    level: 'readWrite',
    forSeconds: secondsUntilMidnight(new Date(at)),
  });
});

test('tonight is the person’s own midnight', () => {
  const midnight = new Date(2026, 10, 21).getTime();
  expect(secondsUntilMidnight(new Date(midnight - 500))).toBe(1);
  expect(secondsUntilMidnight(new Date(midnight - 3_600_000))).toBe(3_600);
  const hours = (new Date(2026, 9, 26).getTime() - new Date(2026, 9, 25).getTime()) / 1000;
  // Where the clocks are set back that night, the day has 25 hours.
  expect(secondsUntilMidnight(new Date(2026, 9, 25))).toBe(hours);
});

describe('the TLS mode', () => {
  const at = (host: string | null, mode: ConnectionView['tls']['mode']): ConnectionView => {
    const { tunnel: _, ...direct } = saved;
    return { ...direct, host, socketPath: host === null ? '/run/db.sock' : null, tls: { mode, caFile: null } };
  };
  const elsewhere = { place: 'host', 'endpoint.host': 'other.example.com' };

  test('of one place does not follow to another, and its CA file does', () => {
    expect(changes({ 'endpoint.host': 'db2.example.com' }).tls).toEqual({ caFile: '/etc/ssl/shop-ca.pem' });
    expect(changes({ 'endpoint.port': '5433' })).not.toHaveProperty('tls');
    for (const typed of [{ place: 'socket', 'endpoint.socketPath': '/run/x' }, { tunnel: 'none' }])
      expect(changes(typed as FormValues).tls).toEqual({ caFile: '/etc/ssl/shop-ca.pem' });
    for (const host of ['localhost', null, 'db.example.com']) {
      expect(changes(elsewhere, at(host, 'require'))).not.toHaveProperty('tls');
      expect(changes({ ...elsewhere, tls: 'require' }, at(host, 'require')).tls).toEqual({ mode: 'require' });
    }
  });

  test('that was chosen counts wherever the connection goes', () => {
    const jumping: ConnectionView = {
      ...at('db.example.com', 'disable'),
      tunnel: { kind: 'ssh', destination: 'bastion', jumps: ['x', 'y'], keyFile: null },
    };
    // Another text of the same hops.
    const sameHops = { 'tunnel.jumps': 'x,y', tls: 'verify-full' };
    expect(changes(sameHops, jumping)).toEqual({ connection: saved.id, tls: { mode: 'verify-full' } });
    expect(changes({ ...elsewhere, tls: 'verify-ca' }, jumping).tls).toEqual({ mode: 'verify-ca' });
    expect(changes({ tls: 'disable' }, jumping)).toEqual({ connection: saved.id });
  });

  test('stays where only what was typed beside a path has changed', () => {
    const socket: ConnectionView = { ...at(null, 'require'), socketPath: '/var//s' };
    const { host, port, database, engine, filePath } = socket;
    const endpoint = { engine, host, port, filePath, database, socketPath: '/var//s', user: 'otto' };
    expect(changes({ 'endpoint.user': 'otto' }, socket)).toEqual({ connection: saved.id, endpoint });
    const certificate = { certificateFile: '/a//b.crt', keyFile: '/a//b.key' };
    const held: ConnectionView = { ...socket, tls: { mode: 'require', caFile: null, clientCertificate: certificate } };
    expect(changes({ 'tls.clientCertificate.keyFile': '~/c' }, held).tls).toEqual({
      clientCertificate: { certificateFile: '/a//b.crt', keyFile: '/home/anna/c' },
    });
  });

  test('is Automatic only where none is saved', () => {
    const modes = (of: ConnectionView | null) =>
      formSections(of)
        .flatMap(({ fields }) => fields)
        .filter(({ label }) => label === 'Encryption')
        .map(({ saved: mode, choices }) => [mode, choices[0]?.label]);
    expect(modes(null)).toEqual([[undefined, 'Automatic']]);
    expect(modes(saved)).toEqual([[saved.tls.mode, 'Automatic']]);
    expect(formValues(saved)).not.toHaveProperty('tls');
  });

  test('of a pasted URL holds, and a URL without one keeps that of its place', async () => {
    const { id } = await shell.ask('connections.save', {
      name: 'Moved',
      endpoint: postgresAt('db.example.com'),
      tls: { mode: 'require' },
    });
    const pasted = async (url: string) =>
      (await shell.ask('connections.form', { connection: id, url: `postgres://otto@${url}`, home })).values;
    expect(await pasted('db.example.com/shop')).toMatchObject({ tls: '' });
    expect(await pasted('other/shop?sslmode=prefer')).toMatchObject({ tls: 'prefer' });
    await shell.ask('connections.delete', { connection: id });
  });
});

test('a client certificate comes with its key and its passphrase', () => {
  const files = { 'tls.clientCertificate.certificateFile': '~/anna.crt', 'tls.clientCertificate.keyFile': '/anna.key' };
  expect(changes({ ...files, 'tls.keyPassphrase': 'open sesame' }).tls).toEqual({
    clientCertificate: { certificateFile: '/home/anna/anna.crt', keyFile: '/anna.key' },
    keyPassphrase: 'open sesame',
  });
  const none = { 'tls.clientCertificate.certificateFile': '', 'tls.clientCertificate.keyFile': '' };
  expect(changes(none).tls).toEqual({ clientCertificate: null });
});

test('the password is asked for as its kind says', () => {
  const password = (typed: FormValues, of: ConnectionView | null = saved) => changes(typed, of).password;
  expect(password({ 'password.value': 'typed under no kind' }, null)).toBeUndefined();
  expect(password({ password: 'stored', 'password.value': 'hunter2' }, null)).toEqual({
    kind: 'stored',
    value: 'hunter2',
  });
  expect(password({ password: 'stored' }, null)).toEqual({ kind: 'stored', value: '' });
  expect(password({ password: 'command', 'password.command': 'op read x' })).toEqual({
    kind: 'command',
    command: 'op read x',
  });
  expect(password({ password: 'none' })).toEqual({ kind: 'none' });
  expect(password({ password: 'none' }, null)).toBeUndefined();
  const stored: ConnectionView = { ...saved, password: { kind: 'stored' } };
  expect(formValues(stored)).toMatchObject({ password: 'kept' });
  expect(password({}, stored)).toBeUndefined();
  expect(password({ password: 'none' }, stored)).toEqual({ kind: 'none' });
  const kinds = (of: ConnectionView | null) =>
    formSections(of).flatMap(({ fields }) => fields.filter(({ key }) => key === 'password'))[0]?.choices.length;
  expect([kinds(null), kinds(saved), kinds(stored)]).toEqual([3, 3, 4]);
});

test('a tunnel is changed and taken away', () => {
  const ssh = { 'tunnel.jumps': 'one, me@two:2222', 'tunnel.keyFile': '~/.ssh/id' };
  const secrets = { sshPassphrase: 'open sesame', sshPassword: 's3cret' };
  expect(changes({ ...ssh, ...secrets })).toMatchObject({
    tunnel: { destination: 'anna@bastion.example.com', jumps: ['one', 'me@two:2222'], keyFile: '/home/anna/.ssh/id' },
    ...secrets,
  });
  expect(changes({ tunnel: 'command', 'tunnel.command': 'nc {stdio}', ...secrets })).toMatchObject({
    tunnel: { kind: 'command', command: 'nc {stdio}' },
  });
  expect(changes({ tunnel: 'none', ...secrets })).not.toHaveProperty('sshPassword');
  expect(changes({ tunnel: 'none' }).tunnel).toBeNull();
  expect(changes({ place: 'socket', 'endpoint.socketPath': '/run/x' }).tunnel).toBeNull();
});

test('only PostgreSQL has servers of a kind', () => {
  const mysql: ConnectionView = { ...saved, engine: 'mysql' };
  expect(changes({ targetServers: 'standby' }).targetServers).toBe('standby');
  expect(changes({ targetServers: 'standby' }, mysql)).not.toHaveProperty('targetServers');
  expect(changes({ targetServers: '' }, { ...saved, targetServers: 'standby' }).targetServers).toBeNull();
});

test('a saved secret is not in the form, which needs no proof', async () => {
  const password = { kind: 'stored', value: 'hunter2' } as const;
  const { id } = await shell.ask('connections.save', { name: 'Kept', endpoint: postgresAt('db.invalid'), password });
  const form = await shell.ask('connections.form', { connection: id, home });
  expect(form.values.password).toBe('kept');
  expect(JSON.stringify(form)).not.toContain('hunter2');
  await shell.ask('connections.delete', { connection: id });
});

test('a secret is typed unseen', () => {
  const secrets = formSections(saved).flatMap(({ fields }) => fields.filter(({ kind }) => kind === 'secret'));
  expect(secrets.map(({ key }) => key)).toEqual([
    'password.value',
    'tls.keyPassphrase',
    'sshPassphrase',
    'sshPassword',
  ]);
});

test('a colour of one’s own is a choice', () => {
  const colours = (of: ConnectionView | null) =>
    formSections(of).flatMap(({ fields }) => fields.filter(({ key }) => key === 'colour'))[0]?.choices ?? [];
  expect(colours({ ...saved, colour: '#ff8000' }).at(-1)).toEqual({ value: '#ff8000', label: '#ff8000' });
  expect(colours(saved)).toEqual(colours(null));
  expect(colours(null).at(-1)).toEqual({ value: 'grey', label: 'Gray' });
});

test('each field has a value, a place in the drawing, and conditions on values that there are', () => {
  for (const each of [null, saved]) {
    const fields = formSections(each).flatMap(section => section.fields);
    const keys = new Set(fields.map(({ key }) => key));
    expect(keys.size).toBe(fields.length);
    for (const { shownIf = {} } of fields)
      for (const [key, values] of Object.entries(shownIf)) {
        if (key === 'engine') continue;
        const choices = fields.find(other => other.key === key)?.choices.map(({ value }) => value) ?? [];
        expect(choices).toEqual(expect.arrayContaining([...values]));
      }
  }
});

test('of a pasted tunnel the database and the user behind it are kept', async () => {
  expect((await read('postgresql+ssh://me@bastion:2222/u@db.internal:5433/d')).values).toMatchObject({
    'endpoint.host': 'db.internal',
    'endpoint.port': '5433',
    'endpoint.database': 'd',
    'endpoint.user': 'u',
    tunnel: 'ssh',
    'tunnel.destination': 'me@bastion:2222',
  });
});

test('the hops of a saved tunnel stay while something else of it changes', () => {
  const tunnel = { kind: 'ssh', destination: 'me@far', jumps: ['one', 'me@two:2222'], keyFile: null } as const;
  const hopping: ConnectionView = { ...saved, tunnel };
  expect(formValues(hopping)).toMatchObject({ 'tunnel.jumps': 'one, me@two:2222' });
  expect(changes({}, hopping)).toEqual({ connection: saved.id });
  expect(changes({ 'tunnel.destination': 'me@farther' }, hopping).tunnel).toEqual({
    ...tunnel,
    destination: 'me@farther',
  });
  expect(changes({ 'tunnel.jumps': '' }, hopping).tunnel).toEqual({ ...tunnel, jumps: [] });
});
