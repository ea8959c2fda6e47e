/** The access requests of one run (spec §12), with what they need of this machine and of the other registers. */

import { randomBytes } from 'node:crypto';
import { processOf } from './access/limits/present-clients.ts';
import { newQuestionId } from './access/questions/approvals.ts';
import { type AccessRequests, accessRequestLimits, openAccessRequests } from './access/requests/access-requests.ts';
import type { Principal } from './access/tokens/token.ts';
import type { Taken } from './engines/count/taken.ts';
import { processOrigin } from './process-origin.ts';
import type { State } from './state.ts';
import type { Undo } from './undo.ts';

export function accessRequestsOfRun({ connections, tokens, now }: State, undo: Undo): AccessRequests<Taken> {
  const requests = openAccessRequests<Taken>({
    ...{ now, programOf, limits: accessRequestLimits },
    newId: () => newQuestionId(randomBytes),
  });
  connections.onChanged(requests.forgetConnection);
  undo.later(tokens.onEnded(requests.forgetToken));
  undo.later(tokens.onAccessEdited(({ id }) => requests.forgetToken(id)));
  return requests;
}

/** What the bridge says of its process is a claim; the programs above a process are not. */
async function programOf(principal: Principal): Promise<string | null> {
  const pid = processOf(principal);
  const origin = pid === null ? null : await processOrigin(pid);
  const above = origin?.programs.slice(0, -1) ?? [];
  return above.length === 0 ? null : above.join(', ');
}
