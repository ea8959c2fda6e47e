/**
 * Checks the whole chain against the head in the secret store (spec §14) and names what is wrong.
 * Changes nothing.
 */

import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import type { ActivityFinding, ActivityVerification } from '../../activity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readAnchored } from './anchor.ts';
import { headText } from './chain.ts';
import { foreignRows } from './findings.ts';
import { walkInParts } from './walk-in-parts.ts';
import type { ChainWriter } from './writer.ts';

interface VerifyWork {
  readonly ledger: Ledger;
  readonly storeId: string;
  readonly secrets: SecretStore;
  readonly writer: ChainWriter;
  /** Resolves at a moment when no row and no head is being written. */
  readonly flush: () => Promise<void>;
}

export async function verifyChain(work: VerifyWork): Promise<ActivityVerification> {
  const { ledger, secrets, writer, flush } = work;
  await flush();
  // Checks the rows that exist now; later ones are for the next verification.
  const { last, tail } = writer.head();
  const anchored = await anchorFindings(work);
  const walked = await walkInParts(ledger, writer.key, { last, tail });
  await flush();
  const findings = [...anchored, ...walked.findings, ...foreignRows(walked.end, writer.head().last.number)];
  return {
    intact: findings.length === 0,
    rowsChecked: walked.rowsChecked,
    checkedAfter: tail.number,
    lastNumber: last.number,
    findings,
    notes: [...walked.notes, ...unchecked(tail.number, walked.uncheckable)],
    limits: limitsOf(secrets),
  };
}

/**
 * Key and head are in memory since the start. Here it shows if somebody has removed them from the
 * store.
 */
async function anchorFindings({ storeId, secrets, writer, flush }: VerifyWork): Promise<ActivityFinding[]> {
  try {
    for (let look = 0; look < mostLooks; look++) {
      const known = headText(writer.head());
      const isKept = writer.isAnchored();
      const stored = await readAnchored(secrets, storeId);
      if (stored.key === null) return finding('key_missing', 'The key of the log is not in the secret store any more.');
      if (!stored.key.equals(writer.key)) return finding('key_missing', 'The key in the secret store is another one.');
      if (stored.head === null) {
        return finding('head_missing', 'The head of the log is not in the secret store any more.');
      }
      const text = headText(stored.head);
      const now = headText(writer.head());
      if (text === now) return [];
      // Unless it moved while it was read, the stored head is not the one that was kept.
      if (isKept && writer.isAnchored() && known === now) {
        return finding('head_changed', 'The head in the secret store is not the one that was kept there.');
      }
      await flush();
    }
    return finding('unavailable', "The head moved on at each look, or can't be kept; verify again.");
  } catch (error) {
    if (error instanceof SecretStoreUnavailable) {
      return finding('unavailable', `The head can't be compared with the secret store: ${error.message}`);
    }
    throw error;
  }
}

const mostLooks = 20;

function finding(kind: ActivityFinding['kind'], sentence: string): ActivityFinding[] {
  return [{ kind, from: null, to: null, sentence }];
}

function unchecked(tail: number, still: number): string[] {
  if (tail === 0) return [];
  const rest = still === 0 ? '' : ` ${still} are still in the log unchecked.`;
  return [`Rows up to ${tail} are past checking: they were pruned, or their key is gone.${rest}`];
}

function limitsOf(secrets: SecretStore): string[] {
  return [
    secrets.backend === 'file'
      ? 'Any program of this user can read the key in secrets.json, and with it write a log that verifies.'
      : 'Any program that gets the key from the keychain can write a log that verifies.',
    'If database and secret store are both restored from the same backup, the log verifies as of that backup.',
    'A log whose rows, key and head were all removed looks new.',
    'Rows of the last second before a crash or a kill may be missing; an attempt to write is never among them.',
  ];
}
