/**
 * What the app's tests have the daemon say instead of its samples, and how the daemon comes to say
 * it: a request of the app's in a home of some kind, after what happened before.
 */

import { principalWith } from '../../access/principals.ts';
import type { Answered, SaidBeside } from '../../shells/answered-shell.ts';
import { askForAccess } from '../../shells/asked-request.ts';
import { postgresAt } from '../../shells/asking.ts';
import { until } from '../../waiting/until.ts';
import { type AppsHome, done, type HomeName, ownerPassphrase } from './homes.ts';
import { wrongFields } from './wrong-fields.ts';

/** The ids of the shared samples that the recorded answers name. */
export const sampleIds = { statement: 'k3m9x2pq', increase: 'm4n8c2vb', pairing: 't5y7w3kd', request: 'rqst2345' };

interface Asked {
  readonly method: string;
  readonly params: object;
  readonly said?: SaidBeside;
}

export interface Scene {
  /** What waits then, with the id of its sample. */
  readonly waiting?: keyof typeof sampleIds;
  /** The home is afterwards as before. */
  readonly changesNothing?: true;
  /** @returns the request whose answer is recorded. */
  ask(home: AppsHome): Promise<Asked>;
}

const asks = (method: string, params: object = {}, said?: SaidBeside): Scene => ({
  changesNothing: true,
  ask: async () => ({ method, params, ...(said && { said }) }),
});
const inApp: SaidBeside = { confirm: 'app' };
const resume = asks('resume');
const status = asks('status');

async function saved({ app }: AppsHome, params: object = {}): Promise<string> {
  const password = { kind: 'stored', value: 'an example password' };
  const shop = { name: 'Shop', endpoint: postgresAt('db.example'), password, ...params };
  return String(done(await app.ask('connections.save', shop, { confirm: 'app', passphrase: ownerPassphrase })).id);
}

async function waitingIds({ app }: AppsHome): Promise<string[]> {
  const { asks: waiting } = done(await app.ask('desk.list', {})) as { asks: { id: string }[] };
  return waiting.map(({ id }) => id);
}

/** @param how beside the answer; the card is the confirmation. */
const decides = (waiting: keyof typeof sampleIds, how: object = {}, said: SaidBeside = {}): Scene => ({
  waiting,
  async ask(home) {
    const more = await begin[waiting](home);
    const ids = await waitingIds(home);
    return { method: 'desk.decide', params: { ids, answer: 'yes', ...more, ...how }, said: { ...inApp, ...said } };
  },
});

/** Has one thing wait; the parameters with which it is answered. */
const begin: Readonly<Record<keyof typeof sampleIds, (home: AppsHome) => Promise<object>>> = {
  async statement({ daemon }) {
    const connection = { id: 'c1', name: 'Größe', tags: [], colour: null };
    const statement = {
      text: 'delete from größen',
      class: 'destructive',
      takes: { lines: ['deletes 500 rows of public.größen'], note: null },
      reason: 'It removes rows.',
      reasonParts: [],
      tables: ['größen'],
    } as const;
    const content = { kind: 'statement', client: 'Claude', connection, means: 'Once.', statement } as const;
    void daemon.approvals.ask(principalWith(), content, new AbortController().signal);
    return {};
  },
  async increase({ app, terminal }) {
    // It ends without an answer.
    void terminal.ask('resume', {}, inApp).catch(() => {});
    await until(async () => (await app.ask('status', {})).result?.waiting === 1, 'the app is asked');
    return {};
  },
  async pairing(home) {
    const connection = await saved(home);
    const link = `sallyport://integrations/pair?client=Ed&challenge=${'a'.repeat(43)}&scopes=readWrite&redirect=http://127.0.0.1:8123/callback`;
    done(await home.app.ask('pairing.begin', { link, handler: null }));
    return { grant: { scope: 'readWrite', connections: [connection], expires: 1 } };
  },
  async request({ app, daemon }) {
    await askForAccess(daemon.accessRequests);
    const { asks: opened } = done(await app.ask('desk.open', { ids: ['rqst2345'] })) as {
      asks: { statement: { takes: object } }[];
    };
    return { takes: opened.map(({ statement: { takes } }) => takes) };
  },
};

const after = (earlier: (home: AppsHome) => unknown, scene: Scene): Scene => ({
  ...(scene.waiting !== undefined && { waiting: scene.waiting }),
  async ask(home) {
    await earlier(home);
    return scene.ask(home);
  },
});
/** Its disk is full, say. */
const fails = () => {
  throw new Error('The store is full.');
};
const set = (key: string, value: unknown) => (home: AppsHome) => home.app.ask('settings.set', { key, value }, inApp);
const unknownHost = ({ daemon }: AppsHome) => {
  daemon.dial = async () => ({ kind: 'not_connected', message: 'Host key verification failed.' });
  const fingerprint = `SHA256:${'A'.repeat(43)}`;
  daemon.unknownHostKey = { host: 'bastion.example.com', type: 'ED25519', fingerprint };
};
const ofSaved = (method: string, params: object): Scene => ({
  ask: async home => ({ method, params: { connection: await saved(home), ...params } }),
});

export const scenes: Readonly<Record<HomeName, Readonly<Record<string, Scene>>>> = {
  click: {
    status,
    'desk.attach': asks('desk.attach', { answers: true }),
    resume,
    'pause-fails': after(({ daemon }) => void Object.assign(daemon.ports, { pause: fails }), asks('pause')),
    'snippets-fail': after(({ daemon }) => void Object.assign(daemon.ports, { install: null }), asks('snippets.list')),
    'no-clients': after(({ daemon }) => void Object.assign(daemon.ports, { clients: () => [] }), asks('clients.list')),
    level: ofSaved('connections.save', { externalClients: { level: 'readWrite', forSeconds: 1_800 } }),
    'connection-gone': asks('connections.save', { connection: 'Shop', name: 'Another' }),
    'form-gone': asks('connections.form', { connection: 'Shop', home: '/Users/anna' }),
    'form-blocked': ofSaved('connections.form', { typed: { externalClients: 'blocked' }, home: '/Users/anna' }),
    'url-wrong': asks('connections.form', { url: 'postgres://u:hun#ter2@h/d', home: '/Users/anna' }),
    'host-key-tried': after(unknownHost, ofSaved('connections.try', {})),
    'host-key-tested': after(unknownHost, ofSaved('connections.test', {})),
    'more-requests': asks('settings.set', { key: 'limits.requestsPerMinute', value: 770 }),
    'port-wrong': asks('settings.set', { key: 'port', value: '70000' }),
    notify: asks('settings.get', { key: 'requests.notify' }),
    'notify-off': after(set('requests.notify', false), asks('settings.get', { key: 'requests.notify' })),
    'fewer-rows': after(set('results.maxRows', 700), asks('settings.list')),
    'open-fails': after(
      async ({ daemon }) => {
        await askForAccess(daemon.accessRequests);
        Object.assign(daemon.ports, { openAsOwner: fails });
      },
      asks('desk.open', { ids: [sampleIds.request] }),
    ),
    'request-gone': asks('desk.decide', { ids: [sampleIds.request], answer: 'no' }, inApp),
    'pairing-gone': after(
      async home => {
        await begin.pairing(home);
        home.daemon.now += 5 * 60_000 + 1;
      },
      asks('desk.decide', { ids: ['rqst2345'], answer: 'no' }, inApp),
    ),
    paired: decides('pairing'),
    allowed: decides('request'),
    ran: after(
      ({ daemon }) => {
        daemon.ran = () => ({ warnings: ['Truncated.'] });
      },
      decides('request', { answer: 'run' }),
    ),
    ...wrongFields,
  },
  passphrase: {
    status,
    resume,
    statement: decides('statement'),
    increase: decides('increase'),
    request: decides('request'),
    pairing: decides('pairing'),
    'passphrase.set': asks('passphrase.set', { passphrase: 'battery staple' }),
    'passphrase.touchId': asks('passphrase.touchId', {
      publicKey:
        'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li_hp_m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q',
    }),
  },
  'touch-id': {
    status,
    resume,
    statement: decides('statement'),
    'statement-wrong': decides('statement', {}, { passphrase: 'a guess of mine' }),
    request: decides('request'),
  },
  off: { status, resume },
  file: { resume },
  'file-passphrase': { status, resume },
};

/** @returns the answer as it is kept: what differs in each run has the value of a sample. */
export async function play(
  scene: Scene,
  home: AppsHome,
): Promise<{ readonly method: string; readonly answer: Answered }> {
  const { method, params, said } = await scene.ask(home);
  const { result, error, unconfirmed } = await home.app.ask(method, params, said);
  const answer = { ...(result && { result }), ...(error && { error }), ...(unconfirmed && { unconfirmed }) };
  return { method, answer: JSON.parse(sampled(JSON.stringify(answer), scene, home)) };
}

function sampled(text: string, { waiting }: Scene, { daemon }: AppsHome): string {
  return text
    .replaceAll(daemon.home, '/Users/anna/.sallyport')
    .replaceAll(`"pid":${process.pid}`, '"pid":4242')
    .replaceAll(`(process ${process.pid})`, '(process 4242)')
    .replace(/"touchId":"[^"]{43}"/, '"touchId":"q1Q3o0H8z5m2v7n4b6x9c1l3k5j7h9g2f4d6s8a0p1o"')
    .replaceAll('rqst2345', waiting === undefined ? 'rqst2345' : sampleIds[waiting])
    .replace(/(code=)[^"&]+/g, '$1x')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '9d3b6c9e-4b2f-4a57-8f0c-2f6f7a1c5d22');
}
