/** Ends what the last run's statements left on database servers, off the path of the start (spec §7). */

import type { ConnectionRegister } from './access/connection-register.ts';
import type { OpenDatabases } from './statement/open-databases.ts';
import type { Unfinished } from './storage/unfinished.ts';

interface LeftSessionsPorts {
  readonly left: Unfinished['leftSessions'];
  readonly connections: Pick<ConnectionRegister, 'find'>;
  readonly databases: Pick<OpenDatabases, 'of'>;
  readonly report: (error: unknown) => void;
}

/** One try for each: behind it stands the statement's own time limit. Never rejects. */
export async function endLeftSessions({ left, connections, databases, report }: LeftSessionsPorts): Promise<void> {
  const ids = new Set(left.map(({ connection }) => connection));
  await Promise.all(
    [...ids].map(async id => {
      const connection = connections.find(id);
      const ofIt = left.filter(each => each.connection === id);
      try {
        if (connection !== null) await databases.of(connection).endLeft?.(ofIt.map(({ note }) => note));
      } catch (error) {
        report(error);
      }
      for (const { settled } of ofIt) settled();
    }),
  );
}
