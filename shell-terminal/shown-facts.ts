/**
 * The effect of a confirmation, value by value, as plain lines (spec §11). Others' text is escaped,
 * behind its label or a bar on every line, so nothing in it looks like a line of ours. Decides
 * nothing.
 */

import type { ConfirmationFact } from '../shared/control-commands.ts';
import { shownText } from '../shared/shown-text.ts';
import { splitAtColumns } from './sheet/fit.ts';
import { statementRows } from './sheet/statement-rows.ts';
import { wrapped } from './terminal.ts';

const indent = '  ';
/** Wide enough for some progress, however narrow the terminal claims to be. */
const leastColumns = 20;
const mostLabelColumns = 20;
const untilNow = '  until now';

/**
 * @param columns of the terminal. Lines are broken here, because the terminal's own breaks would
 *   begin at its edge.
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
        : wrapped(shownText(text), width, '').flatMap(line => splitAtColumns(line, width));
    return lines.map((line, index) => `${indent}${(index === 0 ? label : '').padEnd(labelColumns)}${line}`.trimEnd());
  };
  return facts.flatMap(({ label, value, former, form }) => [
    ...labelled(shownText(label), value, form),
    ...(former === null ? [] : labelled(untilNow, former, form)),
  ]);
}
