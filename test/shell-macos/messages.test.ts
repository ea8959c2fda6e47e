/**
 * The Swift of the app's messages: what each shape becomes, what has no Swift, and that an outdated
 * file is found.
 */

import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { swiftFiles } from '../../shell-macos/tools/messages/control.mjs';
import { project } from './built-app.ts';

/** The Swift of one command with these parameters. */
function swiftOf(shape: z.ZodType, exported: Record<string, z.ZodType> = {}): string {
  const commands = [{ name: 'lamps.light', shape, result: z.strictObject({}) }];
  const files = swiftFiles({ commands, pushed: {}, nouns: { lamps: exported } });
  return files.get('LampsMessages.swift') ?? '';
}

test('optional, null and both are three different things', () => {
  const swift = swiftOf(
    z.strictObject({ left: z.int().optional(), empty: z.int().nullable(), either: z.int().nullish() }),
  );
  expect(swift).toContain('        public var left: Int?\n');
  expect(swift).toContain('        @OrNull public var empty: Int?\n');
  expect(swift).toContain('        public var either: Change<Int>\n');
});

test('an exported shape is a type of its name, even if another is equal; any other is written in place', () => {
  const colour = z.enum(['red', 'deep-blue']);
  const shape = z.strictObject({
    first: colour,
    second: z.enum(['deep-blue', 'red'], 'a colour'),
    other: z.enum(['on']),
  });
  const swift = swiftOf(shape, { colour });
  expect(swift).toContain('\npublic enum Colour: String, Codable, CaseIterable, Sendable {\n');
  expect(swift).toContain('    case deepBlue = "deep-blue"\n');
  expect(swift.match(/public var (first|second): Colour\n/g)).toHaveLength(2);
  expect(swift).toContain('        public var other: Other\n');
  expect(swift).toContain('        public enum Other: String');
});

test('members of any name are a dictionary, and the parameters of a command are that command', () => {
  const named = z.strictObject({ at: z.record(z.string(), z.array(z.int())), of: z.record(z.string(), z.string()) });
  const swift = swiftOf(named);
  expect(swift).toContain('        public var at: [String: [Int]]\n');
  expect(swift).toContain('        public var of: [String: String]\n');
  const commands = [
    { name: 'lamps.light', shape: named, result: z.strictObject({}) },
    { name: 'lamps.plan', shape: z.strictObject({}), result: z.strictObject({ next: named.optional() }) },
  ];
  const planned = swiftFiles({ commands, pushed: {}, nouns: {} }).get('LampsMessages.swift');
  expect(planned).toContain('            public var next: Command.LampsLight?\n');
});

test.each<[string, z.ZodType]>([
  ['a date', z.strictObject({ at: z.date() })],
  ['what code alone judges', z.strictObject({ at: z.custom(value => value === 1) })],
  ['anything', z.strictObject({ at: z.unknown() })],
  ['anything by any name', z.strictObject({ at: z.record(z.string(), z.unknown()) })],
  ['objects that nothing tells apart', z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })])],
])('%s has no Swift', (_, shape) => {
  expect(() => swiftOf(shape)).toThrow();
});

describe('the check', () => {
  const committed = join(project, 'shell-macos/Sources/ShellRules/Messages/Generated');
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-messages-'));
    cpSync(committed, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(...given: string[]): string {
    const options = {
      cwd: project,
      env: { ...process.env, SALLYPORT_MESSAGES: folder },
      encoding: 'utf8',
      stdio: 'pipe',
    } as const;
    return execFileSync(process.execPath, ['shell-macos/tools/messages.mjs', ...given], options);
  }

  test('finds the committed file up to date', () => {
    expect(run('--check')).toMatch(/^messages fresh \(\d+ files of Swift\)\n$/);
  });

  test.each<[string, string, () => void]>([
    ['edited', 'TokensMessages.swift', () => appendFileSync(join(folder, 'TokensMessages.swift'), '\n')],
    ['missing', 'TokensMessages.swift', () => rmSync(join(folder, 'TokensMessages.swift'))],
    [
      'of a noun that is no more',
      'LampsMessages.swift',
      () => renameSync(join(folder, 'TokensMessages.swift'), join(folder, 'LampsMessages.swift')),
    ],
  ])('names a file that is %s, and writing fixes it', (_, name, change) => {
    change();
    expect(() => run('--check')).toThrow(`${name} isn't what the daemon's shapes say`);
    expect(run()).toBe('');
    expect(run('--check')).toMatch(/^messages fresh/);
  });
});
