/**
 * The `history.*` commands (spec §9, §11): the kept statements, for their owner, and their removal.
 * The activity log, which has no statement's text, stays.
 */

import * as z from 'zod';
import type { Connection } from '../../access/connection.ts';
import { levelNow } from '../../access/effective-access.ts';
import { plainIncrease } from '../../access/privilege-increases/increase-words.ts';
import { command, done, refused } from '../command.ts';
import { type HistoryEntryView, historyCleared, historyPage } from '../messages/history.ts';
import { unknownConnection } from './connection-view.ts';
import { groupsOf } from './groups.ts';
import { instant, nothing } from './shapes.ts';

const entryId = z.int('the id of an entry is expected').min(0, 'the id of an entry is expected').nullish();
const words = z
  .string('words are expected')
  .min(1, 'words are expected')
  .max(500, 'at most 500 characters are expected');
const name = z.string('an id or a name is expected').max(256, 'an id or a name is expected');
/** A row of the activity log: what was sent then stands in the history at about the same time. */
const loggedStatement = z.strictObject({
  hash: z.string('64 hexadecimal digits are expected').length(64, '64 hexadecimal digits are expected'),
  time: instant,
});
const beforeMilliseconds = 60_000;
/** A statement that takes long ends long after the row that says that it begins. */
const afterMilliseconds = 3_600_000;

const limit = z.int('1 to 1000 is expected').min(1, '1 to 1000 is expected').max(1_000, '1 to 1000 is expected');

/**
 * Kept statements of all clients, newest first; fewer than asked for if they don't fit into one
 * message.
 */
export const historyQuery = command('history.query', {
  shape: z.strictObject({
    search: words.nullish(),
    connection: name.nullish(),
    /** As it calls itself, or as its token is called. */
    client: words.nullish(),
    since: instant.nullish(),
    of: loggedStatement.optional(),
    limit,
    after: entryId,
    before: entryId,
    all: z.boolean('true or false is expected').optional(),
  }),
  result: historyPage,
  privilegeIncrease: ({ all }) =>
    all === true
      ? plainIncrease('shows the statements on connections that AI clients may not read unasked, and on removed ones')
      : null,
  records: 'refusals',
  run: async (
    { search, connection, client = null, since, of, limit: most, after = null, before = null, all = false },
    { ports },
  ) => {
    // Statements hold values of rows: an agent that runs this command must read no more than as a
    // client.
    const seen = all ? null : ports.connections.list().filter(each => isSeen(each, ports.now()));
    const named = typeof connection === 'string' ? ports.connections.find(connection) : null;
    if (typeof connection === 'string' && named === null) return unknownConnection(connection);
    if (named !== null && seen?.includes(named) === false)
      return refused('connection_hidden', hidden(named.name), { connection: named.name });
    const entries = await ports.history.search({
      text: search ?? null,
      connections: named === null ? (seen?.map(({ id }) => id) ?? null) : [named.id],
      principal: null,
      who: client,
      since: of ? Date.parse(of.time) - beforeMilliseconds : typeof since === 'string' ? Date.parse(since) : null,
      until: of ? Date.parse(of.time) + afterMilliseconds : null,
      statementHash: of?.hash ?? null,
      limit: most,
      after,
      before,
    });
    const [statements = []] = groupsOf<HistoryEntryView>(entries);
    const isWhole = statements.length === entries.length;
    const kept = ports.settings.current().history === 'on';
    const isAllSeen =
      seen === null || (seen.length === ports.connections.list().length && ports.connections.removed().length === 0);
    return done({ statements, older: isWhole ? null : (statements.at(-1)?.id ?? null), kept, leavesOut: !isAllSeen });
  },
});

function isSeen(connection: Connection, nowMilliseconds: number): boolean {
  return connection.aiPolicy === 'always' && levelNow(connection, nowMilliseconds) !== 'blocked';
}

function hidden(name: string): string {
  return `AI clients may not read ${JSON.stringify(name)} unasked. Only --all shows its statements; it asks for the owner passphrase.`;
}

/** Removes every kept statement. The activity log keeps its rows. */
export const historyClear = command('history.clear', {
  shape: nothing,
  result: historyCleared,
  // Like `history` off and fewer `history.days`: what clients did can no longer be read.
  privilegeIncrease: () => plainIncrease('removes every statement that was kept, whichever client sent it'),
  records: {
    action: 'history.clear',
    done: ({ removed }) => ({ reason: removed === 1 ? '1 statement' : `${removed} statements` }),
  },
  run: async (_, { ports }) => done({ removed: await ports.history.clear() }),
});
