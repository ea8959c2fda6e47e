/** The results of a run, as the table of docs/reliability.md: one row per fault. */

import type { Fault } from './fault.ts';
import { Tally } from './tally.ts';
import type { Trial } from './trial.ts';

export type Trials = ReadonlyMap<Fault, readonly Trial[]>;

/**
 * How a request ends that got what it asked for; what else became of one is printed, and not in the
 * table.
 */
const answers: ReadonlySet<string> = new Set(['answered', 'acknowledged', 'paired']);
/** Told of the trial, not of a request. */
const ofTrial: ReadonlySet<string> = new Set(['activity verify', 'start', 'homes taken over']);

export function tableOf(trials: Trials): string {
  const rows = [...trials].map(([fault, all]) => {
    const saw = new Tally();
    for (const trial of all) saw.add(trial.saw);
    const requests = saw.all().filter(({ who }) => !ofTrial.has(who));
    const answered = total(requests.filter(({ what }) => answers.has(what)));
    const sum = (key: 'acknowledged' | 'unknown' | 'tookEffect') => all.reduce((total, trial) => total + trial[key], 0);
    const unknown = sum('unknown') === 0 ? '' : `; ${sum('tookEffect')} of ${sum('unknown')}`;
    const kept = `${sum('acknowledged')}${unknown}`;
    const wrong = all.reduce((total, trial) => total + trial.wrong.length, 0);
    return [fault.title, `${answered} of ${total(requests)}`, wrong === 0 ? kept : `${wrong} wrong; ${kept}`];
  });
  const head = ['Fault', 'Answered', 'Writes kept; unknown ones that took effect'];
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

function total(counts: readonly { readonly times: number }[]): number {
  return counts.reduce((sum, { times }) => sum + times, 0);
}

export function longestStart(trials: Trials): number {
  return Math.round(Math.max(0, ...[...trials.values()].flat().map(trial => trial.recoveryMilliseconds)));
}
