/** The measurements of one engine, as tables. */

import { floorNames } from '../targets/floor.ts';
import { sallyportNames } from '../targets/sallyport.ts';
import type { Target } from '../targets/target.ts';
import { type Workload, workloads } from '../workloads.ts';
import type { Medians } from './medians.ts';

const at = 8;

/** Calls per second at each number of clients, and the cost of one call at eight. */
export function callsTable(medians: Medians): string {
  const [shortest] = workloads as [Workload];
  const rows = medians.targets.map(target => [
    target.name,
    ...workloads.map(workload =>
      medians.clientCounts.map(clients => whole(medians.of(target, workload, clients, 'callsPerSecond'))).join(' / '),
    ),
    decimals(medians.of(target, shortest, at, 'p99Milliseconds'), 1),
    ...workloads.map(workload => decimals(medians.of(target, workload, at, 'processorMilliseconds'), 2)),
  ]);
  const head = [
    'Calls a second',
    ...workloads.map(({ name }) => name),
    `p99 of ${shortest.name} at ${at}, ms`,
    ...workloads.map(({ name }) => `Processor, ms a call of ${name}`),
  ];
  return table(head, rows);
}

/** Sallyport's calls per second as a multiple of each other target's, at each number of clients. */
export function ratiosTable(medians: Medians): string {
  const named = (name: string) => medians.targets.find(target => target.name === name);
  const ours = named(sallyportNames.modern);
  if (ours === undefined) return '';
  const others = medians.targets.filter(target => target !== ours && target.name !== floorNames.plain);
  const rows = others.map(other => [
    `÷ ${other.name}`,
    ...workloads.map(workload =>
      medians.clientCounts.map(clients => ratio(medians, ours, other, workload, clients)).join(' / '),
    ),
  ]);
  return table([`${ours.name}, times`, ...workloads.map(({ name }) => name)], rows);
}

function ratio(medians: Medians, ours: Target, other: Target, workload: Workload, clients: number): string {
  const mine = medians.of(ours, workload, clients, 'callsPerSecond');
  const theirs = medians.of(other, workload, clients, 'callsPerSecond');
  return mine === null || theirs === null ? '–' : decimals(mine / theirs, 2);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

export function whole(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '–' : Math.round(value).toLocaleString('en');
}

export function decimals(value: number | null, digits: number): string {
  return value === null || !Number.isFinite(value) ? '–' : value.toFixed(digits);
}
