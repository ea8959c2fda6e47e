/** Draws how a policy file differs from what holds, connection by connection (spec §6). */

import type { PolicyChangeView, PolicyDifferenceView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { styled, type Terminal, widthOf, wrapped } from '../terminal.ts';

const listKeys: ReadonlySet<string> = new Set(['hide', 'only', 'show', 'mask']);

export function changesIn({ connections, settings }: PolicyDifferenceView): readonly PolicyChangeView[] {
  return [...connections.flatMap(({ changes }) => changes), ...settings];
}

export function differenceLines(terminal: Terminal, difference: PolicyDifferenceView): string[] {
  const keys = changesIn(difference).map(({ key }) => key.length);
  const keyColumns = Math.max(0, ...keys) + 2;
  const titled = (title: string, changes: readonly PolicyChangeView[]): string[] =>
    changes.length === 0
      ? []
      : [styled(terminal, 'bold', title), ...changes.flatMap(change => lineOf(terminal, change, keyColumns))];
  return [
    ...difference.connections.flatMap(({ name, changes }) => titled(shownText(name), changes)),
    ...titled('Settings', difference.settings),
  ];
}

const whenColumns = 12;

/** `  at once     ai-policy  always → ask` */
function lineOf(terminal: Terminal, change: PolicyChangeView, keyColumns: number): string[] {
  const when = change.widens ? 'passphrase' : 'at once';
  const head = `  ${styled(terminal, change.widens ? 'yellow' : 'green', when)}${' '.repeat(whenColumns - when.length)}${change.key.padEnd(keyColumns)}`;
  const before = 2 + whenColumns + keyColumns;
  const width = widthOf(terminal.stdout);
  const text = listKeys.has(change.key) ? listWords(change) : `${valueWords(change.from)} → ${valueWords(change.to)}`;
  const lines = wrapped(shownText(text), width === null ? null : Math.max(width - before, 20), '');
  return lines.map((line, at) => (at === 0 ? `${head}${line}` : `${' '.repeat(before)}${line}`));
}

function valueWords(value: readonly string[] | null): string {
  return value === null ? 'read-write until a set time' : value.join(', ');
}

/** `adds audit.*; drops *_secret`. An empty `only` means all. */
function listWords({ key, from, to }: PolicyChangeView): string {
  const [before, after] = [from ?? [], to ?? []];
  if (key === 'only' && after.length === 0) return `all tables, instead of ${before.join(', ')} alone`;
  if (key === 'only' && before.length === 0) return `${after.join(', ')} alone, instead of all tables`;
  const lacks = (those: readonly string[], has: readonly string[]) => those.filter(each => !has.includes(each));
  const told = [
    ['adds', lacks(after, before)],
    ['drops', lacks(before, after)],
  ] as const;
  return told
    .flatMap(([what, patterns]) => (patterns.length === 0 ? [] : [`${what} ${patterns.join(', ')}`]))
    .join('; ');
}
