/** The whole report: where and how it was measured, then each engine, then memory. */

import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { version } from '../../../../shared/version.ts';
import { root } from '../../../torture/root.ts';
import { packageOf } from '../../rivals-folder.ts';
import type { Extent } from '../matrix.ts';
import { raised } from '../targets/sallyport.ts';
import type { Medians } from './medians.ts';
import { callsTable, ratiosTable, table, whole } from './tables.ts';

export interface EngineReport {
  /** `PostgreSQL 15.14` */
  readonly title: string;
  readonly engine: string;
  readonly medians: Medians;
}

/** Megabytes; null if the system doesn't tell. */
export interface Memory {
  readonly name: string;
  readonly idle: number | null;
  readonly after: number | null;
  readonly minuteLater: number | null;
}

export function page(
  engines: readonly EngineReport[],
  memory: readonly Memory[],
  missing: ReadonlyMap<string, string>,
  extent: Extent,
): string {
  const sections = engines.map(({ title, engine, medians }) => {
    const picture = `![Calls a second at 8 clients, ${title}](benchmark-${engine}.svg)`;
    return `### ${title}\n\n${callsTable(medians)}\n\n${ratiosTable(medians)}\n\n${picture}`;
  });
  const rows = memory.map(({ name, idle, after, minuteLater }) => [
    name,
    whole(idle),
    whole(after),
    whole(minuteLater),
  ]);
  const head = ['Memory, MB (what several processes share counts once)', 'Idle', 'After all loads', 'A minute later'];
  return [how(extent, missing), ...sections, '### Memory', table(head, rows)].join('\n\n');
}

function how({ rounds, seconds }: Extent, missing: ReadonlyMap<string, string>): string {
  const processors = cpus();
  const machine = `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`;
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
    cwd: root,
    encoding: 'utf8',
  });
  const day = new Date().toISOString().slice(0, 10);
  const rivals = (['dbhub', 'MCP Toolbox'] as const).map(packageOf);
  const notHere = [...missing].map(([name, why]) => ` ${name} is missing: ${why.split('\n')[0]}.`).join('');
  const limits = Object.entries(raised).map(([key, value]) => `\`${key}\` ${value}`);
  return [
    `${day}, ${machine}. Sallyport ${version} at ${commit.trim()}; ${rivals.join(', ')}.${notHere}`,
    `Medians of ${rounds} rounds of ${seconds} s each, at 1 / 8 / 32 clients, interleaved in alternating order; the load comes from the`,
    `same machine. Of Sallyport's settings ${limits.join(', ')} were raised, since the limits would stop such a load.`,
  ].join('\n');
}
