/**
 * What the approval sheet shows and does, without a terminal (spec §10).
 * test/journeys/pairing/sheet.test.ts uses a terminal.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pairingFacts, titleOf } from '../../daemon/shells/desk/facts.ts';
import { widthAtMost } from '../../shell-terminal/sheet/fit.ts';
import { type PairingAsk, pairingSheet } from '../../shell-terminal/sheet/pairing.ts';
import { afterKey, initialFocus, promptScreen } from '../../shell-terminal/sheet/prompt-lines.ts';
import { anyText } from '../any-text.ts';

const names = ['Analytics', 'Archive', 'Billing', 'CRM', 'Demo', 'HR', 'Inventory', 'Ledger', 'Shop', 'Größe 数据'];
const pairing: PairingAsk['pairing'] = {
  redirect: { address: 'http://127.0.0.1:8123/cb', receiver: 'node (process 4242)', kind: 'loopback' },
  scope: 'readWrite',
  ticked: names.map((_, index) => `c${index}`),
  connections: names.map((name, index) => ({
    id: `c${index}`,
    name,
    engine: name === 'Demo' ? 'sqlite' : 'postgres',
    externalClients: (['readOnly', 'readWrite', 'blocked'] as const)[index % 3] ?? 'blocked',
  })),
  expires: 30,
  hasTurn: true,
  serverStarted: false,
};
const view: PairingAsk = {
  id: 'p',
  kind: 'pairing',
  title: titleOf('pairing'),
  waits: true,
  client: 'My Extension',
  token: null,
  connection: null,
  lacks: null,
  runsBy: null,
  means: null,
  statement: null,
  sentence: null,
  facts: [],
  pairing,
  answers: ['yes', 'no'],
  times: 1,
  askedAt: '2026-11-20T12:00:00.000Z',
  expiresAt: '2026-11-20T12:05:00.000Z',
};
const viewWith = (changes: Partial<PairingAsk['pairing']>): PairingAsk => ({
  ...view,
  pairing: { ...pairing, ...changes },
});
/** With the facts that the daemon tells of it. */
const told = (shown: PairingAsk): PairingAsk => ({
  ...shown,
  facts: pairingFacts(shown.client, shown.pairing.redirect),
});

/** The link names no connections. */
const asked = viewWith({ ticked: [] });

const plain = (_style: string, text: string): string => text;
type MoveKey = Parameters<typeof afterKey>[1];

function typed(
  shown: PairingAsk,
  keys: readonly MoveKey[],
  { size = large, secondsLeft = 300 }: { readonly size?: typeof large; readonly secondsLeft?: number } = {},
) {
  const sheet = pairingSheet(told(shown), plain);
  const now = Date.parse(shown.expiresAt) - secondsLeft * 1_000;
  const screenAt = (at: ReturnType<typeof initialFocus>) => promptScreen(sheet.content(), at, false, now, size, plain);
  let at = initialFocus(sheet.content());
  for (const key of keys) at = afterKey(screenAt(at), key);
  return { ...sheet.chosen(), focus: at.focus, ...screenAt(at) };
}

const large = { columns: 80, rows: 24 };
const small = { columns: 40, rows: 12 };
const hostile: PairingAsk = {
  ...viewWith({
    redirect: { address: `app.editor://pair?${'x'.repeat(300)}`, receiver: 'Editor\u0007 "2"', kind: 'app' },
  }),
  client: 'Editor\u001b[2J\u001b[H[ Approve ]\u202eevil\u200b',
};

describe('a screen', () => {
  test.each<[string, PairingAsk, readonly MoveKey[], typeof large, number?]>([
    ['80x24', view, [], large],
    ['80x24-asked', asked, [], large],
    ['60x16-asked', asked, ['down', 'down'], { columns: 60, rows: 16 }],
    ['60x24-none-ticked', view, ['down', 'down', 'space'], { columns: 60, rows: 24 }],
    ['80x24-few-ticked', view, ['down', 'down', 'space', 'down', 'space', 'end', 'left'], large, 61],
    ['80x24-raised', view, ['right', 'down', 'right', 'right'], large],
    ['80x24-none-ticked', view, ['down', 'down', 'space'], large],
    ['80x24-too-late', view, ['end', 'left'], large, 0],
    ['80x24-server-started', viewWith({ serverStarted: true }), [], large],
    ['80x24-hostile-client', hostile, [], large],
    ['40x12', view, [], small],
    ['40x12-scrolled', view, ['page down'], small],
    ['40x12-none-ticked', view, ['down', 'down', 'space'], small],
    ['40x12-hostile-client', hostile, [], small],
    ['30x9', view, [], { columns: 30, rows: 9 }],
  ])('%s', (name, shown, keys, size, secondsLeft = 300) => {
    const { lines } = typed(shown, keys, { size, secondsLeft });
    const text = `${lines.map(line => line.trimEnd()).join('\n')}\n`;
    const file = new URL(`screens/${name}.txt`, import.meta.url);
    if (process.env.WRITE_SCREENS) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  test('always fits its window and shows client, address, Approve and Deny, with any names of clients and connections', () => {
    const text = anyText(80);
    const shape = fc.record({
      client: text,
      address: text,
      connections: fc.array(text, { maxLength: 40 }),
      columns: fc.integer({ min: 40, max: 200 }),
      rows: fc.integer({ min: 10, max: 60 }),
      keys: fc.array(fc.constantFrom<MoveKey>('up', 'down', 'page down', 'left', 'right', 'space', 'end'), {
        maxLength: 12,
      }),
    });
    fc.assert(
      fc.property(shape, ({ client, address, connections, columns, rows, keys }) => {
        const shown: PairingAsk = {
          ...viewWith({
            redirect: { address, receiver: client, kind: 'app' },
            connections: connections.map((name, index) => ({
              id: String(index),
              name,
              engine: 'mysql',
              externalClients: 'readOnly',
            })),
          }),
          client,
        };
        const { lines } = typed(shown, keys, { size: { columns, rows } });
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) {
          expect(widthAtMost(line)).toBeLessThan(columns);
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        }
        const labels = ['calls itself', 'code goes to', 'taken by'];
        expect(labels.every(label => lines.some(line => line.startsWith(label)))).toBe(true);
        expect(lines.filter(line => /^[> ] .{11} [> ] \[ Deny \]/.test(line))).toHaveLength(1);
        expect(lines.filter(line => /^> |^ .{13}> \[ Deny/.test(line))).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});

describe('keys', () => {
  const pressing = (...keys: MoveKey[]) => typed(view, keys);

  test('start on nothing that grants, at the requested level, with nothing chosen for the person', () => {
    expect(typed(asked, [])).toMatchObject({ scope: 'readWrite', expires: 30, ticked: [], focus: 0 });
  });

  test('all is a choice: of the present ones', () => {
    const ids = pairing.connections.map(({ id }) => id);
    expect(typed(asked, ['down', 'down', 'space'])).toMatchObject({ ticked: ids, problem: null });
    expect(typed(asked, ['down', 'down', 'space', 'space']).ticked).toEqual([]);
    expect(typed(viewWith({ ticked: [], connections: [] }), ['down', 'down', 'space'])).toMatchObject({
      ticked: [],
      problem: 'Save a connection first, then pair again.',
    });
  });

  test('change the permission and the expiry, to their ends and no further', () => {
    expect(pressing('right', 'right', 'right').scope).toBe('fullAccess');
    expect(pressing('left', 'left').scope).toBe('readOnly');
    expect(pressing('down', 'right', 'right', 'right').expires).toBe('never');
    expect(pressing('down', 'left', 'left', 'left').expires).toBe(1);
  });

  test('untick one of all, which leaves the others by name; tick it again', () => {
    const without = pressing('down', 'down', 'down', 'space').ticked;
    expect(without).toEqual(pairing.connections.slice(1).map(({ id }) => id));
    expect(pressing('down', 'down', 'down', 'space', 'space').ticked).toHaveLength(names.length);
  });

  test('with none ticked or no time left there is nothing to approve', () => {
    expect(pressing('down', 'down', 'space').problem).toBe('Tick a connection to approve.');
    expect(typed(asked, []).problem).not.toBeNull();
    expect(typed(view, [], { secondsLeft: 0 }).problem).not.toBeNull();
    expect(pressing().problem).toBeNull();
  });

  test('the list follows the focus, past its end to the buttons', () => {
    expect(typed(view, [], { size: small }).page).toEqual({ first: 0, shown: 3, total: 10 });
    expect(typed(view, ['page down'], { size: small }).page).toEqual({ first: 6, shown: 3, total: 10 });
    expect(typed(view, ['end'], { size: small }).page).toEqual({ first: 7, shown: 3, total: 10 });
  });
});
