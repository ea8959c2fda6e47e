/**
 * What testing a draft of a connection, before it is saved, does that only its owner may (spec
 * §11): it sends kept secrets elsewhere than they were kept for, or runs programs. What the draft
 * brings itself goes where it says.
 */

import { tunnelText } from '../../../shared/ssh-hop.ts';
import type { Connection } from '../connection.ts';
import { type ConnectionSecretKind, connectionSecretKinds, hasSecret } from '../secret-store.ts';
import { inOne } from './connection-increase.ts';
import { type GivenSecrets, programParts, sshPart } from './credentials-increase.ts';
import { type PrivilegeIncrease, quoted } from './increase-words.ts';
import { placeParts } from './place-increase.ts';

/** @param former the saved connection that the draft changes; null for a new one. */
export function draftIncrease(
  former: Connection | null,
  draft: Connection,
  given: GivenSecrets,
): PrivilegeIncrease | null {
  const name = quoted((former ?? draft).name);
  const isLent = former !== null && usesKept(former, draft, given);
  const where = isLent ? placeParts(former, draft, name) : [runsSsh(former, draft) ? sshPart(draft, name) : null];
  const parts = [...programParts(former, draft, name), ...where].filter(part => part !== null);
  const increase = inOne(parts, former, draft, given);
  return increase && { ...increase, phrase: `tests what is not saved, which for this test ${increase.phrase}` };
}

/** True if the draft uses a secret that it doesn't bring: the saved connection may have one. */
function usesKept(former: Connection, draft: Connection, given: GivenSecrets): boolean {
  if (former.password.kind === 'command' && draft.password.kind === 'command') return true;
  const isKept = (kind: ConnectionSecretKind): boolean => hasSecret(kind, draft) && !given[kind];
  return connectionSecretKinds.some(isKept);
}

function runsSsh(former: Connection | null, { tunnel }: Connection): boolean {
  return tunnel?.kind === 'ssh' && (former?.tunnel === undefined || tunnelText(former.tunnel) !== tunnelText(tunnel));
}
