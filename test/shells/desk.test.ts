/**
 * One desk on the control socket (spec §11, §12): which shell sees which ask, how many it is told
 * of, and which answers each kind has.
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { takesNothing } from '../../daemon/engines/count/taken.ts';
import type { TakesWords } from '../../daemon/engines/count/taken-words.ts';
import { maySee } from '../../daemon/shells/desk/desk-list.ts';
import type { OwnersRun } from '../../daemon/shells/ports.ts';
import type { ControlNotification } from '../../shared/control.ts';
import type { AskView } from '../../shared/control-commands.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { principalWith } from '../access/principals.ts';
import { until } from '../waiting/until.ts';
import { askForAccess, askOpened, shownTakes } from './asked-request.ts';
import { shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';
import { askedIn, endedIn, nothingElse } from './desk-pushes.ts';

test.each<[AskView['kind'], 'any' | 'app' | 'its own']>([
  ['statement', 'any'],
  ['first_use', 'any'],
  ['host_key', 'any'],
  ['increase', 'app'],
  ['pairing', 'its own'],
])('an ask of the kind %s is for %s shell', (kind, whose) => {
  for (const isApp of [true, false])
    for (const began of [true, false])
      expect([isApp, began, maySee(kind, began, isApp)]).toEqual([
        isApp,
        began,
        { any: true, app: isApp, 'its own': began }[whose],
      ]);
});

describe('over a real socket', () => {
  let daemon: DaemonInProcess;
  const shells: ControlClient[] = [];
  beforeEach(async () => {
    daemon = await startDaemonInProcess({ platform: 'darwin', backend: () => 'keychain' });
  });
  afterEach(async () => {
    for (const shell of shells.splice(0)) shell.close();
    await daemon.end();
  });

  async function connect(name = 'terminal') {
    const shell = await shellOf(daemon, name);
    shells.push(shell);
    const heard: ControlNotification[] = [];
    shell.onNotification(notification => heard.push(notification));
    const kinds = async () => (await shell.ask('desk.list', {})).asks.map(({ kind, waits }) => `${kind} ${waits}`);
    return { shell, heard, kinds };
  }

  /** @returns its id. */
  function question(name = 'Shop'): string {
    const connection = { id: name, name, tags: [], colour: null };
    const content = { kind: 'first_use', client: 'a client', means: 'Read.', connection, statement: null } as const;
    void daemon.approvals.ask(principalWith(), content, new AbortController().signal);
    return daemon.approvals.pending().at(-1)?.id ?? '';
  }

  const link = `sallyport://integrations/pair?client=Ed&challenge=${'a'.repeat(43)}&scopes=readOnly&redirect=http://127.0.0.1:8123/`;

  test('each shell lists, counts and hears of what it may see, who waits first', async () => {
    const [app, pairing, other] = [await connect('app'), await connect(), await connect()];
    await app.shell.ask('desk.attach', { answers: true });
    await askForAccess(daemon.accessRequests);
    daemon.now += 1_000;
    await pairing.shell.ask('pairing.begin', { link, handler: null });
    daemon.now += 1_000;
    question();
    daemon.now += 1_000;
    void other.shell.ask('resume', {}, undefined, 'app').catch(() => {});
    await until(() => app.heard.flatMap(askedIn).some(({ kind }) => kind === 'increase'), 'the app is asked');
    expect(await app.kinds()).toEqual(['first_use true', 'increase true', 'statement false']);
    expect(await pairing.kinds()).toEqual(['pairing true', 'first_use true', 'statement false']);
    expect(await other.kinds()).toEqual(['first_use true', 'statement false']);
    for (const [{ shell }, count] of [
      [app, 3],
      [pairing, 3],
      [other, 2],
    ] as const)
      expect((await shell.ask('status', {})).waiting).toBe(count);
    const heardBy = ({ heard }: typeof app) =>
      heard.map(told => [told.method === 'desk.changed' ? told.params.waiting : -1, ...askedIn(told).map(a => a.kind)]);
    expect(heardBy(app)).toEqual([
      [1, 'statement'],
      [2, 'first_use'],
      [3, 'increase'],
    ]);
    expect(heardBy(pairing)).toEqual([
      [1, 'statement'],
      [3, 'first_use'],
    ]);
    expect(heardBy(other)).toEqual([
      [1, 'statement'],
      [2, 'first_use'],
    ]);
  });

  test('a request that is opened, and opened anew, is told to each shell with its figures', async () => {
    const { heard } = await connect();
    await askOpened(daemon.accessRequests);
    const figures = shownTakes.figures;
    daemon.accessRequests.open('rqst2345', { figures, words: { lines: ['changes 4 rows of public.t'], note: null } });
    await until(() => heard.length === 3, 'all are told');
    const takes = heard.map(pushed => askedIn(pushed)[0]?.statement?.takes ?? null);
    expect(takes).toEqual([null, shownTakes.words, { lines: ['changes 4 rows of public.t'], note: null }]);
  });

  test('two terminals and the app see the same, one answer counts, and each hears of it once', async () => {
    const [app, one, two] = [await connect('app'), await connect(), await connect()];
    for (const { shell } of [app, one, two]) await shell.ask('desk.attach', { answers: true });
    const all = [app, one, two];
    const told = async () => {
      // What was pushed before an answer has come before it.
      for (const { shell } of all) await shell.ask('status', {});
      return all.map(({ heard }) => heard.splice(0).flatMap(push => [...askedIn(push), ...endedIn(push)]));
    };
    const each = <What>(what: What) => [what, what, what];
    const first = question();
    expect(await told()).toEqual(each([expect.objectContaining({ id: first, waits: true })]));
    const yes = { ids: [first], answer: 'yes' } as const;
    const answers = await Promise.allSettled([
      one.shell.ask('desk.decide', { ids: [first], answer: 'no' }),
      two.shell.ask('desk.decide', { ids: [first], answer: 'no' }),
      app.shell.ask('desk.decide', yes, undefined, 'app'),
    ]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ data: { code: 'gone' } });
    expect(await told()).toEqual(each([{ id: first, because: expect.stringMatching(/^(?:yes|no)$/) }]));

    await askForAccess(daemon.accessRequests);
    const [{ id } = { id: '' }] = daemon.accessRequests.waiting();
    expect(await told()).toEqual(each([expect.objectContaining({ id, answers: ['no'] })]));
    await one.shell.ask('desk.open', { ids: [id] });
    await two.shell.ask('desk.decide', { ids: [id], answer: 'no' });
    expect((await told()).map(pushes => pushes.at(-1))).toEqual(each({ id, because: 'no' }));
    for (const { shell } of all) expect((await shell.ask('desk.list', {})).asks).toEqual([]);
  });

  test('a yes that names what its card showed is none once another shell has had that counted anew', async () => {
    const { shell } = await connect('app');
    await askOpened(daemon.accessRequests);
    const decide = (answer: 'yes' | 'run', takes: TakesWords[]) =>
      shell.ask('desk.decide', { ids: ['rqst2345'], answer, takes }).catch(error => error);
    const anew = { lines: ['changes 4 rows of public.t'], note: null };
    expect(await decide('yes', [shownTakes.words])).toMatchObject({ data: { code: 'needs_confirmation' } });
    daemon.accessRequests.open('rqst2345', { figures: shownTakes.figures, words: anew });
    for (const answer of ['yes', 'run'] as const)
      for (const takes of [[shownTakes.words], [], [anew, anew], [{ ...anew, note: '' }]])
        expect(await decide(answer, takes)).toMatchObject({ data: { code: 'changed_since' } });
    expect(await decide('yes', [anew])).toMatchObject({ data: { code: 'needs_confirmation' } });
    expect(daemon.accessRequests.waiting()).toHaveLength(1);
  });

  test('the sentence of a yes carries its effect, and its facts are all of what runs', async () => {
    const { shell } = await connect('app');
    await askOpened(daemon.accessRequests);
    const { data } = await shell.ask('desk.decide', { ids: ['rqst2345'], answer: 'run' }).catch(error => error);
    expect(data.sentence).toMatch(/: "changes 3 rows of public\.t"\.$/);
    const values = new Map(data.facts.map(({ label, value }: { label: string; value: string }) => [label, value]));
    for (const [label, value] of [
      ['Effect', 'changes 3 rows of public.t'],
      ['Not counted', 'Its trigger was not counted.'],
      ['Schema', 'public'],
      ['Statement', 'UPDATE t SET n = $1'],
      ['Parameter 1', '"x"'],
    ])
      expect([label, values.get(label)]).toEqual([label, value]);
  });

  test('a request that is answered ends, too', async () => {
    const { shell, heard } = await connect();
    await askForAccess(daemon.accessRequests);
    await shell.ask('desk.decide', { ids: ['rqst2345'], answer: 'no' });
    expect(heard.map(({ params }) => params)).toEqual([
      { waiting: 1, asked: expect.objectContaining({ id: 'rqst2345' }), ended: null },
      { waiting: 0, asked: null, ended: { id: 'rqst2345', because: 'no' } },
    ]);
  });

  test('a second pairing of one shell has its turn once the first is over, in the list too', async () => {
    const { shell } = await connect();
    const turns = async () => (await shell.ask('desk.list', {})).asks.map(({ id, pairing }) => [id, pairing?.hasTurn]);
    const [{ id: first }, { id: second }] = [
      await shell.ask('pairing.begin', { link, handler: null }),
      await shell.ask('pairing.begin', { link, handler: null }),
    ];
    expect(await turns()).toEqual([
      [first, true],
      [second, false],
    ]);
    await shell.ask('desk.decide', { ids: [first], answer: 'close' });
    expect(await turns()).toEqual([[second, true]]);
  });

  /** Three requests that are opened and run, of which the second ends so. No passphrase is asked. */
  async function ranThree(second: Partial<OwnersRun>) {
    await daemon.end();
    daemon = await startDaemonInProcess();
    const { shell, heard } = await connect();
    for (const text of ['DELETE FROM a', 'DELETE FROM b', 'DELETE FROM c']) {
      await askForAccess(daemon.accessRequests, { text });
      daemon.accessRequests.open(daemon.accessRequests.waiting().at(-1)?.id ?? '', shownTakes);
    }
    const ids = daemon.accessRequests.waiting().map(({ id }) => id);
    daemon.ran = ({ statement }) => (statement?.text === 'DELETE FROM b' ? second : {});
    const { ran } = await shell.ask('desk.decide', { ids, answer: 'run' });
    const left = (await shell.ask('desk.list', {})).asks.map(({ id, answers }) => [ids.indexOf(id), ...answers]);
    const ended = heard.flatMap(endedIn).map(({ id, because }) => [ids.indexOf(id), because]);
    return { ran: ran.map(({ failed }) => failed), left, ended };
  }

  test.each([
    ['client', ['yes', 'run', 'no']],
    ['owner', ['run', 'no']],
  ] as const)('what its %s may run, once it was opened, has these answers: %s', async (runsBy, answers) => {
    const { shell } = await connect();
    await askForAccess(daemon.accessRequests, { runsBy });
    const ids = daemon.accessRequests.waiting().map(({ id }) => id);
    for (const id of ids) daemon.accessRequests.open(id, shownTakes);
    expect((await shell.ask('desk.list', {})).asks).toMatchObject([{ answers }]);
  });

  test('those that are run end as allowed, in their order, up to the first that fails', async () => {
    expect(await ranThree({})).toEqual({
      ran: [null, null, null],
      left: [],
      ended: [
        [0, 'yes'],
        [1, 'yes'],
        [2, 'yes'],
      ],
    });
  });

  test.each<[string, Partial<OwnersRun>, unknown[]]>([
    ['left nothing behind waits on, as it was opened', { mayHaveRun: false }, [1, 'yes', 'run', 'no']],
    ['would have taken more waits to be opened again', { mayHaveRun: false, found: takesNothing }, [1, 'no']],
    ['may have run waits no more', { mayHaveRun: true }, []],
  ])('a run that failed and %s', async (_, how, waits) => {
    expect(await ranThree({ rowsAffected: null, failed: 'No.', ...how })).toMatchObject({
      ran: [null, 'No.'],
      left: [...(waits.length === 0 ? [] : [waits]), [2, 'yes', 'run', 'no']],
    });
  });

  test('what has run for another client too is not told as waiting', async () => {
    await daemon.end();
    daemon = await startDaemonInProcess();
    const { shell } = await connect();
    for (const [client, table] of ['one a', 'two a', 'one b', 'three a'].map(each => each.split(' '))) {
      await askForAccess(daemon.accessRequests, { client: `${client}`, text: `DELETE FROM ${table}` });
      daemon.accessRequests.open(daemon.accessRequests.waiting().at(-1)?.id ?? '', shownTakes);
    }
    const ids = daemon.accessRequests.waiting().map(({ id }) => id);
    const fails = { rowsAffected: null, failed: 'No.', mayHaveRun: false };
    daemon.ran = ({ statement }) => (statement?.text === 'DELETE FROM b' ? fails : {});
    const { ran, problem } = await shell.ask('desk.decide', { ids, answer: 'run' });
    expect(ran.map(({ id }) => ids.indexOf(id))).toEqual([0, 2]);
    expect(problem?.text).toBe('Number 3 did not run. No.');
    expect(daemon.accessRequests.waiting().map(({ id }) => id)).toEqual([ids[2]]);
  });

  test('one yes to a question and a request is one increase, shows both, and is for both or for neither', async () => {
    const { shell } = await connect('app');
    await shell.ask('desk.attach', { answers: true });
    await askOpened(daemon.accessRequests);
    const asked = question();
    const yes = { ids: [asked, 'rqst2345'], answer: 'yes' } as const;
    const { data } = await shell.ask('desk.decide', yes).catch(error => error);
    expect(data.sentence).toMatch(
      /^This approves for you: says yes to the 2 questions of .*: "changes 3 rows of public\.t"\.$/,
    );
    const shown = data.facts.map(({ label, value }: { label: string; value: string }) => `${label}: ${value}`);
    for (const fact of ['Question: 1 of 2', 'If approved: Read.', 'Question: 2 of 2', 'Statement: UPDATE t SET n = $1'])
      expect(shown).toContain(fact);
    await shell.ask('desk.decide', yes, undefined, 'app');
    expect((await shell.ask('desk.list', {})).asks).toEqual([]);
    expect(daemon.accessRequests.take('rqst2345')).toBe(true);
    const answers = daemon.recorded.filter(({ action }) => action === 'request.answer');
    expect(answers).toMatchObject([{ outcome: 'success', reason: `yes: ${asked}, rqst2345` }]);

    const [left, late] = [question(), question('Store')];
    await shell.ask('desk.decide', { ids: [late], answer: 'no' });
    const refused = shell.ask('desk.decide', { ids: [left, late], answer: 'yes' }, undefined, 'app');
    await expect(refused).rejects.toMatchObject({ data: { code: 'gone' } });
    expect(daemon.approvals.pending()).toMatchObject([{ id: left }]);
  });

  test('an answer names one that waits, or those of clients, in a form that its kind has', async () => {
    const { shell } = await connect();
    await shell.ask('desk.attach', { answers: true });
    await askOpened(daemon.accessRequests);
    await askForAccess(daemon.accessRequests, { text: 'DELETE FROM t' });
    const [asked, also] = [question(), question()];
    const grant = { scope: 'readOnly', connections: 'all', expires: 1 } as const;
    const { id: pairing } = await shell.ask('pairing.begin', { link, handler: null });
    const refused: Parameters<typeof shell.ask<'desk.decide'>>[1][] = [
      { ids: [pairing, asked], answer: 'no' },
      { ids: [asked, also], answer: 'run' },
      { ids: [asked, 'rqst2345'], answer: 'run' },
      { ids: [asked, 'rqst2345'], answer: 'yes', times: 2 },
      { ids: [asked], answer: 'run' },
      { ids: [asked], answer: 'close' },
      { ids: ['rqst2345'], answer: 'close' },
      { ids: [pairing], answer: 'run' },
      { ids: [pairing], answer: 'yes' },
      { ids: [pairing], answer: 'no', grant },
      { ids: [asked], answer: 'yes', grant },
      { ids: ['rqst2345'], answer: 'yes', grant },
      { ids: [asked], answer: 'yes', times: 2 },
      { ids: ['rqst2345'], answer: 'run', times: 2 },
      { ids: ['rqst2345'], answer: 'yes', times: 0 },
    ];
    for (const params of refused) {
      const error = await shell.ask('desk.decide', params).catch((thrown: unknown) => thrown);
      expect([params, error]).toMatchObject([params, { code: -32602, message: expect.stringMatching(/[.!]$/) }]);
    }
    expect((await shell.ask('desk.list', {})).asks).toHaveLength(5);
    const ids = ['rqst2345', 'rqst2346'];
    expect(await shell.ask('desk.decide', { ids, answer: 'no' })).toEqual({ ids, answer: 'no', ...nothingElse });
  });
});
