/**
 * What waits for the person, in one list over its registers (spec §12), and the one push about it:
 * each shell gets what it may see. Answers nothing.
 */

import type { ControlNotification } from '../../../shared/control.ts';
import { type AskKind, type AskMove, endOf } from '../../access/desk/ask.ts';
import type { OpenPairing } from '../../access/pairing/pairing.ts';
import {
  type AskedIncrease,
  type IncreaseConfirmations,
  openIncreaseConfirmations,
} from '../../access/privilege-increases/confirmations.ts';
import { keyedDigest } from '../keyed-digest.ts';
import type { AskKindWord, AskView } from '../messages/ask.ts';
import type { DeskChange } from '../messages/desk.ts';
import type { ControlPorts } from '../ports.ts';
import { increaseView, pairingView, questionView, requestView } from './views.ts';

/** A shell, compared by identity, and whether it is the one and only Sallyport.app. */
interface Viewer {
  readonly requester: object;
  readonly isApp: boolean;
}

interface Listener extends Viewer {
  readonly saysItIsApp: boolean;
  notify(notification: ControlNotification): void;
}

interface Waiting {
  readonly view: AskView;
  /** Of a pairing: the shell that began it. */
  readonly begunBy: object | null;
}

/** What is told to the shells that may see it. */
interface Change {
  /** Null if every shell may hear of it. */
  readonly kind: AskKindWord | null;
  readonly begunBy: object | null;
  readonly asked: AskView | null;
  readonly ended: DeskChange['ended'];
}

export interface DeskList {
  /** Other shells' requests that wait for Sallyport.app. */
  readonly confirmations: IncreaseConfirmations;
  /** Those that this shell may see: who waits first, then the oldest. */
  list(viewer: Viewer): readonly AskView[];
  /** @returns what its shell is told, which stays as it is but for its turn. */
  begin(pairing: OpenPairing, by: object): AskView;
  /** Whether this shell began a pairing of this id, which may have ended since. */
  hasBegun(id: string, by: object): boolean;
  /** For Touch ID to sign: of this increase alone, which nobody could have had signed before. */
  challengeOf(increase: AskedIncrease): string;
  /** Tells of each increase that waits once more: Sallyport.app is another shell now. */
  tellOfIncreases(): void;
}

/**
 * An increase is for Sallyport.app alone, a pairing for the shell that began it, and all else for
 * every proved shell.
 */
export function maySee(kind: AskKindWord | null, began: boolean, isApp: boolean): boolean {
  if (kind === 'increase') return isApp;
  return kind !== 'pairing' || began;
}

/** @param shells called at each change, before whoever waits hears of it. */
export function openDeskList(ports: ControlPorts, shells: () => Iterable<Listener>): DeskList {
  const { approvals, accessRequests, pairings } = ports;
  const begun = new Map<string, { readonly by: object; readonly view: AskView }>();
  const digest = keyedDigest();
  const confirmations = openIncreaseConfirmations(ports.desk);
  ports.desk.onEvent(({ ask: { id, kind }, because }) => {
    // No shell shows a form; of a pairing its shell hears when its sheet may be drawn.
    if (kind === 'form' || kind === 'pairing') return;
    if (because === null) return tellOf(id);
    const increase = kind === 'increase' ? kind : null;
    const end = endFor(kind, because);
    tell({ kind: increase, begunBy: null, asked: null, ended: { id, because: end } });
  });
  pairings.onTurn(tellOf);

  function tellOf(id: string): void {
    const asked = waiting().find(({ view }) => view.id === id);
    if (asked !== undefined) tell({ kind: asked.view.kind, begunBy: asked.begunBy, asked: asked.view, ended: null });
  }

  function tell({ kind, begunBy, asked, ended }: Change): void {
    const now = waiting();
    for (const shell of shells()) {
      // An app that was asked must learn of the end, also while another claims its place.
      const isApp = ended === null ? shell.isApp : shell.saysItIsApp;
      if (!maySee(kind, begunBy === shell.requester, isApp)) continue;
      const params = { waiting: seenBy(shell, now).length, asked, ended };
      shell.notify({ jsonrpc: '2.0', method: 'desk.changed', params });
    }
  }

  function waiting(): Waiting[] {
    const views = [
      ...approvals.pending().map(questionView),
      ...confirmations.pending().map(increaseView),
      ...accessRequests.waiting().map(requestView),
    ];
    return [...views.map(view => ({ view, begunBy: null })), ...pairingsNow()];
  }

  function pairingsNow(): Waiting[] {
    return pairings.open().flatMap(({ id }, at) => {
      const known = begun.get(id);
      if (known === undefined) return [];
      const { by, view } = known;
      return [{ view: { ...view, pairing: view.pairing && { ...view.pairing, hasTurn: at === 0 } }, begunBy: by }];
    });
  }

  function seenBy({ requester, isApp }: Viewer, all: readonly Waiting[]): AskView[] {
    return all.filter(({ view, begunBy }) => maySee(view.kind, begunBy === requester, isApp)).map(({ view }) => view);
  }

  return {
    confirmations,
    list: viewer =>
      seenBy(viewer, waiting()).sort(
        (a, b) => Number(b.waits) - Number(a.waits) || Date.parse(a.askedAt) - Date.parse(b.askedAt),
      ),
    begin(pairing, by) {
      const open = pairings.open();
      for (const id of begun.keys()) if (open.every(other => other.id !== id)) begun.delete(id);
      const view = pairingView(pairing, open[0]?.id === pairing.id, ports);
      begun.set(pairing.id, { by, view });
      return view;
    },
    hasBegun: (id, by) => begun.get(id)?.by === by,
    challengeOf: ({ id, facts }) => digest([id, facts]),
    tellOfIncreases() {
      for (const { id } of confirmations.pending()) tellOf(id);
    },
  };
}

function endFor(kind: AskKind, because: AskMove): ReturnType<typeof endOf> {
  // A no to one increase ends all.
  if (kind === 'increase' && because === 'void') return 'no';
  // Its person has run it.
  return because === 'run' ? 'yes' : endOf(because);
}
