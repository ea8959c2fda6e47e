/** The servers that are looked at, and how each is asked for SQL. */

import { type Rival, rivals } from '../rivals-folder.ts';
import { connection, type Ours, startOurs } from '../stdio/our-entry.ts';
import type { Access, Entry, Place } from '../stdio/place.ts';
import { entryOf } from '../stdio/rival-entries.ts';
import { type Answered, openSession, type Session } from '../stdio/session.ts';

export interface Subject {
  readonly name: 'Sallyport' | Rival;
  /** @returns null if it doesn't know the engine, or has no such access. */
  entry(place: Place, access: Access): Promise<Entry | null>;
  /** The tool that runs a statement. */
  run(session: Session, sql: string, cancelled?: AbortSignal): Promise<Answered>;
  /** What its own commands show of a statement with this text that ran; null if it has none. */
  kept(place: Place, text: string): Promise<string | null>;
  /** Asks for writes without a person: a change of its own settings, by the same user. */
  allowWrites(place: Place): Promise<Entry | null>;
  stop(): Promise<void>;
}

const tools: Readonly<Record<Rival, string>> = {
  dbhub: 'execute_sql',
  'MCP Toolbox': 'execute_sql',
  'server-postgres': 'query',
  'mcp-server-mysql': 'mysql_query',
};

export function rivalSubject(rival: Rival): Subject {
  return {
    name: rival,
    entry: async (place, access) => entryOf(rival, place, access),
    run: (session, sql, cancelled) => session.ask(tools[rival], { sql }, cancelled),
    kept: async () => null,
    // Its switch is in the client's file or in its own: whoever runs as the user writes both.
    allowWrites: async place => entryOf(rival, place, 'writes'),
    stop: async () => {},
  };
}

export function ourSubject(): Subject {
  const started = new Map<string, Promise<Ours>>();
  const ours = (place: Place, access: Access) => {
    const key = `${place.engine} ${access}`;
    const found = started.get(key) ?? startOurs(place, access);
    started.set(key, found);
    return found;
  };
  return {
    name: 'Sallyport',
    entry: async (place, access) => (await ours(place, access)).entry,
    run: (session, sql, cancelled) => session.ask('execute_query', { connection, sql }, cancelled),
    kept: async (place, text) => {
      const { home } = await ours(place, 'reads');
      const show = async (...words: readonly string[]) => (await home.run(words)).stdout;
      const hasText = (await show('history', '--json')).includes(text);
      const hasRow = (await show('activity', '--category', 'query', '--json')).includes('"statementHash": "');
      const isChained = (await home.run(['activity', 'verify'])).code === 0;
      return hasText && hasRow && isChained ? 'its text, and a row in a log that shows tampering' : null;
    },
    allowWrites: async place => {
      const { home, entry } = await ours(place, 'reads');
      await home.run(['connections', 'set', connection, '--external-clients', 'read-write']);
      return entry;
    },
    stop: async () => {
      for (const each of started.values()) await (await each).home.clean();
    },
  };
}

export const subjects: readonly Subject[] = [ourSubject(), ...(Object.keys(rivals) as Rival[]).map(rivalSubject)];

/** Opens a session, hands it on, and closes it. */
export async function withSession<Result>(entry: Entry, use: (session: Session) => Promise<Result>): Promise<Result> {
  const session = await openSession(entry);
  try {
    return await use(session);
  } finally {
    // Some stay until they are told.
    process.kill(session.processId);
    await session.close();
  }
}
