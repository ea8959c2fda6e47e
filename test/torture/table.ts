/** The results of a run, as the table of docs/reliability.md: one row per fault. */

import type { Fault } from './fault.ts';
import { Tally } from './tally.ts';
import type { Trial } from './trial.ts';

export type Trials = ReadonlyMap<Fault, readonly Trial[]>;

export function tableOf(trials: Trials): string {
  const rows = [...trials].map(([fault, all]) => {
    const saw = new Tally();
    for (const trial of all) saw.add(trial.saw);
    const sum = (key: 'acknowledged' | 'unknown' | 'tookEffect') => all.reduce((total, trial) => total + trial[key], 0);
    const unknown = sum('unknown') === 0 ? '' : `; ${sum('tookEffect')} of ${sum('unknown')} unknown took effect`;
    const kept = `${sum('acknowledged')} writes acknowledged and there${unknown}`;
    const wrong = all.reduce((total, trial) => total + trial.wrong.length, 0);
    return [
      fault.title,
      all.length,
      saw.lines().join('<br>'),
      wrong === 0 ? kept : `${wrong} wrong; ${kept}`,
      recoveries(all),
    ];
  });
  const head = ['Fault', 'Times', 'What clients saw', 'What was kept', 'Start to first answer, ms: median, longest'];
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

function recoveries(all: readonly Trial[]): string {
  const sorted = all.map(({ recoveryMilliseconds }) => Math.round(recoveryMilliseconds)).sort((a, b) => a - b);
  return `${sorted[Math.floor(sorted.length / 2)]}, ${sorted.at(-1)}`;
}
