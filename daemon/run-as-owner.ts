/** Runs a statement that a client asked for as the person, who has allowed it (spec §12): whatever the level, and all its rows. */

import type { ConnectionRegister } from './access/connection-register.ts';
import { reasonOf } from './activity.ts';
import type { OwnersRun, RunAsOwner } from './control/ports.ts';
import { asTheConnectionHasIt, type RunPorts, runGranted } from './query/run.ts';
import type { Refusal } from './refusal.ts';

/** As the activity log names the person, beside the row of their answer. */
const owner = 'owner';

export function runAsOwner(ports: RunPorts, connections: Pick<ConnectionRegister, 'find'>): RunAsOwner {
  return async ({ connectionId, statement, judged }, requestId, signal) => {
    const connection = connections.find(connectionId);
    if (connection === null || statement === null || judged === null) return notRun('The connection is gone.');
    const began = ports.elapsed();
    const { text: sql, parameters, schema, database } = statement;
    const result = await runGranted(
      ports,
      {
        ...asTheConnectionHasIt,
        ...{ sql, parameters, schema, database, signal, client: 'sallyport' },
        reached: {
          connection,
          access: { kind: 'visible', level: 'readWrite', limitedBy: 'nothing', askFirst: false },
        },
        asker: {
          ...{ tool: 'execute_query', principal: owner, account: owner, tokenName: owner, requestId },
          access: null,
          took: () => ports.elapsed() - began,
          recorded: () => {},
        },
      },
      judged.class,
    );
    if (result.kind === 'refused') return failedBy(result.refusal);
    const { rowsAffected, warnings } = result.resultSet;
    return { rowsAffected, warnings, failed: null, mayHaveRun: true };
  };
}

function failedBy(refusal: Refusal): OwnersRun {
  if (refusal.kind !== 'tool_error') return notRun(reasonOf(refusal));
  return { ...notRun(refusal.sentence), mayHaveRun: refusal.word === 'outcome_unknown' };
}

function notRun(failed: string): OwnersRun {
  return { rowsAffected: null, warnings: [], failed, mayHaveRun: false };
}
