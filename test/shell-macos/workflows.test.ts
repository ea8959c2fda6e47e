/** The workflows that run elsewhere: they use only fixed versions, and may only read. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { project } from './built-app.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Record<string, unknown>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly 'runs-on': string;
  readonly permissions?: unknown;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Record<string, unknown>;
  readonly permissions: unknown;
  readonly jobs: Record<string, Job>;
}

const folder = join(project, '.github/workflows');
const files = readdirSync(folder);
const targets = new Set(readFileSync(join(project, 'Makefile'), 'utf8').match(/^[a-z-]+(?=:)/gm));

const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
/** The parser refuses a key that occurs twice in one mapping. */
const parsed = (file: string): Workflow => parse(textOf(file), { uniqueKeys: true });

describe.each(files)('%s', file => {
  const text = textOf(file);
  const workflow = parsed(file);
  const steps = Object.values(workflow.jobs).flatMap(job => job.steps);

  test('may only read, and ends; what signs runs nothing of ours, and changes nothing', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
    for (const [name, job] of Object.entries(workflow.jobs)) {
      expect(job['timeout-minutes']).toBeLessThanOrEqual(120);
      const isSigner = file === 'release.yml' && name === 'provenance';
      expect(job.permissions).toEqual(
        isSigner ? { contents: 'read', 'id-token': 'write', attestations: 'write' } : undefined,
      );
      if (!isSigner) continue;
      const runs = job.steps.flatMap(({ uses = '', run }) => run ?? uses.replace(/@.*/, ''));
      expect(runs).toEqual([
        'actions/download-artifact',
        'sha256sum sallyport* install.sh >SHA256SUMS',
        'actions/attest-build-provenance',
        'actions/upload-artifact',
      ]);
    }
    expect(text).not.toContain('secrets.');
  });

  test('names others’ actions by commit, with the version beside it for people', () => {
    const used = steps.flatMap(step => step.uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) {
      expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
      expect(text).toMatch(new RegExp(`${action} # v\\d+\\.\\d+\\.\\d+\n`));
    }
    for (const step of steps.filter(step => step.uses?.startsWith('actions/checkout@'))) {
      expect(step.with?.['persist-credentials']).toBe(false);
    }
  });

  test('runs only existing targets, scripts and pictures, and no text from an event', () => {
    for (const { run = '' } of steps) {
      for (const [, target = ''] of run.matchAll(/\bmake ([a-z-]+)/g)) {
        if (!run.includes('apt-get')) expect(targets).toContain(target);
      }
      for (const [path] of run.matchAll(/(?:\.ci|test|shell-macos|\.readme)\/[\w./-]+/g)) {
        expect([path, existsSync(join(project, path)) || existsSync(join(project, `${path}.test.ts`))]).toEqual([
          path,
          true,
        ]);
      }
      expect(run).not.toContain('github.event');
    }
  });
});

test('on a Mac, tries everything, even after a failure, and keeps the pictures', () => {
  const ofMac = parsed('ci.yml').jobs.macos?.steps ?? [];
  const runs = ofMac.flatMap(step => (step.run === undefined ? [] : [step]));
  const order = ['make build', 'run.mjs', 'make check-app', 'make app', 'make tryout', 'ditto'];
  const places = order.map(command => runs.findIndex(step => step.run?.includes(command)));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((one, other) => one - other));
  for (const place of places.slice(1)) expect(runs[place]?.if).toMatch(/^\$\{\{ !cancelled\(\)/);
  const kept = ofMac.filter(step => step.uses?.startsWith('actions/upload-artifact@'));
  expect(kept.map(step => String(step.with?.path).split('\n'))).toContainEqual(
    expect.arrayContaining(['build/logs', 'build/tryout']),
  );
  for (const step of kept) expect(step.if).toMatch(/!cancelled\(\)/);
});
