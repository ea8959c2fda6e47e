/**
 * What `make check-app` and the Swift tests' runner do on a Mac that has another formatter than
 * ours, or whose tests skip themselves.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { missingPrograms, needs } from '../needs.ts';
import { program, project } from './built-app.ts';
import { notRun } from './real-daemon-ran.mjs';

// It checks the app's texts by Python.
needs(missingPrograms(['python3'], 'apt-get install python3')).describe('make check-app on a Mac', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'check-app-'));
    program(join(folder, 'uname'), 'echo Darwin');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * @param formatter the version of the Mac's own.
   * @param lint the exit code of its format check.
   */
  function checked(formatter: string, lint: number) {
    const swift = join(folder, 'swift');
    program(
      swift,
      `echo "$*" >>'${folder}/asked'
case $* in 'format --version') echo ${formatter} ;; 'format lint '*) exit ${lint} ;; esac`,
    );
    const { status, stdout } = spawnSync('sh', [join(project, 'shell-macos/check.sh')], {
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}`, SWIFT: swift },
    });
    return { status, said: stdout.trim().split('\n'), asked: readFileSync(join(folder, 'asked'), 'utf8') };
  }

  test('of another formatter checks all the rest, and says at the end that the format was skipped, and why', () => {
    const { status, said, asked } = checked('602.0.0', 1);
    expect(status).toBe(0);
    expect(asked).not.toContain('format lint');
    expect(asked).toContain('build --build-tests');
    expect(said.filter(line => line.startsWith('check.sh: '))).toEqual([
      'check.sh: texts',
      'check.sh: property lists',
      'check.sh: build',
      "check.sh: format was skipped: this Mac's formatter is 602.0.0, and the files are laid out by 600.0.0, as Linux checks",
    ]);
  });

  test('of the same formatter, the format counts', () => {
    expect(checked('600.0.0', 1).status).toBe(1);
    const { status, said } = checked('600.0.0', 0);
    expect(status).toBe(0);
    expect(said).toContain('check.sh: format');
  });
});

describe('the Swift tests beside the real daemon', () => {
  const lines = (...ends: string[]): string[] => [
    ends
      .map((end, number) => `Test Case 'RealDaemonTests.test${number}' ${end} (0.1 seconds)`)
      .concat("Test Case 'SocketTests.testOther' skipped (0.0 seconds)")
      .join('\n'),
    ends
      .map((end, number) => `Test Case '-[ShellRulesTests.RealDaemonTests test${number}]' ${end} (0.1 seconds).`)
      .join('\n'),
  ];

  test.each(lines('passed', 'passed'))('ran: %s', said => expect(notRun(said)).toBeNull());
  test.each(lines('passed', 'skipped'))('skipped themselves: %s', said =>
    expect(notRun(said)).toBe('These tests beside the real daemon skipped themselves: test1.'),
  );
  test('are missing', () => {
    expect(notRun("Test Case 'SocketTests.testOther' passed (0.0 seconds)")).toBe(
      'No test ran beside the real daemon.',
    );
  });
});
