/** Two daemons compared, round by round: what both feel of a busy moment cancels out. */

import type { Measured } from '../load/load.ts';
import type { Cell } from '../matrix.ts';
import type { Target } from '../targets/target.ts';
import { decimals, table, whole } from './tables.ts';

/** @param titles of the engine, and of the checkout that `theirs` runs. */
export function besideTable(
  cells: readonly Cell[],
  ours: Target,
  theirs: Target,
  [engine = '', checkout = '']: readonly string[],
): string {
  const rows = cells
    .filter(({ target }) => target === ours)
    .map(({ workload, clients, rounds }) => {
      const isSame = (cell: Cell) => cell.target === theirs && cell.workload === workload && cell.clients === clients;
      const others = cells.find(isSame)?.rounds ?? [];
      return [
        `${workload.name}, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
        ...[rounds, others].map(each => whole(medianOf(each.map(({ callsPerSecond }) => callsPerSecond)))),
        ratios(rounds, others, ({ callsPerSecond }) => callsPerSecond),
        ratios(rounds, others, ({ processorMilliseconds }) => processorMilliseconds ?? Number.NaN),
      ];
    });
  const head = ['This tree', checkout, 'Ratio (in single rounds)', 'Ratio of processor time a call'];
  return table([`Calls a second, ${engine}`, ...head], rows);
}

function ratios(ours: readonly Measured[], theirs: readonly Measured[], of: (round: Measured) => number): string {
  const each = ours.flatMap((round, index) => {
    const other = theirs[index];
    return other === undefined ? [] : [of(round) / of(other)];
  });
  return `${decimals(medianOf(each), 2)} (${decimals(Math.min(...each), 2)} to ${decimals(Math.max(...each), 2)})`;
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
