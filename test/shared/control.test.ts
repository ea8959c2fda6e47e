/**
 * Each control message has one sample in shared/fixtures/control (spec §11), which other shells
 * decode too. Here a real control socket checks each one: the proofs against our own, each request
 * by its answer, each answer against the sample's exact shape.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type * as z from 'zod';
import { type ControlMethod, commands } from '../../daemon/shells/commands.ts';
import { pushed } from '../../daemon/shells/messages/pushed.ts';
import { errorCodes } from '../../shared/codes.ts';
import { type ControlNotification, seal, unseal } from '../../shared/control.ts';
import { identifyProof, shellProof, shellSessionKey } from '../../shared/proofs.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { principalWith } from '../access/principals.ts';
import { askForAccess } from '../shells/asked-request.ts';
import { shellOf } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';
import { askedIn } from '../shells/desk-pushes.ts';
import { until } from '../waiting/until.ts';

const folder = new URL('../../shared/fixtures/control/', import.meta.url);
const sample = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
const proofs = sample('proofs');

/** In an order in which each finds what it needs; a missing method is a type error. */
const methods: Readonly<Record<ControlMethod, string[]>> = {
  'changes.follow': ['changes.follow'],
  'connections.save': ['connections.save', 'connections.save-change'],
  'connections.form': [
    'connections.form',
    'connections.form-saved',
    'connections.form-pasted',
    'connections.form-draft',
  ],
  'connections.list': ['connections.list'],
  'connections.show': ['connections.show'],
  'connections.try': ['connections.try'],
  'connections.trust': ['connections.trust'],
  'connections.prove': ['connections.prove'],
  'policy.compare': ['policy.compare'],
  'policy.apply': ['policy.apply'],
  // Once one was applied.
  'policy.show': ['policy.show'],
  'connections.test': ['connections.test', 'connections.test-unreachable'],
  'connections.role': ['connections.role'],
  'statements.classify': ['statements.classify'],
  'statements.split': ['statements.split'],
  'pairing.begin': ['pairing.begin'],
  'desk.list': ['desk.list'],
  'desk.attach': ['desk.attach'],
  'desk.open': ['desk.open'],
  'desk.decide': ['desk.decide', 'desk.decide-run', 'desk.decide-pairing', 'desk.decide-no', 'desk.decide-close'],
  'tokens.mint': ['tokens.mint'],
  'tokens.list': ['tokens.list'],
  'tokens.edit': ['tokens.edit'],
  'tokens.revoke': ['tokens.revoke'],
  'tokens.delete': ['tokens.delete'],
  'boxes.add': ['boxes.add'],
  'boxes.list': ['boxes.list'],
  'boxes.revoke': ['boxes.revoke'],
  'connections.delete': ['connections.delete'],
  'connections.removed': ['connections.removed'],
  'connections.restore': ['connections.restore'],
  'demo.create': ['demo.create'],
  'settings.list': ['settings.list'],
  'settings.get': ['settings.get'],
  'settings.set': ['settings.set'],
  pause: ['pause'],
  resume: ['resume'],
  'history.query': ['history.query'],
  'history.clear': ['history.clear'],
  'activity.follow': ['activity.follow'],
  'passphrase.set': ['passphrase.set'],
  'passphrase.reset': ['passphrase.reset'],
  // Typing the passphrase ends the reset.
  'passphrase.confirm': ['passphrase.confirm'],
  // Earlier entries are written first, and so they are pushed.
  'activity.query': ['activity.query'],
  'activity.verify': ['activity.verify'],
  'clients.list': ['clients.list'],
  'snippets.list': ['snippets.list'],
  // Below.
  'passphrase.touchId': [],
  'passphrase.off': [],
  status: [],
  stop: [],
};

/** Once a passphrase is set. Only the app may send the first; it is attached from here on. */
const confirmed: [ControlMethod, string[]][] = [
  ['desk.decide', ['desk.decide-increase']],
  ['passphrase.touchId', ['passphrase.touchId']],
  ['passphrase.off', ['passphrase.off']],
  ['status', ['status']],
  ['stop', ['stop']],
];
const inOrder = [...(Object.entries(methods) as [ControlMethod, string[]][]), ...confirmed];

/** Forms of one push. */
const otherPushes = ['desk.changed-ended', 'desk.changed-increase', 'desk.changed-pairing'];

const results = new Map<string, z.ZodType>(commands.map(({ name, result }) => [name, result]));

describe('proofs', () => {
  const { secret, token, shellNonce, daemonNonce, instance, port } = proofs;
  test('are what this code computes', () => {
    expect(identifyProof(token, shellNonce, instance, port)).toBe(proofs.identifyProof);
    expect(shellProof(secret, 'daemon', shellNonce, daemonNonce)).toBe(proofs.daemonProof);
    expect(shellProof(secret, 'shell', shellNonce, daemonNonce)).toBe(proofs.shellProof);
    expect(shellSessionKey(secret, shellNonce, daemonNonce)).toBe(proofs.sessionKey);
  });

  test('are in the samples of the introduction', () => {
    expect(sample('identify.request').params).toEqual({ protocol: '2', nonce: shellNonce });
    expect(sample('identify.result-on').result).toMatchObject({
      server: 'on',
      instance,
      port,
      proof: proofs.identifyProof,
    });
    expect(sample('identify.result-off').result).toEqual({ server: 'off', protocol: '2', version: '0.1.0' });
    const introduced = { protocol: '2', nonce: shellNonce, shell: 'terminal', pid: 4242 };
    expect(sample('shell.challenge.request').params).toEqual(introduced);
    expect(sample('shell.challenge.result').result).toEqual({
      protocol: '2',
      nonce: daemonNonce,
      proof: proofs.daemonProof,
    });
    expect(sample('shell.prove.request').params).toEqual({ proof: proofs.shellProof });
    expect(sample('shell.prove.result').result).toEqual({});
  });

  test('seal the samples of sealed lines, in one direction each', () => {
    for (const [name, side, other] of [
      ['sealed.request', 'shell', 'daemon'],
      ['sealed.result', 'daemon', 'shell'],
    ] as const) {
      const line = sample(name);
      expect(unseal(proofs.sessionKey, side, 1, JSON.stringify(line))).toBe(line.message);
      expect(unseal(proofs.sessionKey, other, 1, JSON.stringify(line))).toBeNull();
      expect(unseal(proofs.sessionKey, side, 2, JSON.stringify(line))).toBeNull();
      expect(seal(proofs.sessionKey, side, 1, line.message)).toEqual(line);
      expect(JSON.parse(line.message)).toMatchObject({ jsonrpc: '2.0', id: 1 });
    }
  });
});

test('errors have the shared codes and a sentence', () => {
  expect(sample('error.unauthenticated').error.code).toBe(errorCodes.unauthenticated);
  expect(sample('error.refused').error.code).toBe(errorCodes.forbidden);
  expect(sample('error.confirm').error).toMatchObject({ code: errorCodes.forbidden, data: { confirm: 'passphrase' } });
  expect(sample('error.choose').error).toMatchObject({ code: errorCodes.forbidden, data: { confirm: 'choose' } });
  expect(sample('error.confirm-app').error).toMatchObject({
    code: errorCodes.forbidden,
    data: { confirm: 'app', passphrase: true },
  });
  expect(sample('error.touch-id').error.data).toMatchObject({ confirm: 'app', touchId: expect.any(String) });
  expect(sample('error.other-version').error).toMatchObject({
    code: errorCodes.unsupportedProtocolVersion,
    data: { supported: ['2'] },
  });
});

test('each message has a sample, and nothing else has', () => {
  const introduction = ['identify.request', 'identify.result-on', 'identify.result-off'];
  const shell = ['shell.challenge', 'shell.prove', 'sealed'].flatMap(name => [`${name}.request`, `${name}.result`]);
  const errors = [
    'error.unauthenticated',
    'error.refused',
    'error.confirm',
    'error.confirm-app',
    'error.touch-id',
    'error.choose',
    'error.other-version',
  ];
  const asked = inOrder
    .flatMap(([, names]) => names)
    .flatMap(name =>
      name === 'connections.test-unreachable' ? [`${name}.result`] : [`${name}.request`, `${name}.result`],
    )
    .concat('tokens.mint-in-app.request');
  const notifications = [...Object.keys(pushed), ...otherPushes].map(name => `${name}.notification`);
  const all = ['proofs', ...introduction, ...shell, ...errors, ...asked, ...notifications];
  const expected = all.map(name => `${name}.json`);
  expect(readdirSync(folder).sort()).toEqual(expected.sort());
});

describe('a real control socket', () => {
  let daemon: DaemonInProcess;
  let shell: ControlClient;
  let app: ControlClient | null = null;
  let increase = '';
  const heard: ControlNotification[] = [];
  beforeAll(async () => {
    daemon = await startDaemonInProcess({
      platform: 'darwin',
      backend: () => 'keychain',
      passphrase: 'off',
      notes: sample('status.result').result.notes,
    });
    shell = await shellOf(daemon);
    shell.onNotification(notification => heard.push(notification));
    await shell.ask('desk.attach', { answers: true });
    const { client, connection, statement } = sample('desk.changed.notification').params.asked;
    const { text, class: statementClass, takes } = statement;
    const judged = {
      text,
      class: statementClass,
      takes,
      reason: 'It removes rows.',
      reasonParts: [],
      tables: ['größen'],
    };
    const content = { kind: 'statement', client, connection, means: 'Once.', statement: judged } as const;
    // The first has the id of the sample.
    await askForAccess(daemon.accessRequests);
    void daemon.approvals.ask(principalWith(), content, new AbortController().signal);
  });
  afterAll(async () => {
    shell.close();
    app?.close();
    await daemon.end();
  });

  for (const [method, names] of inOrder) {
    for (const name of names) {
      test(`answers ${name} as its sample says`, async () => {
        // One request has two forms of answer.
        const unreachable = name.endsWith('-unreachable');
        const request = sample(unreachable ? `${method}.request` : `${name}.request`);
        expect(request.method).toBe(method);
        if (unreachable) {
          daemon.dial = async () => ({ kind: 'not_connected', message: 'nobody there' });
          daemon.unknownHostKey = sample(`${name}.result`).result.hostKey;
        }
        // Three requests are started: one for each decision, which comes next, and one to close.
        if (name === 'pairing.begin') for (const _ of ['to deny', 'to close']) await shell.ask(method, request.params);
        if (name === 'desk.decide-increase') await appAsked();
        const params = await withRealIds(request.params);
        const isApps = name === 'desk.decide-increase' || method === 'passphrase.touchId';
        const asker = isApps && app !== null ? app : shell;
        const answer = await asker.ask(method, params, request.passphrase, request.confirm);
        const told = sample(`${name}.result`).result;
        expect(shapeOf(answer)).toEqual(shapeOf(told));
        for (const given of [answer, told]) expect(results.get(method)?.parse(given)).toEqual(given);
      });
    }
  }

  test('pushes what the samples say', async () => {
    // Changed lists are reported after a delay, which a fast machine outruns.
    await until(() => heard.some(({ method }) => method === 'settings.changed'), 'the changed settings are told');
    expect([...new Set(heard.map(({ method }) => method))].sort()).toEqual(Object.keys(pushed).sort());
    const forms = new Set<string>();
    for (const told of heard) {
      const { method, params } = told;
      const form = formOf(told);
      forms.add(form ?? '');
      for (const given of [params, ...(form === null ? [] : [sample(`${form}.notification`).params])])
        expect(pushed[method].parse(given)).toEqual(given);
      if (form !== null) expect(shapeOf(params)).toEqual(shapeOf(sample(`${form}.notification`).params));
    }
    expect([...forms]).toEqual(expect.arrayContaining(otherPushes));
    const { statement } = sample('desk.changed.notification').params.asked;
    expect(heard.flatMap(askedIn).find(({ waits }) => waits)?.statement).toEqual(statement);
  });

  /** Connects as the app, and is asked on behalf of another shell. */
  async function appAsked(): Promise<void> {
    const connected = await shellOf(daemon, 'app');
    app = connected;
    const asked = new Promise<void>(resolve => {
      connected.onNotification(notification => {
        heard.push(notification);
        for (const { id, kind } of askedIn(notification)) {
          if (kind !== 'increase') return;
          increase = id;
          resolve();
        }
      });
    });
    const { params, confirm } = sample('tokens.mint-in-app.request');
    void shell.ask('tokens.mint', params, undefined, confirm).catch(() => {});
    await asked;
  }

  /**
   * The daemon makes its own ids: the samples' ids stand for the minted token and the first
   * connection.
   */
  async function withRealIds(params: Record<string, unknown>) {
    const { tokens } = await shell.ask('tokens.list', {});
    const { boxes } = await shell.ask('boxes.list', {});
    const minted = sample('tokens.mint.request').params;
    const { connections } = await shell.ask('connections.list', {});
    const { id: connection } = connections[0] ?? {};
    const shown = connection && (await shell.ask('connections.form', { connection, home: '/Users/anna' }));
    const real: Record<string, string | undefined> = {
      ...(shown && { [sample('connections.form-saved.result').result.digest]: shown.digest }),
      [sample('tokens.mint.result').result.id]: tokens.find(({ name }) => name === minted.name)?.id,
      [sample('boxes.add.result').result.id]: boxes[0]?.id,
      [sample('connections.save.result').result.id]: connection,
      [sample('pairing.begin.result').result.id]: daemon.pairings.open()[0]?.id,
      [sample('desk.changed-increase.notification').params.asked.id]: increase,
      [sample('desk.changed.notification').params.asked.id]: daemon.approvals.pending()[0]?.id,
    };
    const realOf = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(realOf) : (typeof value === 'string' && real[value]) || value;
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, realOf(value)])) as never;
  }
});

/** The sample with the same members; null if there is none. */
function formOf({ method, params }: ControlNotification): string | null {
  if (method !== 'desk.changed') return method;
  if (params.ended !== null) return 'desk.changed-ended';
  if (params.asked === null || !params.asked.waits) return null;
  return params.asked.kind === 'statement' ? method : `desk.changed-${params.asked.kind}`;
}

/**
 * Names and types without values; for a list its first element, since the sample has one of each
 * form.
 */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? ['empty'] : [typeof value[0]];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member)]),
  );
}
