/**
 * Rows of the activity log as lines of a terminal (spec §14): one line per row, and below it the
 * reason and who did it.
 */

import type { ActivityRowView, HistoryEntryView } from '../shared/control-commands.ts';
import { shownName, shownText } from '../shared/shown-text.ts';
import { bridgeTokenName } from '../shared/words.ts';
import { cut, textWidth } from './table.ts';
import { styled, type Terminal, widthOf, wrapped } from './terminal.ts';
import { shownTime } from './words.ts';

/**
 * Fixed widths, so columns line up with rows that come later: 80 columns leave 24 for the last one.
 */
const widths = { time: 8, who: 11, what: 20, on: 9 } as const;
const gap = '  ';
/** A narrower terminal shows each row in full, broken between words. */
const narrowestTable = 72;
const indent = ' '.repeat(widths.time + gap.length);

interface ActivityLines {
  /** The titles, once. */
  heading(): string[];
  /** With the day above it if the day has changed. */
  row(row: ActivityRowView): string[];
}

export function activityLines(terminal: Terminal): ActivityLines {
  const width = widthOf(terminal.stdout);
  const isNarrow = width !== null && width < narrowestTable;
  let day = '';

  function line(cells: readonly [string, string, string, string, string]): string {
    const [time, who, what, on, result] = cells;
    if (isNarrow) {
      const said = [who, what, on === '' ? '' : `on ${on}`, result].filter(part => part !== '').join(', ');
      return wrapped(said, width - indent.length, '')
        .map((part, at) => (at === 0 ? `${time}${gap}${part}` : indent + part))
        .join('\n');
    }
    const shown = [
      column(time, widths.time),
      column(who, widths.who),
      column(what, widths.what),
      column(on, widths.on),
      result,
    ];
    const text = shown.join(gap).trimEnd();
    return width === null ? text : cut(text, width);
  }

  /** Cuts only for a terminal: a program that reads a pipe wants it whole. */
  function column(text: string, columns: number): string {
    const shown = width === null ? text : cut(text, columns);
    return shown + ' '.repeat(Math.max(0, columns - textWidth(shown)));
  }

  return {
    heading: () => (isNarrow ? [] : [styled(terminal, 'dim', line(['TIME', 'WHO', 'WHAT', 'ON', 'RESULT']))]),

    row(row) {
      const time = shownTime(row.time);
      const cells = line([
        `${time.slice(11)}:${row.time.slice(17, 19)}`,
        shownName(whoIn(row)),
        shownName(whatOf(row)),
        shownName(row.connection?.name ?? ''),
        resultOf(row),
      ]);
      const painted = styleOf(row) === null ? cells : styled(terminal, styleOf(row) ?? 'dim', cells);
      const said = [row.reason, byOf(row)].flatMap(part => (part === null ? [] : [shownText(part)]));
      const under = width === null ? [] : said.flatMap(part => wrapped(part, width - indent.length, ''));
      const lines = [
        width === null && said.length > 0 ? `${painted}: ${said.join(', ')}` : painted,
        ...under.map(part => styled(terminal, 'dim', `${indent}${part}`)),
      ];
      const isSameDay = time.startsWith(day) && day !== '';
      day = time.slice(0, 10);
      return isSameDay ? lines : [styled(terminal, 'bold', day), ...lines];
    },
  };
}

/**
 * For an act of a shell, the shell's process replaces the client: only its program's name fits a
 * column.
 */
function whoIn(row: ActivityRowView): string {
  const [program = ''] = (row.client ?? '').split(' (');
  return isByShell(row) ? (row.tokenName ?? program) : whoOf(row);
}

function byOf(row: ActivityRowView): string | null {
  return isByShell(row) && row.client !== null ? `by ${row.client}` : null;
}

function isByShell({ category, action }: ActivityRowView): boolean {
  return category === 'admin' || action === 'increase';
}

/** Clients that use the bridge's token are known by the name they give themselves. */
export function whoOf({ tokenName, client }: Pick<ActivityRowView, 'tokenName' | 'client'>): string {
  return (tokenName === bridgeTokenName ? client : (tokenName ?? client)) ?? '';
}

function whatOf({ category, action }: ActivityRowView): string {
  return category === 'query' || category === 'tool' || category === 'resource' ? `${category} ${action}` : action;
}

type Outcome = NonNullable<ActivityRowView['outcome']> | HistoryEntryView['outcome'];

const outcomeWords = {
  success: 'success',
  denied: 'denied',
  error: 'error',
  rate_limited: 'rate limited',
  unknown: 'outcome unknown',
  rolled_back: 'rolled back',
} as const satisfies Record<Outcome, string>;

interface Result extends Pick<ActivityRowView, 'fate' | 'rows' | 'durationMilliseconds' | 'count'> {
  readonly outcome: Outcome | null;
}

export function resultOf({ outcome, fate, rows, durationMilliseconds, count }: Result): string {
  if (fate !== null) return { settled: 'attempted', running: 'running', unknown: 'outcome unknown' }[fate];
  return [
    outcome === null ? '' : outcomeWords[outcome],
    ...(rows === null ? [] : [rows === 1 ? '1 row' : `${rows} rows`]),
    ...(durationMilliseconds === null ? [] : [shownDuration(durationMilliseconds)]),
    ...(count > 1 ? [`${count} times`] : []),
  ].join(' ');
}

function shownDuration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

export function styleOf({ outcome, fate }: Pick<Result, 'outcome' | 'fate'>): 'red' | 'yellow' | null {
  if (outcome === 'denied' || outcome === 'error') return 'red';
  return outcome === 'rate_limited' || outcome === 'unknown' || fate === 'unknown' ? 'yellow' : null;
}
