/**
 * What a Linux desktop shows of access requests (spec §12): through the real `notify-send`, on a
 * bus of the test's own.
 */

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type AccessRequests, openAccessRequests } from '../../daemon/access/requests/access-requests.ts';
import { notifyOfRequests } from '../../daemon/desktop/request-notifications.ts';
import { deskForTests } from '../access/desk/desk-for-tests.ts';
import { principalWith } from '../access/principals.ts';
import { needs } from '../needs.ts';
import { type Desktop, missingForDesktop, startDesktop } from '../servers/desktop.ts';
import { until } from '../waiting/until.ts';

const secret = 'hunter2-in-a-statement';
const sql = `UPDATE customers SET note = '${secret}'`;
const pauseMilliseconds = 1_500;

let requests: AccessRequests;
let folder: string;
let isOn: boolean;
let logged: string[];
let end: () => void = () => {};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-notify-'));
  requests = openAccessRequests({
    desk: deskForTests().desk,
    starterOf: async ({ id }) => ({ program: id, lineage: [id] }),
  });
  isOn = true;
  logged = [];
});
afterEach(() => {
  end();
  rmSync(folder, { recursive: true, force: true });
});

type Ports = Parameters<typeof notifyOfRequests>[0];

function notifying(environment: Record<string, string>, more: Partial<Ports> = {}): void {
  end = notifyOfRequests({
    requests,
    waiting: () => requests.waiting().length,
    isOn: () => isOn,
    platform: 'linux',
    environment,
    limits: { pauseMilliseconds },
    log: { debug: (_, message) => void logged.push(message) },
    ...more,
  });
}

async function ask(client: string, connection = 'Shop', text = sql): Promise<void> {
  // A different program started each one's bridge.
  const principal = principalWith({ isBridge: true, id: client });
  const statement = { text, parameters: [secret], schema: null, database: null };
  const asked = { principal, client, tool: 'execute_query', connectionId: connection, statement };
  const classified = {
    class: 'write' as const,
    reason: `It changes ${secret}.`,
    reasonParts: [],
    tables: ['customers'],
  };
  const isMade = await requests.ask(
    asked,
    { revision: 1, level: 'readOnly' },
    {
      connection: { id: connection, name: connection, tags: [], colour: null },
      lacks: 'connection_level',
      runsBy: 'client',
      means: null,
      classified,
    },
  );
  if (!isMade) throw new Error('too many wait');
}

/** A program in place of notify-send, which notes that it ran. */
function program(script: string): string {
  const path = join(folder, 'notify-send');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

needs(missingForDesktop()).describe('on a desktop', () => {
  let desktop: Desktop;
  let before = 0;
  beforeAll(async () => {
    desktop = await startDesktop();
  });
  afterAll(() => desktop.stop());
  beforeEach(() => {
    before = desktop.shown.length;
  });
  const shown = () => desktop.shown.slice(before);
  const shows = (count: number) => until(() => shown().length >= count, `${count} are shown`);
  const bus = () => ({ DBUS_SESSION_BUS_ADDRESS: desktop.address });

  test('a request is shown with its client, its connection and the command, and without the statement', async () => {
    notifying(bus());
    await ask('Claude Code', 'Größe 数据');
    await shows(1);
    expect(shown()).toEqual([
      {
        app: 'Sallyport',
        icon: '',
        actions: [],
        summary: 'A question waits for you',
        body: 'Claude Code (so it calls itself), on Größe 数据\nTo answer, run: sallyport allow',
      },
    ]);
    expect(JSON.stringify(shown())).not.toMatch(new RegExp(`${secret}|UPDATE|customers`));
    expect(logged).toEqual([]);
  });

  test.each([
    ['<b>bold</b> & <a href="x">', '&lt;b&gt;bold&lt;/b&gt; &amp; &lt;a href="x"&gt;'],
    ['--help', '--help'],
    ['--app-name=Bank', '--app-name=Bank'],
    ['a\nTo answer, run: evil', 'a\\u{a}To answer, run: evil'],
    ['a\\nTo answer, run: evil', 'a\\nTo answer, run: evil'],
    ['\u202eevil\u2066\u200b', '\\u{202e}evil\\u{2066}\\u{200b}'],
    ['\\342\\200\\256evil', '\\342\\200\\256evil'],
    ['\u0000\u001b[2J', '\\u{0}\\u{1b}[2J'],
    ['\ud800', '\\u{d800}'],
    ['', ''],
    ['$(id) `id` %s %n', '$(id) `id` %s %n'],
    ['x'.repeat(65), `${'x'.repeat(63)}…`],
    ['&lt;b&gt;', '&amp;lt;b&amp;gt;'],
  ])('%j as the name of a client or connection is shown and has no effect', async (name, text) => {
    notifying(bus());
    await ask(name, name);
    await shows(1);
    expect(shown()).toMatchObject([
      { app: 'Sallyport', body: `${text} (so it calls itself), on ${text}\nTo answer, run: sallyport allow` },
    ]);
  });

  test('twenty at once are two notifications, and a third has nothing to say', async () => {
    notifying(bus());
    for (let number = 0; number < 20; number += 1)
      await ask(`client ${number % 4}`, `Shop ${number % 2}`, `${sql} -- ${number}`);
    await shows(2);
    await wait(2 * pauseMilliseconds);
    expect(shown()).toHaveLength(2);
    expect(shown()[1]).toMatchObject({
      summary: '20 questions wait for you',
      body:
        'client 1 (so it calls itself), on Shop 1\nclient 2 (so it calls itself), on Shop 0\n' +
        'client 3 (so it calls itself), on Shop 1\nand 1 more\nTo answer, run: sallyport allow',
    });
  });

  test('a request answered during the delay isn’t shown', async () => {
    notifying(bus());
    await ask('Claude');
    await shows(1);
    await ask('Claude', 'Shop', 'DELETE FROM t WHERE id = 1');
    requests.answer('id2', 'refused');
    await wait(2 * pauseMilliseconds);
    expect(shown()).toHaveLength(1);
  });

  test('off is off, also for earlier requests', async () => {
    notifying(bus());
    await ask('Claude');
    await shows(1);
    await ask('Claude', 'Shop', 'DELETE FROM t WHERE id = 1');
    isOn = false;
    await ask('Claude', 'Shop', 'DELETE FROM t WHERE id = 2');
    await wait(2 * pauseMilliseconds);
    expect(shown()).toHaveLength(1);
  });

  test('a desktop that doesn’t answer is given up, which is logged once, and the next one is notified', async () => {
    notifying(bus(), { limits: { pauseMilliseconds: 2_500, patienceMilliseconds: 2_000 } });
    desktop.pause();
    try {
      await ask('Claude');
      await until(() => logged.length === 1, 'it is given up');
      await ask('Claude', 'Shop', 'DELETE FROM t WHERE id = 1');
      await wait(5_000);
      expect(logged).toEqual(['a desktop notification of an access request could not be shown; this is said once']);
    } finally {
      desktop.resume();
    }
    await ask('Claude', 'Shop', 'DELETE FROM t WHERE id = 2');
    await until(() => shown().some(({ summary }) => summary.startsWith('3')), 'the third is told');
  });
});

describe('a program in its place', () => {
  const someBus = () => {
    writeFileSync(join(folder, 'bus'), '');
    return { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'bus')}`, SALLYPORT_PASSWORD: secret, PATH: folder };
  };
  const hasRun = () => existsSync(join(folder, 'ran'));

  test('isn’t started without a bus, on another system, while it is off, or if only PATH has it', async () => {
    const notifier = program(`touch ${join(folder, 'ran')}`);
    const nowhere = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/none` };
    notifying(nowhere, { notifiers: [notifier] });
    notifying({ XDG_RUNTIME_DIR: join(folder, 'none') }, { notifiers: [notifier] });
    notifying(someBus(), { notifiers: [notifier], platform: 'darwin' });
    notifying(someBus(), { notifiers: [notifier], isOn: () => false });
    notifying(someBus(), { notifiers: [join(folder, 'missing')] });
    await ask('Claude');
    await wait(500);
    expect([hasRun(), logged]).toEqual([false, []]);
  });

  test('gets the words as arguments behind `--`, and from the environment only what finds a bus', async () => {
    const notifier = program(`printf '%s\\n' "$@" >${folder}/words; env >${folder}/env; touch ${join(folder, 'ran')}`);
    notifying(someBus(), { notifiers: [notifier] });
    await ask('--help');
    await until(hasRun, 'it ran');
    expect(readFileSync(join(folder, 'words'), 'utf8').split('\n').slice(0, 3)).toEqual([
      '--app-name=Sallyport',
      '--',
      'A question waits for you',
    ]);
    expect(readFileSync(join(folder, 'env'), 'utf8')).not.toContain(secret);
  });

  test('that fails, or can’t be started, is reported once in the log and nowhere else', async () => {
    notifying(someBus(), { notifiers: [program('exit 1')], limits: { pauseMilliseconds: 50 } });
    for (const id of [1, 2, 3]) {
      await ask('Claude', 'Shop', `DELETE FROM t WHERE id = ${id}`);
      await wait(300);
    }
    expect(logged).toHaveLength(1);
    end();
    logged = [];
    notifying(someBus(), { notifiers: [folder] });
    await ask('Cursor');
    await until(() => logged.length === 1, 'it is told');
    end();
    logged = [];
    // Longer than a program's environment may be: Node throws.
    notifying({ ...someBus(), HOME: 'x'.repeat(1_000_000) }, { notifiers: [program('exit 0')] });
    await ask('Zed');
    await until(() => logged.length === 1, 'it is told');
  });

  test('that hangs is killed in time, and at the end', async () => {
    const notifier = program(`echo $$ >${folder}/pid; exec sleep 60`);
    const pid = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));
    const isGone = () => !existsSync(`/proc/${pid()}`);
    notifying(someBus(), { notifiers: [notifier], limits: { patienceMilliseconds: 2_000, pauseMilliseconds } });
    await ask('Claude');
    await until(() => existsSync(join(folder, 'pid')) && pid() > 0 && isGone(), 'it is killed');
    end();

    rmSync(join(folder, 'pid'));
    notifying(someBus(), { notifiers: [notifier] });
    await ask('Cursor');
    await until(() => existsSync(join(folder, 'pid')) && pid() > 0, 'it runs');
    end();
    await until(isGone, 'it ends with the daemon');
  });
});
