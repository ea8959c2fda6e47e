/** The costs as two tables: in all, and by question. */

import { questions } from '../../journeys/databases/fourteen-questions.ts';
import { table, whole } from '../calls/report/tables.ts';
import { tokenizer } from '../stdio/session.ts';
import type { Asked, Cost } from './asked.ts';

/** @param heading the day and the versions. */
export function report(asked: readonly Asked[], heading: string): string {
  const common = questions.flatMap((_, at) => (asked.every(({ costs }) => costs[at] !== null) ? [at] : []));
  const sum = ({ costs }: Asked, of: keyof Cost) =>
    whole(common.reduce((total, at) => total + (costs[at]?.[of] ?? 0), 0));
  const names = asked.map(({ name }) => name);
  const totals = [
    ['Tools', ...asked.map(({ toolCount }) => whole(toolCount))],
    ['Fixed: list of tools and instructions', ...asked.map(({ fixedTokens }) => whole(fixedTokens))],
    ['Questions with a way', ...asked.map(({ costs }) => whole(costs.filter(cost => cost !== null).length))],
    [
      `Calls, the ${common.length} that all can answer, each in a conversation of its own`,
      ...asked.map(each => sum(each, 'calls')),
    ],
    ['Tokens read in their answers', ...asked.map(each => sum(each, 'read'))],
    ['The same in one conversation, no call twice', ...asked.map(each => sum(each, 'readAnew'))],
    ['Tokens written in their calls', ...asked.map(each => sum(each, 'written'))],
  ];
  const rows = questions.map(({ asks }, at) => [asks, ...asked.map(({ costs }) => cell(costs[at] ?? null))]);
  return [
    `${heading} Tokens of \`gpt-tokenizer\` (${tokenizer}).`,
    table(['', ...names], totals),
    table(['Calls · tokens read', ...names], rows),
  ].join('\n\n');
}

function cell(cost: Cost | null): string {
  return cost === null ? 'no way' : `${cost.calls} · ${whole(cost.read)}`;
}
