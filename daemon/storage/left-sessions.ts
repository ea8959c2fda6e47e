/**
 * Ends what the last run's statements left on database servers, without delaying the start (spec
 * §7).
 */

import type { ConnectionRegister } from '../access/connection-register.ts';
import type { OpenDatabases } from '../statement/open-databases.ts';
import type { Unfinished } from './unfinished.ts';

interface LeftSessionsPorts {
  readonly leftSessions: Unfinished['leftSessions'];
  readonly connections: Pick<ConnectionRegister, 'find'>;
  readonly databases: Pick<OpenDatabases, 'of'>;
  readonly report: (error: unknown) => void;
}

/** Tries each once; the statement's own time limit is behind it. Never rejects. */
export async function endLeftSessions({
  leftSessions,
  connections,
  databases,
  report,
}: LeftSessionsPorts): Promise<void> {
  const ids = new Set(leftSessions.map(({ connection }) => connection));
  await Promise.all(
    [...ids].map(async id => {
      const connection = connections.find(id);
      const ofConnection = leftSessions.filter(session => session.connection === id);
      try {
        if (connection !== null) await databases.of(connection).endLeft?.(ofConnection.map(({ note }) => note));
      } catch (error) {
        report(error);
      }
      for (const { settled } of ofConnection) settled();
    }),
  );
}
