/** `sallyport activity`, with `--follow`, and `sallyport activity verify` (spec §14, §16). */

import type { ActivityCategoryWord, ActivityPageView, ActivityRowView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { activityLines } from '../activity-lines.ts';
import { failed, misuse, noDaemon } from '../cli-error.ts';
import { command } from '../command.ts';
import type { ControlClient } from '../control-client.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { print, printJson, printNotes, remark, styled, type Terminal, widthOf, wrapped } from '../terminal.ts';
import { showWaiting } from '../waiting-line.ts';
import { categoryWords, meaningOf, sinceOf, wholeNumber } from '../words.ts';

interface Wanted {
  readonly since: string | null;
  readonly category: ActivityCategoryWord | null;
  readonly token: string | null;
}

/** Shown if neither a time nor a number is given. */
const lastRows = 50;
const mostRows = 100_000;
const pageRows = 500;

export const activityCommand = command(
  {
    words: 'activity',
    about: 'Show what was done, asked and refused',
    details: [
      'Newest last: the latest 50 entries, or as many as --limit says, or everything',
      'since --since.',
      '--json prints whole rows; with --follow, one per line.',
    ],
    options: {
      follow: { type: 'boolean', about: 'stay, and show new entries' },
      since: { type: 'string', value: 'T', about: 'from 30m or 2d ago, or from 2026-11-20T12:00 on' },
      limit: { type: 'string', value: 'N', about: 'show at most N' },
      category: { type: 'string', value: 'C', about: 'only auth, access, admin, query, tool or resource' },
      token: { type: 'string', value: 'T', about: 'only of this token: its name or id' },
    },
  },
  async ({ terminal, options, json }) => {
    const wanted: Wanted = {
      since: options.since === undefined ? null : sinceOf(options.since, Date.now()),
      category: options.category === undefined ? null : meaningOf('category', categoryWords, options.category),
      token: options.token ?? null,
    };
    const asked = options.limit === undefined ? null : wholeNumber('limit', options.limit);
    if (asked !== null && (asked < 1 || asked > mostRows))
      throw misuse(`--limit must be a whole number from 1 to ${mostRows}.`);
    const most = asked ?? (wanted.since === null ? lastRows : Number.POSITIVE_INFINITY);
    await withDaemon(terminal, client =>
      (options.follow === true ? follow : show)({ terminal, client, wanted, most, json }),
    );
  },
);

export const verifyActivityCommand = command(
  {
    words: 'activity verify',
    about: 'Check that nobody changed the log',
    details: ['Exits with 1 if somebody did; each finding says what and where.'],
  },
  async ({ terminal, json }) => {
    const verification = await showWaiting(terminal, 'Checking the log', askDaemon(terminal, 'activity.verify', {}));
    const { intact, rowsChecked, findings, notes, limits } = verification;
    if (json) printJson(terminal, verification);
    else {
      const rows = rowsChecked === 1 ? '1 row' : `${rowsChecked} rows`;
      print(
        terminal,
        intact
          ? styled(terminal, 'green', `The activity log is intact: ${rows} checked.`)
          : styled(terminal, 'red', `The activity log was changed after it was written; ${rows} checked.`),
      );
      printNotes(
        terminal,
        findings.map(({ sentence }) => sentence),
      );
      for (const note of notes) print(terminal, ...indented(terminal, note));
      print(terminal, styled(terminal, 'dim', "What this check can't see:"));
      for (const limit of limits) print(terminal, ...indented(terminal, limit));
    }
    if (!intact) throw failed('The activity log is not intact.');
  },
);

interface Shown {
  readonly terminal: Terminal;
  readonly client: ControlClient;
  readonly wanted: Wanted;
  readonly most: number;
  readonly json: boolean;
}

async function show({ terminal, client, wanted, most, json }: Shown): Promise<void> {
  const { rows, problem } = await past(client, wanted, most);
  if (json) printJson(terminal, rows);
  else if (rows.length === 0) print(terminal, 'No entry matches.');
  else {
    const lines = activityLines(terminal);
    print(terminal, ...lines.heading(), ...rows.flatMap(lines.row));
  }
  if (problem !== null) remark(terminal, problem);
}

/** Ends when the daemon does. @throws CliError */
async function follow({ terminal, client, wanted, most, json }: Shown): Promise<void> {
  const lines = activityLines(terminal);
  /** Row numbers: a row may come with the page and as a notification too. */
  const paged = new Set<number>();
  let early: ActivityRowView[] | null = [];
  const take = (rows: readonly ActivityRowView[]): void => {
    for (const row of rows)
      if (!paged.has(row.number)) print(terminal, ...(json ? [JSON.stringify(row)] : lines.row(row)));
  };
  // Listens first, so no row is lost between the page and this line.
  client.onNotification(({ method, params }) => {
    if (method !== 'activity.appended') return;
    const asked = params.rows.filter(row => isWanted(row, wanted));
    if (early === null) take(asked);
    else early.push(...asked);
  });
  await client.ask('activity.follow', {});
  const { rows, problem } = await past(client, wanted, most);
  if (!json) print(terminal, ...lines.heading());
  take(rows);
  for (const { number } of rows) paged.add(number);
  take(early);
  early = null;
  if (problem !== null) remark(terminal, problem);
  await client.closed;
  throw noDaemon(' any more; `sallyport start` starts it');
}

/** Oldest first. */
async function past(
  client: ControlClient,
  wanted: Wanted,
  most: number,
): Promise<{ readonly rows: readonly ActivityRowView[]; readonly problem: string | null }> {
  const rows: ActivityRowView[] = [];
  let before: number | null = null;
  for (;;) {
    const limit = Math.min(most - rows.length, pageRows);
    const page: ActivityPageView = await client.ask('activity.query', { ...wanted, limit, before });
    rows.push(...page.rows);
    before = page.older;
    if (before === null || rows.length >= most) return { rows: rows.reverse(), problem: page.problem };
  }
}

function isWanted({ category, tokenName, principal }: ActivityRowView, wanted: Wanted): boolean {
  if (wanted.category !== null && category !== wanted.category) return false;
  return wanted.token === null || tokenName === wanted.token || principal === wanted.token;
}

function indented(terminal: Terminal, sentence: string): string[] {
  const width = widthOf(terminal.stdout);
  return wrapped(shownText(sentence), width === null ? null : width - 2, '').map(line => `  ${line}`);
}
