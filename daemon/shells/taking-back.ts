/**
 * Takes access back for a command of a person, each with a row in the log as if they had done it by
 * hand (spec §11). What is taken back is its caller's choice.
 */

import type { Connection } from '../access/connection.ts';
import type { CommandContext } from './command.ts';
import { requesterWords } from './requester-words.ts';

export async function takingBack(context: CommandContext) {
  const { connections, tokens, settings, standings, activity } = context.ports;
  const note = {
    category: 'admin',
    outcome: 'success',
    requestId: context.requestId,
    client: await requesterWords(context),
  } as const;
  return {
    async lower(id: string, lowered: (now: Connection) => Connection): Promise<void> {
      const saved = await connections.edit(id, lowered);
      if (saved.kind !== 'saved') return;
      const { name } = saved.connection;
      const stated = standings.ofConnection(saved.connection);
      activity.record({ ...note, action: 'access.state', connection: { id, name }, ...stated });
    },
    async revoke(id: string): Promise<void> {
      const { name = null } = tokens.find(id) ?? {};
      await tokens.revoke(id);
      activity.record({ ...note, action: 'token.revoke', principal: id, tokenName: name });
    },
    async set(key: string, value: unknown): Promise<void> {
      await settings.set(key, value);
      activity.record({ ...note, action: 'setting.change', reason: `${key} is ${String(value)}` });
    },
    /** Resolves once the rows are kept. */
    done: () => activity.flush(),
  };
}
