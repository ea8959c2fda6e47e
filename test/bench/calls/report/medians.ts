/** Reduces each cell of a matrix to one number: the median of its rounds. */

import type { Measured } from '../load/load.ts';
import type { Cell } from '../matrix.ts';
import type { Target } from '../targets/target.ts';
import type { Workload } from '../workloads.ts';

export class Medians {
  readonly #cells: readonly Cell[];

  constructor(cells: readonly Cell[]) {
    this.#cells = cells;
  }

  get targets(): readonly Target[] {
    return [...new Set(this.#cells.map(({ target }) => target))];
  }

  get clientCounts(): readonly number[] {
    return [...new Set(this.#cells.map(({ clients }) => clients))];
  }

  /** @returns null if it wasn't measured. */
  of(target: Target, workload: Workload, clients: number, what: keyof Measured): number | null {
    const cell = this.#cells.find(
      each => each.target === target && each.workload === workload && each.clients === clients,
    );
    const values = (cell?.rounds ?? []).map(round => round[what]).filter(value => value !== null);
    const sorted = values.sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? null;
  }
}
