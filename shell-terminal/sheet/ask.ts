/**
 * Asks a person about one pairing request on a drawn sheet: waits for its turn, draws, and turns
 * the answer into a decision.
 */

import type { CommandParams } from '../../shared/asked-commands.ts';
import { failed } from '../cli-error.ts';
import type { ControlClient } from '../control-client.ts';
import { remark, type Terminal } from '../terminal.ts';
import { type Place, placeOn } from './drawing-place.ts';
import { onOwnScreen } from './own-screen.ts';
import { type PairingAsk, pairingSheet } from './pairing.ts';
import { ask } from './prompt.ts';

/**
 * A place where the sheet can be drawn, even if the answer goes into a pipe.
 * @throws CliError if there is none.
 */
export function sheetPlace(terminal: Terminal): Place {
  const place = placeOn(terminal.stdout.isTTY ? terminal.stdout : terminal.stderr, terminal);
  if (place === 'no terminal') {
    throw failed('There is no terminal here to ask you in; answer with --approve or --deny.', 'no_terminal');
  }
  if (place === 'dumb terminal') {
    throw failed(
      'This terminal can’t move its cursor (TERM=dumb), so nothing was asked; answer with --approve or --deny.',
      'no_terminal',
    );
  }
  return place;
}

/** Null if nobody decided in time. */
export async function askOnSheet(
  terminal: Terminal,
  place: Place,
  asked: PairingAsk,
  client: ControlClient,
): Promise<CommandParams<'desk.decide'> | null> {
  const ids = [asked.id];
  if (!asked.pairing.hasTurn) {
    remark(terminal, 'Another pairing request is open; this one is shown once that is answered. Ctrl-C leaves.');
    if (!(await turnOf(asked, client))) return null;
  }
  const gone = new AbortController();
  void client.closed.then(() => gone.abort());
  const { content, chosen } = pairingSheet(asked, place.paint);
  const prompt = { place, content, seen: new Set<string>(), gone: gone.signal };
  const answer = await onOwnScreen(place, () => ask(prompt));
  if (answer.kind === 'yes') {
    const { scope, expires, ticked } = chosen();
    return { ids, answer: 'yes', grant: { scope, connections: ticked, expires } };
  }
  // After its time there is no request left to deny.
  if (answer.kind === 'no' && Date.now() >= Date.parse(asked.expiresAt)) return null;
  // If the daemon has gone, it is still asked, and that failure is reported.
  return { ids, answer: 'no' };
}

/** True if its turn came before its time was up. */
function turnOf({ id, expiresAt }: PairingAsk, client: ControlClient): Promise<boolean> {
  return new Promise(resolve => {
    const patience = setTimeout(() => resolve(false), Math.max(0, Date.parse(expiresAt) - Date.now()));
    client.onNotification(({ method, params }) => {
      if (method !== 'desk.changed' || params.asked?.id !== id || params.asked.pairing?.hasTurn !== true) return;
      clearTimeout(patience);
      resolve(true);
    });
    void client.closed.then(() => {
      clearTimeout(patience);
      resolve(true);
    });
  });
}
