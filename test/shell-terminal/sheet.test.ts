/** What the approval sheet says and does, without a terminal (spec §10). test/journeys/pairing/sheet.test.ts has one. */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PairingView } from '../../shared/control-commands.ts';
import { type Choices, changed, firstChoices } from '../../shell-terminal/sheet/choices.ts';
import { widthAtMost } from '../../shell-terminal/sheet/fit.ts';
import type { MoveKey } from '../../shell-terminal/sheet/keys.ts';
import { approveProblem, type SheetState, sheetLines } from '../../shell-terminal/sheet/lines.ts';

const names = ['Analytics', 'Archive', 'Billing', 'CRM', 'Demo', 'HR', 'Inventory', 'Ledger', 'Shop', 'Größe 数据'];
const view: PairingView = {
  id: 'p',
  client: 'My Extension',
  redirect: { address: 'http://127.0.0.1:8123/cb', receiver: 'node (process 4242)', kind: 'loopback' },
  scope: 'readWrite',
  ticked: 'all',
  connections: names.map((name, index) => ({
    id: `c${index}`,
    name,
    engine: name === 'Demo' ? 'sqlite' : 'postgres',
    externalClients: (['readOnly', 'readWrite', 'blocked'] as const)[index % 3] ?? 'blocked',
  })),
  expires: 30,
  askedAt: '2026-11-20T12:00:00.000Z',
  expiresAt: '2026-11-20T12:05:00.000Z',
  waits: false,
  serverStarted: false,
};

const plain = (_style: string, text: string): string => text;
const state = (choices: Choices = firstChoices(view), secondsLeft = 300): SheetState => ({ choices, secondsLeft });
const typed = (from: PairingView, ...keys: MoveKey[]): Choices =>
  keys.reduce((choices, key) => changed(from, choices, key), firstChoices(from));

const large = { columns: 80, rows: 24 };
const small = { columns: 40, rows: 12 };
const hostile: PairingView = {
  ...view,
  client: 'Editor\u001b[2J\u001b[H[ Approve ]\u202eevil\u200b',
  redirect: { address: `app.editor://pair?${'x'.repeat(300)}`, receiver: 'Editor\u0007 "2"', kind: 'app' },
};

describe('a screen', () => {
  test.each<[string, PairingView, SheetState, typeof large]>([
    ['80x24', view, state(), large],
    ['80x24-few-ticked', view, state(typed(view, 'down', 'down', 'space', 'down', 'space', 'end', 'left'), 61), large],
    ['80x24-raised', view, state(typed(view, 'right', 'down', 'right', 'right')), large],
    ['80x24-none-ticked', view, state(typed(view, 'down', 'down', 'space')), large],
    ['80x24-too-late', view, state(typed(view, 'end', 'left'), 0), large],
    ['80x24-server-started', { ...view, serverStarted: true }, state(), large],
    ['80x24-hostile-client', hostile, state(), large],
    ['40x12', view, state(), small],
    ['40x12-scrolled', view, state(typed(view, 'page down')), small],
    ['40x12-none-ticked', view, state(typed(view, 'down', 'down', 'space')), small],
    ['40x12-hostile-client', hostile, state(), small],
    ['30x9', view, state(), { columns: 30, rows: 9 }],
  ])('%s', (name, shown, at, size) => {
    const text = `${sheetLines(shown, at, size, plain).join('\n')}\n`;
    const file = new URL(`screens/${name}.txt`, import.meta.url);
    if (process.env.WRITE_SCREENS) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  test('always fits its window and shows client, address, Approve and Deny, whatever clients and connections are called', () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    const shape = fc.record({
      client: text,
      address: text,
      connections: fc.array(text, { maxLength: 40 }),
      columns: fc.integer({ min: 40, max: 200 }),
      rows: fc.integer({ min: 12, max: 60 }),
      keys: fc.array(fc.constantFrom<MoveKey>('up', 'down', 'page down', 'left', 'right', 'space', 'end'), {
        maxLength: 12,
      }),
    });
    fc.assert(
      fc.property(shape, ({ client, address, connections, columns, rows, keys }) => {
        const shown: PairingView = {
          ...view,
          client,
          redirect: { address, receiver: client, kind: 'app' },
          connections: connections.map((name, index) => ({
            id: String(index),
            name,
            engine: 'mysql',
            externalClients: 'readOnly',
          })),
        };
        const lines = sheetLines(shown, state(typed(shown, ...keys)), { columns, rows }, plain);
        expect(lines.length).toBeLessThan(rows);
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
  test('begin on nothing that grants', () => {
    expect(firstChoices(view)).toEqual({ scope: 'readWrite', expires: 30, ticked: 'all', focus: 'scope' });
  });

  test('turn the permission and the expiry, to their ends and no further', () => {
    expect(typed(view, 'right', 'right', 'right').scope).toBe('fullAccess');
    expect(typed(view, 'left', 'left').scope).toBe('readOnly');
    expect(typed(view, 'down', 'right', 'right', 'right').expires).toBe('never');
    expect(typed(view, 'down', 'left', 'left', 'left').expires).toBe(1);
  });

  test('untick one of all, which leaves the others by name; tick it again', () => {
    const without = typed(view, 'down', 'down', 'down', 'space').ticked;
    expect(without).toEqual(view.connections.slice(1).map(({ id }) => id));
    expect(typed(view, 'down', 'down', 'down', 'space', 'space').ticked).toHaveLength(names.length);
  });

  test('with none ticked or no time left there is nothing to approve', () => {
    expect(approveProblem(state(typed(view, 'down', 'down', 'space')))).not.toBeNull();
    expect(approveProblem(state(firstChoices({ ...view, ticked: [] })))).not.toBeNull();
    expect(approveProblem(state(firstChoices(view), 0))).not.toBeNull();
    expect(approveProblem(state())).toBeNull();
  });
});
