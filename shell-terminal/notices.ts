/**
 * Notices that every command at a terminal adds to its answer, once each. That an owner passphrase
 * was chosen, until the person confirms that it was them, since an agent with a pseudo-terminal
 * could have been first (spec §11); not in the hour after it was typed here. That a new one
 * replaces it soon. That questions and requests wait (spec §12).
 */

import type { PassphraseView } from '../shared/control-commands.ts';
import { tryDaemon } from './daemon.ts';
import { isToldOfPassphrase } from './owner-passphrase.ts';
import { wasDoneHere } from './same-terminal.ts';
import { remark, type Terminal } from './terminal.ts';
import { shownTime } from './words.ts';

let isToldOfRequests = false;

/** This command has already shown them. */
export function sayNoMoreOfRequests(): void {
  isToldOfRequests = true;
}

function requestNotices(waiting: number): readonly string[] {
  if (waiting === 0 || isToldOfRequests) return [];
  // A person's own `sallyport query` may be among them, so nobody is said to have sent them.
  const what = waiting === 1 ? '1 thing waits' : `${waiting} things wait`;
  return [`Note: ${what} for you; \`sallyport allow\` shows ${waiting === 1 ? 'it' : 'them'}.`];
}

/** Says nothing if no daemon runs, or the output isn't a terminal. Never throws. */
export async function tellNotices(terminal: Terminal): Promise<void> {
  if (!terminal.stderr.isTTY) return;
  const connecting = await tryDaemon(terminal).catch(() => null);
  if (connecting?.kind !== 'connected') return;
  try {
    const { passphrase, waiting } = await connecting.client.ask('status', {});
    const { chosen } = passphrase;
    const isOwnDeed = chosen !== null && (await wasDoneHere(chosen));
    const told = isToldOfPassphrase() ? [] : passphraseNotices(passphrase, isOwnDeed);
    const sentences = [...told, ...requestNotices(waiting)];
    for (const sentence of sentences) remark(terminal, sentence);
  } catch {
    // The command itself has reported that the daemon is gone.
  } finally {
    connecting.client.close();
  }
}

/** @param isOwnDeed true if it was typed here just now: nobody is asked whether it was them. */
function passphraseNotices({ state, chosen, reset }: PassphraseView, isOwnDeed: boolean): readonly string[] {
  const what = state === 'off' ? 'switched off' : 'chosen';
  return [
    ...(chosen === null || chosen.confirmedAt !== null || state === 'none' || isOwnDeed
      ? []
      : [
          `Note: the owner passphrase was ${what} on ${shownTime(chosen.at)} by ${chosen.by}. Was that you? \`sallyport passphrase confirm\` ends this note.`,
        ]),
    ...(reset === null
      ? []
      : [
          `Note: a new owner passphrase, chosen on ${shownTime(reset.at)} by ${reset.by}, counts from ${shownTime(reset.countsAt)} on. If that was not you, end it: run \`sallyport passphrase confirm\` and type the old one.`,
        ]),
  ];
}
