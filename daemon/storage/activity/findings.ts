/** Turns what a walk along the chain met into findings for people: neighbouring rows become one. */

import type { ActivityFinding, OwnAction } from '../../activity.ts';
import { rowRange } from './incidents.ts';
import { instantOf, type StoredRow } from './row.ts';
import type { RowVerdict } from './verify-row.ts';

type Kind = ActivityFinding['kind'];

/** Actions that the log records about itself, and what each means in a verification. */
const kindsOfOwn: Readonly<Record<OwnAction, Kind | 'note'>> = {
  'activity.pruned': 'note',
  'activity.adopted': 'note',
  'activity.lost': 'lost',
  'activity.truncated': 'truncated',
  'activity.older_copy': 'older_copy',
  'activity.older_secrets': 'older_copy',
  'activity.last_row_changed': 'edited',
  'activity.foreign_rows': 'foreign_rows',
  'activity.key_missing': 'key_missing',
  'activity.head_missing': 'head_missing',
};

export function findingsAbout(tail: number) {
  const findings: ActivityFinding[] = [];
  const notes: string[] = [];
  let edited: { from: number; to: number } | null = null;
  let previousNumber = tail;

  function closeEdited(): void {
    if (edited === null) return;
    const { from, to } = edited;
    edited = null;
    const sentence = `${capital(rowRange(from, to))} ${from === to ? 'was' : 'were'} edited: not what was recorded.`;
    findings.push({ kind: 'edited', from, to, sentence });
  }

  function missing(row: StoredRow, from: number, own: Kind | 'note' | null, isCheckable: boolean): void {
    const to = row.number - 1;
    const rows = rowRange(from, to);
    const seen = `as row ${row.number}, of ${instantOf(row.time)}, says`;
    const count = to - from + 1;
    if (own === 'older_copy') {
      const sentence = `The database was swapped for an older copy, which ended before ${rows}, ${seen}.`;
      findings.push({ kind: own, from, to, sentence });
    } else if (own === 'truncated') {
      const sentence = `The last ${count === 1 ? 'row was' : `${count} rows were`} cut off: ${rows}, ${seen}.`;
      findings.push({ kind: own, from, to, sentence });
    } else {
      const next = isCheckable ? '' : ` What row ${row.number} says can't be checked without.`;
      const sentence = `${capital(rows)} ${from === to ? 'was' : 'were'} removed.${next}`;
      findings.push({ kind: 'removed', from, to, sentence });
    }
  }

  return {
    row(row: StoredRow, { verdict, missingFrom }: RowVerdict): void {
      previousNumber = row.number;
      const own = verdict === 'good' ? ownKind(row) : null;
      if (verdict !== 'bad' || (edited !== null && edited.to !== row.number - 1)) closeEdited();
      if (missingFrom !== null) missing(row, missingFrom, own, verdict !== 'uncheckable');
      if (verdict === 'bad') edited = { from: edited?.from ?? row.number, to: row.number };
      if (own === 'note') notes.push(`${instantOf(row.time)}, row ${row.number}: ${row.reason ?? row.action}`);
      else if (own !== null && (missingFrom === null || (own !== 'truncated' && own !== 'older_copy'))) {
        const sentence = `${instantOf(row.time)}, row ${row.number}: ${row.reason ?? row.action}`;
        findings.push({ kind: own, from: row.number, to: row.number, sentence });
      }
    },

    /** @param last the number of the chain's last row. */
    end(last: number): void {
      closeEdited();
      if (previousNumber < last) {
        const count = last - previousNumber;
        const rows = rowRange(previousNumber + 1, last);
        const sentence = `The last ${count === 1 ? 'row was' : `${count} rows were`} cut off: ${rows}.`;
        findings.push({ kind: 'truncated', from: previousNumber + 1, to: last, sentence });
      }
    },

    findings,
    notes,
  };
}

/**
 * @param end the table's last row.
 * @param grown the chain's end now: rows up to it were added during the walk.
 */
export function foreignRows(end: number, grown: number): ActivityFinding[] {
  if (end <= grown) return [];
  const sentence = `After row ${grown}, the last, there are rows that Sallyport did not write.`;
  return [{ kind: 'foreign_rows', from: grown + 1, to: end, sentence }];
}

function ownKind(row: StoredRow): Kind | 'note' | null {
  if (row.category !== 'admin' || !Object.hasOwn(kindsOfOwn, row.action)) return null;
  return kindsOfOwn[row.action as OwnAction];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
