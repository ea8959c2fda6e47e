/**
 * `sallyport history` and `sallyport history clear` (spec §9). Settings decide what is kept and for
 * how long.
 */

import type { HistoryEntryView, HistoryPageView } from '../../shared/control-commands.ts';
import { misuse, noDaemon } from '../cli-error.ts';
import { command } from '../command.ts';
import type { ControlClient } from '../control-client.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { historyLines } from '../history-lines.ts';
import { print, printJson, remark, say } from '../terminal.ts';
import { sinceOf, wholeNumber } from '../words.ts';

interface Wanted {
  readonly search: string | null;
  readonly connection: string | null;
  readonly client: string | null;
  readonly since: string | null;
  readonly all: boolean;
  readonly limit: number;
}

const defaultLimit = 20;
const mostLimit = 100_000;
const pageLimit = 1_000;

export const historyCommand = command(
  {
    words: 'history',
    about: 'Show the SQL that clients sent',
    details: [
      'Newest last: the latest 20 entries, or as many as --limit says. Of a long statement',
      'it shows the first lines; --json prints all that is kept.',
      '--json prints data; with --follow, one entry per line.',
    ],
    options: {
      search: { type: 'string', value: 'WORDS', about: 'only with all of these words, or "a phrase"' },
      connection: { type: 'string', value: 'NAME', about: 'only on this connection: its name or id' },
      client: { type: 'string', value: 'NAME', about: 'only of this client, named as here, or of this token' },
      since: { type: 'string', value: 'T', about: 'from 30m or 2d ago, or from 2026-11-20T12:00 on' },
      limit: { type: 'string', value: 'N', about: 'show at most N' },
      all: { type: 'boolean', about: 'hidden and removed connections too' },
      follow: { type: 'boolean', about: 'stay, and show new entries' },
    },
  },
  async ({ terminal, options, json }) => {
    const limit = options.limit === undefined ? defaultLimit : wholeNumber('limit', options.limit);
    if (limit < 1 || limit > mostLimit) throw misuse(`--limit must be a whole number from 1 to ${mostLimit}.`);
    if (options.all === true && options.follow === true)
      throw misuse("--all asks for the passphrase each time, so it can't be used with --follow.");
    const wanted: Wanted = {
      search: options.search ?? null,
      connection: options.connection ?? null,
      client: options.client ?? null,
      limit,
      all: options.all === true,
      since: options.since === undefined ? null : sinceOf(options.since, Date.now()),
    };
    const lines = historyLines(terminal);
    await withDaemon(terminal, async client => {
      const { statements, kept, leavesOut } = await past(client, wanted);
      const follows = options.follow === true;
      if (json && !follows) printJson(terminal, statements);
      else if (json) print(terminal, ...statements.map(entry => JSON.stringify(entry)));
      else if (statements.length > 0) print(terminal, ...statements.flatMap(lines));
      else if (!follows) say(terminal, 'No kept statement matches.');
      if (!kept) remark(terminal, 'No statements are kept now; `sallyport settings set history on` keeps them.');
      if (leavesOut && wanted.connection === null) remark(terminal, leftOut);
      if (!follows) return;
      // The largest, not the last: after a clock was set back, a smaller number may come after a
      // larger one.
      const newest = statements.reduce((largest, { id }) => Math.max(largest, id), 0);
      await follow(client, wanted, newest, entry =>
        print(terminal, ...(json ? [JSON.stringify(entry)] : lines(entry))),
      );
    });
  },
);

const leftOut =
  'Statements on connections that AI clients may not read unasked, and on removed ones, are left out; --all shows them, with your passphrase.';

/** The newest ones that were asked for, oldest first, in as many requests as their size needs. */
async function past(
  client: ControlClient,
  { limit, ...wanted }: Wanted,
  after: number | null = null,
): Promise<HistoryPageView> {
  const statements: HistoryEntryView[] = [];
  let before: number | null = null;
  for (;;) {
    const most = Math.min(limit - statements.length, pageLimit);
    const page: HistoryPageView = await client.ask('history.query', { ...wanted, limit: most, after, before });
    statements.push(...page.statements);
    // For all of them, one page: each clearing is confirmed separately.
    const isCutShort = !wanted.all && (page.older !== null || page.statements.length === pageLimit);
    before = page.older ?? statements.at(-1)?.id ?? null;
    if (!isCutShort || statements.length >= limit) return { ...page, statements: statements.reverse() };
  }
}

/**
 * Ends when the daemon does. Follows the activity log to know when to ask.
 * @throws CliError
 */
async function follow(
  client: ControlClient,
  wanted: Wanted,
  shown: number,
  show: (entry: HistoryEntryView) => void,
): Promise<never> {
  let newest = shown;
  let asking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const { statements } = await past(client, { ...wanted, limit: mostLimit }, newest);
    for (const entry of statements) {
      newest = Math.max(newest, entry.id);
      show(entry);
    }
  };
  client.onNotification(({ method, params }) => {
    if (method !== 'activity.appended' || !params.rows.some(({ category }) => category === 'query')) return;
    // A failed request means a lost connection, which is reported below.
    asking = asking.then(look).catch(() => {});
  });
  await client.ask('activity.follow', {});
  await look();
  await client.closed;
  await asking;
  throw noDaemon(' any more; `sallyport start` starts it');
}

export const clearHistoryCommand = command(
  {
    words: 'history clear',
    about: 'Delete the statements that were kept',
    details: [
      'The activity log keeps its rows, which hold no statements.',
      '`sallyport settings set history off` keeps no new ones, and',
      '`sallyport settings set history.days N` keeps each for N days.',
    ],
  },
  async ({ terminal, answer }) => {
    const { removed } = await askDaemon(terminal, 'history.clear', {});
    answer({ removed }, removed === 1 ? '1 statement was removed.' : `${removed} statements were removed.`);
  },
);
