/** What pushes about the desk tell a shell, for tests that listen. */

import { expect } from '@jest/globals';
import type { ControlNotification } from '../../shared/control.ts';
import type { AskView, DeskChange } from '../../shared/control-commands.ts';

export function askedIn({ method, params }: ControlNotification): AskView[] {
  return method === 'desk.changed' && params.asked !== null ? [params.asked] : [];
}

export function endedIn({ method, params }: ControlNotification): NonNullable<DeskChange['ended']>[] {
  return method === 'desk.changed' && params.ended !== null ? [params.ended] : [];
}

export type AskedIncrease = AskView & { readonly sentence: string };

export function increasesOf(asks: readonly AskView[]): AskedIncrease[] {
  return asks.flatMap(({ sentence, ...ask }) => (sentence === null ? [] : [{ ...ask, sentence }]));
}

/** Of an answer that opens and runs nothing. */
export const nothingElse = { ran: [], said: expect.any(Array), problem: null, address: null, token: null };
