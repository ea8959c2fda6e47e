/**
 * The `activity.*` commands (spec §11, §14): pages of the log, its verification, and its rows as
 * they come. Changes nothing.
 */

import * as z from 'zod';
import { type ActivityPage, type ActivityRow, activityCategories } from '../../activity.ts';
import { actionWords, reasonWords } from '../activity-words.ts';
import { command, done, invalid, looks } from '../command.ts';
import {
  type ActivityPageView,
  type ActivityRowView,
  activityPage,
  activityVerification,
} from '../messages/activity.ts';
import { following } from '../messages/pushed.ts';
import { groupsOf } from './groups.ts';
import { instant, nothing } from './shapes.ts';

const rowNumber = z.int('the number of a row is expected').min(0, 'the number of a row is expected');

export const activityQuery = command('activity.query', {
  shape: z.strictObject({
    since: instant.nullish(),
    category: z.enum(activityCategories, `one of ${activityCategories.join(', ')} is expected`).nullish(),
    token: z.string('a name or an id is expected').max(256, 'a name or an id is expected').nullish(),
    // Fewer come if they would not fit into one message.
    limit: z.int('1 to 1000 is expected').min(1, '1 to 1000 is expected').max(1_000, '1 to 1000 is expected'),
    // A row's number: only older, or only newer, rows.
    before: rowNumber.nullish(),
    after: rowNumber.nullish(),
  }),
  result: activityPage,
  ...looks,
  run: async ({ since, category = null, token = null, limit, before = null, after = null }, { ports }) => {
    if (before !== null && after !== null)
      return invalid('invalid_parameters', 'Only one of before and after can be asked for.');
    const from = typeof since === 'string' ? Date.parse(since) : null;
    const page = await ports.activity.query({ since: from, category, token, limit, before, after });
    return done(fitting(page, ports.activity.problem()));
  },
});

/** Reads the whole log. */
export const activityVerify = command('activity.verify', {
  shape: nothing,
  result: activityVerification,
  ...looks,
  run: async (_, { ports }) => done(await ports.activity.verify()),
});

/** Tells this shell of rows as they are written, until it disconnects. */
export const activityFollow = command('activity.follow', {
  shape: nothing,
  result: following,
  ...looks,
  run: (_, { ports, follow }) => {
    follow('activity', notify =>
      ports.activity.follow(rows => {
        for (const group of groupsOf(rows.map(worded)))
          notify({ jsonrpc: '2.0', method: 'activity.appended', params: { rows: group } });
      }),
    );
    return done({ following: true });
  },
});

function worded(row: ActivityRow): ActivityRowView {
  return { ...row, what: actionWords(row.action), why: row.reason === null ? null : reasonWords(row.reason) };
}

/** If the rows don't fit into one answer, the older ones are left for the next page. */
function fitting({ rows, older, newest }: ActivityPage, problem: string | null): ActivityPageView {
  const [first = []] = groupsOf(rows.map(worded));
  const isWhole = first.length === rows.length;
  return { rows: first, older: isWhole ? older : (first.at(-1)?.number ?? null), newest, problem };
}
