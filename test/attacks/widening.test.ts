/**
 * An agent with a terminal, the shell secret and no passphrase (spec §11) tries every command there is to get more than it was
 * given. What narrows still works for it, as it does for anybody.
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { settingKeys, settingSpecs } from '../../daemon/access/settings/settings.ts';
import { controlMethods } from '../../daemon/shells/commands.ts';
import { wideningVerdicts } from '../../daemon/shells/widening-verdicts.ts';
import { errorCodes } from '../../shared/codes.ts';
import type { ControlCommands, ControlMethod } from '../../shared/control-commands.ts';
import { type ControlClient, Refused } from '../../shell-terminal/control-client.ts';
import { principalWith } from '../access/principals.ts';
import { askForAccess, askOpened, shownTakes } from '../shells/asked-request.ts';
import { postgresAt, shellOf, sqliteAt, sqliteFiles } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';

const file = sqliteFiles();

const passphrase = 'correct horse battery';
type Request<Method extends ControlMethod = ControlMethod> = ControlCommands[Method]['params'];

/** Every way a command can widen; a command that is missing here is a type error, and fails below. */
const attacks: { readonly [Method in ControlMethod]: readonly Request<Method>[] | 'never widens' } = {
  status: 'never widens',
  stop: 'never widens',
  pause: 'never widens',
  resume: [{}],
  'settings.list': 'never widens',
  'settings.get': 'never widens',
  'settings.set': [
    { key: 'port', value: 40_000 },
    { key: 'port.fallback', value: 'true' },
    { key: 'enabled', value: true },
    { key: 'enabled', value: 'true' },
    { key: 'keychain', value: 'auto' },
    { key: 'history', value: 'off' },
    { key: 'history.days', value: 1 },
    { key: 'writes.maxRows', value: 1_001 },
    { key: 'limits.requestsPerMinute', value: 0 },
    { key: 'limits.concurrentRequests', value: '999' },
    { key: 'approval.rememberHours', value: 720 },
  ],
  'connections.list': 'never widens',
  'connections.show': 'never widens',
  'connections.save': [
    { connection: 'Shop', externalClients: { level: 'readWrite' } },
    { connection: 'Shop', externalClients: { level: 'readWrite', forSeconds: 60 } },
    { connection: 'SHOP', externalClients: { level: 'readOnly' } },
    { connection: 'Shop', aiPolicy: 'always' },
    { connection: 'Shop', aiPolicy: 'askEachTime' },
    { connection: 'Shop', databases: 'all' },
    { connection: 'Shop', password: { kind: 'command', command: 'id > /tmp/x' } },
    { connection: 'Shop', password: { kind: 'stored', value: 'mine' } },
    { connection: 'Shop', password: { kind: 'none' } },
    { connection: 'Sealed', tls: { clientCertificate: null } },
    { connection: 'Sealed', tls: { keyPassphrase: 'mine' } },
    { connection: 'Unlocked', password: { kind: 'stored', value: 'mine' } },
    { name: 'New', endpoint: postgresAt('DB.example.') },
    { connection: 'Shop', endpoint: postgresAt('evil.example') },
    { connection: 'Shop', endpoint: postgresAt('evil.example'), password: { kind: 'stored', value: 'mine' } },
    { connection: 'Shop', endpoint: postgresAt('db.example', 6_543) },
    { connection: 'Shop', endpoint: postgresAt('db.example,evil.example') },
    { connection: 'Shop', endpoint: postgresAt('evil.example:5432,db.example') },
    { connection: 'Shop', targetServers: 'standby' },
    { connection: 'Shop', endpoint: { ...postgresAt('db.example'), user: 'postgres' } },
    { connection: 'Shop', endpoint: { ...postgresAt('db.example'), database: 'payroll' } },
    { connection: 'Shop', endpoint: { ...postgresAt('db.example'), host: null, port: null, socketPath: '/tmp/s' } },
    { connection: 'Shop', tls: { mode: 'disable' } },
    { connection: 'Shop', tls: { caFile: '/tmp/ca.pem' } },
    { connection: 'Shop', tls: { clientCertificate: { certificateFile: '/tmp/a.crt', keyFile: '/tmp/a.key' } } },
    { connection: 'File', endpoint: sqliteAt(file('other.db')) },
    { connection: 'File', name: 'Staging' },
    { name: 'New', endpoint: postgresAt('127.0.0.1'), externalClients: { level: 'readWrite' } },
    { name: 'New', endpoint: postgresAt('127.0.0.1'), databases: 'all' },
    { name: 'New', endpoint: postgresAt('127.0.0.1'), password: { kind: 'command', command: 'id' } },
  ],
  'connections.delete': 'never widens',
  'connections.removed': 'never widens',
  // Of one that was removed: same-place.test.ts.
  'connections.restore': [],
  'connections.test': 'never widens',
  'connections.role': [
    { connection: 'Shop', apply: '0'.repeat(64) },
    { connection: 'Shop', access: 'readWrite', schemas: ['payroll'], role: 'mine', apply: '0'.repeat(64) },
  ],
  'tokens.list': 'never widens',
  'tokens.mint': [
    { name: 'x', scope: 'readOnly', connections: ['Shop'], expires: 1, confirmInClient: false },
    { name: 'x', scope: 'readOnly', connections: ['File', 'Shop'], expires: 1, confirmInClient: false },
    { name: 'x', scope: 'readOnly', connections: 'all', expires: 90, confirmInClient: false },
    { name: 'x', scope: 'readOnly', connections: ['File'], expires: 'never', confirmInClient: false },
    { name: 'x', scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: true },
    { name: 'x', scope: 'readWrite', connections: [], expires: 1, confirmInClient: false },
    { name: 'x', scope: 'fullAccess', connections: 'all', expires: 'never', confirmInClient: true },
  ],
  // Of a token that there is: below.
  'tokens.edit': [],
  'tokens.revoke': 'never widens',
  'tokens.delete': 'never widens',
  'approvals.pending': 'never widens',
  'approvals.attach': 'never widens',
  'approvals.decide': [{ id: 'abcd1234', answer: 'yes' }],
  'requests.list': 'never widens',
  'requests.open': 'never widens',
  'requests.decide': [
    { ids: ['rqst2345'], answer: 'once' },
    { ids: ['rqst2345'], answer: 'run' },
  ],
  // Only where the server is off; see below.
  'confirmations.pending': 'never widens',
  // A yes from anything but Sallyport.app is refused: widening-app.test.ts.
  'confirmations.decide': 'never widens',
  'pairing.begin': 'never widens',
  'pairing.decide': [{ id: 'x', decision: 'approve', scope: 'readWrite', connections: 'all', expires: 1 }],
  'pairing.close': 'never widens',
  'passphrase.set': [{ passphrase: 'the agent is the owner now' }],
  // For a new home it is refused to everybody: through-our-doors.test.ts.
  'passphrase.off': [{}],
  'passphrase.confirm': [{}],
  // Where Sallyport.app confirms and none is set: widening-app.test.ts.
  'passphrase.reset': [],
  'clients.list': 'never widens',
  'snippets.list': 'never widens',
  'connections.read-url': 'never widens',
  'changes.follow': 'never widens',
  'statements.classify': 'never widens',
  // Where one was blocked and removed: same-place.test.ts.
  'demo.create': [],
  'history.query': [{ limit: 1, all: true }],
  'history.clear': [{}],
  'activity.query': 'never widens',
  'activity.verify': 'never widens',
  'activity.follow': 'never widens',
};

let daemon: DaemonInProcess;
let agent: ControlClient;

beforeEach(async () => {
  daemon = await startDaemonInProcess();
  agent = await shellOf(daemon);
  await agent.ask('connections.save', {
    name: 'Shop',
    endpoint: postgresAt('db.example'),
    password: { kind: 'stored', value: 'secret' },
    externalClients: { level: 'blocked' },
    aiPolicy: 'never',
  });
  await agent.ask('connections.save', {
    name: 'Sealed',
    endpoint: postgresAt('sealed.example'),
    tls: { clientCertificate: { certificateFile: '/a.crt', keyFile: '/a.key' }, keyPassphrase: 'secret too' },
  });
  await agent.ask('connections.save', { name: 'Unlocked', endpoint: postgresAt('unlocked.example') });
  await agent.ask('connections.save', { name: 'File', endpoint: sqliteAt(file('one.db')) });
  await agent.ask('settings.set', { key: 'port.fallback', value: false });
  await agent.ask('settings.set', { key: 'enabled', value: false });
  await agent.ask('settings.set', { key: 'keychain', value: 'required' });
  await askOpened(daemon.accessRequests);
  await agent.ask('passphrase.set', { passphrase });
});
afterEach(async () => {
  agent.close();
  await daemon.end();
});

async function refusalOf(asking: Promise<unknown>): Promise<Refused> {
  try {
    await asking;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Everything an agent would want changed. */
async function standing(): Promise<unknown> {
  const { connections } = await agent.ask('connections.list', {});
  const { tokens } = await agent.ask('tokens.list', {});
  const { settings } = await agent.ask('settings.list', {});
  return { connections, tokens, settings, secrets: Object.fromEntries(daemon.secrets) };
}

test('every command has a verdict, here and in the daemon', () => {
  expect(Object.keys(attacks).sort()).toEqual([...controlMethods].sort());
  const settings = attacks['settings.set'] as readonly Request<'settings.set'>[];
  const canWiden = settingKeys.filter(key => settingSpecs[key].widens !== null);
  expect([...new Set(settings.map(({ key }) => key))].sort()).toEqual(canWiden.sort());
  expect(Object.keys(wideningVerdicts).sort()).toEqual([...controlMethods].sort());
  for (const method of controlMethods) {
    if (attacks[method] === 'never widens') expect(wideningVerdicts[method]).toBe('never');
    else expect(typeof wideningVerdicts[method]).toBe('function');
  }
});

describe('without the passphrase', () => {
  const all = (Object.entries(attacks) as [ControlMethod, readonly Request[] | 'never widens'][]).flatMap(
    ([method, requests]) =>
      requests === 'never widens' ? [] : requests.map(request => [method, JSON.stringify(request), request] as const),
  );

  test.each(all)('%s %s is refused and changes nothing', async (method, _, request) => {
    const before = await standing();
    const refusal = await refusalOf(agent.ask(method, request as never));
    expect(refusal).toMatchObject({ code: errorCodes.forbidden, data: { confirm: 'passphrase' } });
    expect(refusal.message).toMatch(/^This .*\. It needs the owner passphrase, which a person types /);
    const wrong = await refusalOf(agent.ask(method, request as never, 'a guess of mine'));
    expect(wrong.message).toMatch(/^That is not the owner passphrase\. This /);
    expect(await standing()).toEqual(before);
  });

  test('a passphrase that is no text, or stands among the parameters, is none', async () => {
    const before = await standing();
    for (const typed of [null, true, {}, [passphrase], 1, 'x'.repeat(100_000)]) {
      expect((await refusalOf(agent.ask('resume', {}, typed as never))).data).toMatchObject({ confirm: 'passphrase' });
    }
    await refusalOf(agent.ask('resume', { passphrase } as never));
    expect(await standing()).toEqual(before);
  });

  test('guessing ends after three, on however many connections, and then the right one waits too', async () => {
    const others = await Promise.all([shellOf(daemon), shellOf(daemon), shellOf(daemon), shellOf(daemon)]);
    const guesses = [...others, agent].flatMap((shell, index) =>
      ['a', 'b'].map(typed => refusalOf(shell.ask('resume', {}, `${typed}${index}`))),
    );
    const refusals = await Promise.all(guesses);
    expect(refusals.filter(({ message }) => message.startsWith('That is not'))).toHaveLength(3);
    expect(refusals.filter(({ message }) => message.startsWith('Too many wrong'))).toHaveLength(7);
    expect((await refusalOf(agent.ask('resume', {}, passphrase))).message).toMatch(/^Too many wrong .* in 60 s/);
    daemon.now += 60_000;
    expect(await agent.ask('resume', {}, passphrase)).toEqual({ paused: false });
    for (const shell of others) shell.close();
  });

  test('a widening hidden behind a narrowing that is sent with it is seen', async () => {
    await agent.ask('connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' } }, passphrase);
    const narrowed = agent.ask('connections.save', { connection: 'Shop', externalClients: { level: 'blocked' } });
    const again = refusalOf(
      agent.ask('connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' } }),
    );
    await narrowed;
    expect((await again).data).toMatchObject({ confirm: 'passphrase' });
    const mixed = { connection: 'Shop', aiPolicy: 'never' as const, externalClients: { level: 'readOnly' as const } };
    expect((await refusalOf(agent.ask('connections.save', mixed))).message).toContain('lets clients read "Shop"');
  });

  test('a question to the user is not the agent’s to answer', async () => {
    await agent.ask('approvals.attach', { answers: true });
    const gone = new AbortController();
    const [connection] = (await agent.ask('connections.list', {})).connections;
    const content = {
      kind: 'first_use' as const,
      client: 'Agent',
      means: 'Once.',
      connection: { id: connection?.id ?? '', name: 'Shop', tags: [], colour: null },
      statement: null,
    };
    const asked = daemon.approvals.ask(principalWith(), content, gone.signal);
    const [question] = daemon.approvals.pending();
    const id = question?.id ?? '';
    expect((await refusalOf(agent.ask('approvals.decide', { id, answer: 'yes' }))).data).toMatchObject({
      confirm: 'passphrase',
    });
    expect(daemon.approvals.pending()).toHaveLength(1);
    expect(await agent.ask('approvals.decide', { id, answer: 'no' })).toEqual({ id, answer: 'no' });
    gone.abort();
    await asked;
  });

  test('a pairing link does not start a server that is switched off, and its approval without a yes does not', async () => {
    const status = daemon.ports.status();
    Object.assign(daemon.ports, { status: () => ({ ...status, state: 'off' }) });
    daemon.serve = () => 'started all the same';
    const link = `sallyport://integrations/pair?client=Ed&challenge=${'a'.repeat(43)}&scopes=readOnly&redirect=http://127.0.0.1:8123/`;
    const { id } = await agent.ask('pairing.begin', { link, handler: null });
    const approval = { id, decision: 'approve', scope: 'readOnly', connections: 'all', expires: 1 } as const;
    const refusal = await refusalOf(agent.ask('pairing.decide', approval));
    expect(refusal).toMatchObject({ data: { confirm: 'passphrase' } });
    expect(refusal.message).toContain('and starts the server, which is switched off');
  });

  test('a token is edited to do, reach or last more with the passphrase alone, to less by anybody', async () => {
    const { connections } = await agent.ask('connections.list', {});
    const idOf = (wanted: string) => connections.find(({ name }) => name === wanted)?.id ?? '';
    const wanted = {
      name: 'x',
      scope: 'readWrite',
      connections: ['Shop'],
      expires: 30,
      confirmInClient: false,
    } as const;
    const { id, token } = await agent.ask('tokens.mint', wanted, passphrase);
    const before = await standing();
    for (const [more, said] of [
      [{ scope: 'fullAccess' }, 'gives the token "x" Full Access'],
      [{ connections: 'all' }, 'gives the token "x" every connection'],
      [{ connections: ['File'] }, 'gives the token "x" "File"'],
      [{ connections: ['Shop', 'File'], scope: 'readOnly' }, 'gives the token "x" "Shop" and "File"'],
      [{ connections: ['no such'], scope: 'readOnly' }, 'gives the token "x" "no such"'],
      [{ expires: 'never', scope: 'readOnly' }, 'a life without an end'],
      [{ expires: 90, connections: [] }, '90 more days'],
    ] as const) {
      const refusal = await refusalOf(agent.ask('tokens.edit', { id, ...more }));
      expect({ message: refusal.message, data: refusal.data }).toMatchObject({
        message: expect.stringContaining(said),
        data: { confirm: 'passphrase' },
      });
      expect(await standing()).toEqual(before);
    }
    daemon.now += 60_000;
    // An expiry counts from now: the same number of days is later by a minute.
    expect((await refusalOf(agent.ask('tokens.edit', { id, expires: 30 }))).data).toMatchObject({
      confirm: 'passphrase',
    });
    const less = { id, scope: 'readOnly', connections: [idOf('Shop')], expires: 7 } as const;
    expect(await agent.ask('tokens.edit', less)).toMatchObject({ scope: 'readOnly', connections: [{ name: 'Shop' }] });
    expect(daemon.ports.tokens.verify(token)).toMatchObject({ kind: 'valid', record: { scope: 'readOnly' } });
    expect((await refusalOf(agent.ask('tokens.edit', { id, scope: 'readWrite' }))).data).toMatchObject({
      confirm: 'passphrase',
    });
    expect(await agent.ask('tokens.edit', { id, connections: [] })).toMatchObject({ connections: [] });
    expect((await refusalOf(agent.ask('tokens.edit', { id, connections: ['Shop'] }))).data).toMatchObject({
      confirm: 'passphrase',
    });
    daemon.now += 8 * 86_400_000;
    expect((await refusalOf(agent.ask('tokens.edit', { id, expires: 1 }, passphrase))).message).toMatch(/has ended/);
    await agent.ask('tokens.revoke', { id });
    expect((await refusalOf(agent.ask('tokens.edit', { id, expires: 1 }, passphrase))).message).toMatch(/has ended/);
    expect(daemon.ports.tokens.verify(token)).toMatchObject({ kind: 'revoked' });
  });

  test('what narrows, and what only looks, is free', async () => {
    expect(await agent.ask('pause', {})).toEqual({ paused: true });
    for (const [key, value] of [
      ['history.days', 365],
      ['limits.requestsPerMinute', 1],
      ['approval.rememberHours', 0],
      ['results.maxRows', 100],
      ['enabled', false],
    ] as const) {
      expect(await agent.ask('settings.set', { key, value })).toMatchObject({ key, value });
    }
    await agent.ask('connections.save', { connection: 'Shop', tls: { mode: 'verify-full' } });
    await agent.ask('connections.save', { connection: 'Shop', colour: 'red' });
    await agent.ask('connections.save', {
      connection: 'File',
      externalClients: { level: 'blocked' },
      aiPolicy: 'never',
    });
    await agent.ask('connections.save', { name: 'New', endpoint: postgresAt('127.0.0.1') });
    await agent.ask('connections.delete', { connection: 'Shop' });
    const minted = await agent.ask(
      'tokens.mint',
      { name: 'x', scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: false },
      passphrase,
    );
    expect(await agent.ask('tokens.revoke', { id: minted.id })).toEqual({ id: minted.id });
    expect(await agent.ask('tokens.delete', { id: minted.id })).toEqual({ id: minted.id });
    expect((await agent.ask('status', {})).passphrase.state).toBe('set');
  });
});

describe('an access request', () => {
  const shows = (lines: readonly string[]) => ({ ...shownTakes, words: { lines, note: null } });
  const ids = ['rqst2345'];

  test.each(['once', 'run'] as const)(
    'is answered %s only once it was opened: nobody saw what it takes',
    async answer => {
      await askForAccess(daemon.accessRequests, { text: 'DELETE FROM t' });
      const both = { ids: [...ids, 'rqst2346'], answer };
      for (const typed of [undefined, passphrase]) {
        const refusal = await refusalOf(agent.ask('requests.decide', both, typed));
        expect(refusal).toMatchObject({ message: expect.stringContaining('was not opened'), data: undefined });
      }
      expect(daemon.accessRequests.waiting()).toHaveLength(2);
      const { requests } = await agent.ask('requests.open', { ids: both.ids });
      expect(requests.map(({ statement }) => statement?.takes)).toEqual([shownTakes.words, shownTakes.words]);
      await agent.ask('requests.decide', both, passphrase);
      expect(daemon.accessRequests.waiting()).toEqual([]);
    },
  );

  test('is refused without having been opened, and one that no longer waits is not opened', async () => {
    await askForAccess(daemon.accessRequests, { text: 'DELETE FROM t' });
    await agent.ask('requests.decide', { ids: ['rqst2346'], answer: 'no' });
    expect((await refusalOf(agent.ask('requests.open', { ids: ['rqst2346'] }))).message).toContain('no longer waits');
  });

  test('whose figures change while the passphrase is typed is shown again, with the new ones', async () => {
    const run = { ids, answer: 'run' } as const;
    const factsOf = ({ data }: Refused) => JSON.stringify(data);
    daemon.accessRequests.open('rqst2345', shows(['changes 1 row of t']));
    expect(factsOf(await refusalOf(agent.ask('requests.decide', run)))).toContain('changes 1 row of t');
    daemon.accessRequests.open('rqst2345', shows(['changes 900 rows of t']));
    expect(factsOf(await refusalOf(agent.ask('requests.decide', run, passphrase)))).toContain('changes 900 rows of t');
    expect(await agent.ask('requests.decide', run, passphrase)).toMatchObject({
      ran: [{ id: 'rqst2345', failed: null }],
    });
  });

  test('is not opened anew between what its passphrase allows and the run', async () => {
    const run = { ids, answer: 'run' } as const;
    await refusalOf(agent.ask('requests.decide', run));
    const before = daemon.accessRequests.find('rqst2345')?.shown;
    let ran: unknown = null;
    daemon.ran = ({ shown }) => {
      ran = shown;
    };
    const [, opening] = await Promise.allSettled([
      agent.ask('requests.decide', run, passphrase),
      agent.ask('requests.open', { ids }),
    ]);
    expect(ran).toBe(before);
    expect(opening.status).toBe('rejected');
  });
});

describe('with the passphrase', () => {
  test('the owner may do all of it', async () => {
    await agent.ask('connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' } }, passphrase);
    await agent.ask('settings.set', { key: 'enabled', value: true }, passphrase);
    await agent.ask('passphrase.set', { passphrase: 'another one of mine' }, passphrase);
    expect((await refusalOf(agent.ask('resume', {}, passphrase))).message).toMatch(/^That is not/);
    expect(await agent.ask('resume', {}, 'another one of mine')).toEqual({ paused: false });
    expect(await agent.ask('passphrase.off', {}, 'another one of mine')).toMatchObject({ state: 'off' });
    expect((await agent.ask('status', {})).passphrase.state).toBe('off');
    expect(await agent.ask('resume', {})).toEqual({ paused: false });
  });
});
