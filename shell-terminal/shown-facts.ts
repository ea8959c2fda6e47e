/**
 * What a confirmation comes to, value by value, as plain lines (spec §11). What others wrote is
 * escaped and stands behind its label or a bar at every line, so that nothing in it can pass for a
 * line of ours. Decides nothing.
 */

import type { ConfirmationFact } from '../shared/control-commands.ts';
import { shownText } from '../shared/shown-text.ts';
import { pieces } from './sheet/fit.ts';
import { statementRows } from './sheet/statement-rows.ts';
import { wrapped } from './terminal.ts';

const indent = '  ';
/** Wide enough for some progress, on whatever is called a terminal. */
const leastColumns = 20;
const mostLabelColumns = 20;
const untilNow = '  until now';

/**
 * @param columns of the terminal: broken here and not by it, whose own break would begin at its
 * edge.
 */
export function shownFacts(facts: readonly ConfirmationFact[], columns: number): string[] {
  const labels = facts.flatMap(({ label, former }) => (former === null ? [label] : [label, untilNow]));
  const longest = Math.max(0, ...labels.map(label => label.length));
  const labelColumns = Math.min(longest, mostLabelColumns) + 2;
  const labelled = (label: string, text: string, form: ConfirmationFact['form']): string[] => {
    const width = Math.max(columns - indent.length - labelColumns - 1, leastColumns);
    const lines =
      form === 'lines'
        ? statementRows(text, width)
        : wrapped(shownText(text), width, '').flatMap(line => pieces(line, width));
    return lines.map((line, index) => `${indent}${(index === 0 ? label : '').padEnd(labelColumns)}${line}`.trimEnd());
  };
  return facts.flatMap(({ label, value, former, form }) => [
    ...labelled(shownText(label), value, form),
    ...(former === null ? [] : labelled(untilNow, former, form)),
  ]);
}
