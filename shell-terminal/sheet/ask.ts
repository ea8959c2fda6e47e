/**
 * Asks a person about one pairing request on the drawn sheet: waits for its turn, draws, turns the
 * answer into a decision.
 */

import type { Asked } from '../../shared/asked-commands.ts';
import type { PairingView } from '../../shared/control-commands.ts';
import type { ControlClient } from '../control-client.ts';
import { failed } from '../ending.ts';
import { remark, type Terminal } from '../terminal.ts';
import { onOwnScreen } from './own-screen.ts';
import { pairingSheet } from './pairing.ts';
import { type Place, placeOn } from './place.ts';
import { ask } from './prompt.ts';

/**
 * Where the sheet can be drawn: beside an answer that goes into a pipe, too.
 * @throws Ending where it can't.
 */
export function sheetPlace(terminal: Terminal): Place {
  const place = placeOn(terminal.stdout.isTTY ? terminal.stdout : terminal.stderr, terminal);
  if (place === 'no terminal') {
    throw failed('There is no terminal here to ask you in; answer with --approve or --deny.');
  }
  if (place === 'dumb terminal') {
    throw failed(
      'This terminal can’t move its cursor (TERM=dumb), so nothing was asked; answer with --approve or --deny.',
    );
  }
  return place;
}

/** Null where nobody decided in time. */
export async function askOnSheet(
  terminal: Terminal,
  place: Place,
  view: PairingView,
  client: ControlClient,
): Promise<Asked<'pairing.decide'> | null> {
  const { id } = view;
  if (view.waits) {
    remark(terminal, 'Another pairing request is open; this one is shown once that is answered. Ctrl-C leaves.');
    if (!(await turnOf(view, client))) return null;
  }
  const gone = new AbortController();
  void client.closed.then(() => gone.abort());
  const { content, chosen } = pairingSheet(view, place.paint);
  const prompt = { place, content, seen: new Set<string>(), gone: gone.signal };
  const answer = await onOwnScreen(place, () => ask(prompt));
  if (answer.kind === 'approve') {
    const { scope, expires, ticked } = chosen();
    return { id, decision: 'approve', scope, connections: ticked, expires };
  }
  // Past its time there is no request left to deny.
  if (answer.kind === 'deny' && Date.now() >= Date.parse(view.expiresAt)) return null;
  // Where the daemon has gone, it is asked all the same and the way of its going is told.
  return { id, decision: 'deny' };
}

/** Whether its turn came before its time was up. */
function turnOf({ id, expiresAt }: PairingView, client: ControlClient): Promise<boolean> {
  return new Promise(resolve => {
    const patience = setTimeout(() => resolve(false), Math.max(0, Date.parse(expiresAt) - Date.now()));
    client.onNotification(({ method, params }) => {
      if (method !== 'pairing.turn' || params.id !== id) return;
      clearTimeout(patience);
      resolve(true);
    });
    void client.closed.then(() => {
      clearTimeout(patience);
      resolve(true);
    });
  });
}
