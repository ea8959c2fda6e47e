/**
 * `sallyport history` and `sallyport history clear` (spec §9). What is kept at all, and for how
 * long, are settings.
 */

import type { HistoryEntryView, HistoryPageView } from '../../shared/control-commands.ts';
import { command } from '../command.ts';
import type { ControlClient } from '../control-client.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { misuse, noDaemon } from '../ending.ts';
import { historyLines } from '../history-lines.ts';
import { print, printJson, remark, say } from '../terminal.ts';
import { sinceOf, wholeNumber } from '../words.ts';

interface Wanted {
  readonly search: string | null;
  readonly connection: string | null;
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
      'Newest last: the latest 20 entries, or as many as --limit says.',
      '--json prints them as data, with --follow one a line.',
    ],
    options: {
      search: { type: 'string', value: 'WORDS', about: 'with all of these words in them, or "a phrase"' },
      connection: { type: 'string', value: 'NAME', about: 'on one connection: its name or id' },
      since: { type: 'string', value: 'T', about: 'how long back (30m, 2d), or from when (2026-11-20T12:00)' },
      limit: { type: 'string', value: 'N', about: 'how many at most' },
      all: { type: 'boolean', about: 'also on hidden and removed connections' },
      follow: { type: 'boolean', about: 'stay, and show what comes' },
    },
  },
  async ({ terminal, options, json }) => {
    const limit = options.limit === undefined ? defaultLimit : wholeNumber('limit', options.limit);
    if (limit < 1 || limit > mostLimit) throw misuse(`--limit is a whole number from 1 to ${mostLimit}.`);
    if (options.all === true && options.follow === true)
      throw misuse('--all takes the passphrase for each look, so it does not go with --follow.');
    const wanted: Wanted = {
      ...{ search: options.search ?? null, connection: options.connection ?? null, limit, all: options.all === true },
      since: options.since === undefined ? null : sinceOf(options.since, Date.now()),
    };
    const lines = historyLines(terminal);
    await withDaemon(terminal, async client => {
      const { statements, kept, leavesOut } = await past(client, wanted);
      const follows = options.follow === true;
      if (json && !follows) printJson(terminal, statements);
      else if (json) print(terminal, ...statements.map(entry => JSON.stringify(entry)));
      else if (statements.length > 0) print(terminal, ...statements.flatMap(lines));
      else if (!follows) say(terminal, 'No statement of that kind was kept.');
      if (!kept) remark(terminal, 'No statements are kept now; `sallyport settings set history on` keeps them.');
      if (leavesOut && wanted.connection === null) remark(terminal, leftOut);
      if (!follows) return;
      // Not the last one's: after a clock was set back a smaller number may stand behind a larger
      // one.
      const newest = statements.reduce((largest, { id }) => Math.max(largest, id), 0);
      await follow(client, wanted, newest, entry =>
        print(terminal, ...(json ? [JSON.stringify(entry)] : lines(entry))),
      );
    });
  },
);

const leftOut =
  'Statements on connections that AI clients may not read unasked, and on removed ones, are left out; --all shows them, with your passphrase.';

/** The newest that are wanted, oldest first, in as many questions as their size takes. */
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
    // Of all of them one page: each is confirmed by itself.
    const isCutShort = !wanted.all && (page.older !== null || page.statements.length === pageLimit);
    before = page.older ?? statements.at(-1)?.id ?? null;
    if (!isCutShort || statements.length >= limit) return { ...page, statements: statements.reverse() };
  }
}

/**
 * Ends when the daemon does. The activity log says when there is something to ask for.
 * @throws Ending
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
    // A question that fails has lost its connection, which is said below.
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
      'The activity log keeps its rows, which have no text of statements.',
      '`sallyport settings set history off` keeps none from then on, and',
      '`sallyport settings set history.days N` keeps them for so long.',
    ],
  },
  async ({ terminal, answer }) => {
    const { removed } = await askDaemon(terminal, 'history.clear', {});
    answer({ removed }, removed === 1 ? '1 statement was removed.' : `${removed} statements were removed.`);
  },
);
