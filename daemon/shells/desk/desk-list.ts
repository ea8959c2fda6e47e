/**
 * What waits for the person, in one list over its registers (spec §12), and the one push about it:
 * each shell gets what it may see. Answers nothing.
 */

import type { ControlNotification } from '../../../shared/control.ts';
import { endOf } from '../../access/desk/ask.ts';
import type { OpenPairing } from '../../access/pairing/pairing.ts';
import {
  type IncreaseConfirmation,
  type IncreaseConfirmations,
  openIncreaseConfirmations,
} from '../../access/privilege-increases/confirmations.ts';
import { keyedDigest } from '../keyed-digest.ts';
import type { AskKindWord, AskView } from '../messages/ask.ts';
import type { DeskChange } from '../messages/desk.ts';
import type { ControlPorts } from '../ports.ts';
import { increaseView, kindOfRequest, pairingView, questionKinds, questionView, requestView } from './views.ts';

/** A shell, compared by identity, and whether it is the one and only Sallyport.app. */
export interface Viewer {
  readonly requester: object;
  readonly isApp: boolean;
}

/** Whoever may see it. Its view is made once somebody looks. */
interface Waiting {
  readonly id: string;
  readonly kind: AskKindWord;
  readonly waits: boolean;
  /** Of a pairing: the shell that began it. */
  readonly begunBy: object | null;
  view(): AskView;
}

/** New or changed, or ended; neither if a request was answered or is gone. */
export interface Change {
  /** Null if every shell may hear of it. */
  readonly kind: AskKindWord | null;
  readonly asked: Waiting | null;
  readonly ended: DeskChange['ended'];
}

export interface DeskList {
  /** Other shells' requests that wait for Sallyport.app. */
  readonly confirmations: IncreaseConfirmations;
  /** Those that this shell may see: who waits first, then the oldest. */
  list(viewer: Viewer): readonly AskView[];
  count(viewer: Viewer): number;
  /** Of any shell's. */
  find(id: string): Waiting | null;
  /** @returns what its shell is told, which stays as it is but for its turn. */
  begin(pairing: OpenPairing, by: object): AskView;
  /** Whether this shell began a pairing of this id, which may have ended since. */
  hasBegun(id: string, by: object): boolean;
  /** The push for a shell that may see it. */
  changeFor(change: Change, viewer: Viewer): ControlNotification;
  /** For Touch ID to sign: of this increase alone, which nobody could have had signed before. */
  challengeOf(confirmation: IncreaseConfirmation): string;
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

/** @param tell called with each change, before whoever waits hears of it. */
export function openDeskList(ports: ControlPorts, tell: (change: Change) => void): DeskList {
  const { approvals, accessRequests, pairings } = ports;
  const begun = new Map<string, { readonly by: object; readonly view: AskView }>();
  const confirmations = openIncreaseConfirmations(ports.desk);
  ports.desk.onEvent(({ ask: { id, kind }, because }) => {
    // No shell shows a form; of a pairing its shell hears when its sheet may be drawn.
    if (kind === 'form' || kind === 'pairing') return;
    if (because === null) return tellOf(id);
    const increase = kind === 'increase' ? kind : null;
    // A no to one increase ends all.
    const end = increase !== null && because === 'void' ? 'no' : endOf(because);
    tell({ kind: increase, asked: null, ended: { id, because: end } });
  });
  pairings.onTurn(tellOf);

  /** Of one that is gone again, only that something has changed. */
  function tellOf(id: string | null): void {
    const asked = id === null ? null : find(id);
    tell({ kind: asked?.kind ?? null, asked, ended: null });
  }

  function waiting(): Waiting[] {
    return [
      ...approvals.pending().map(waitingOf(true, ({ kind }) => questionKinds[kind], questionView)),
      ...confirmations.pending().map(waitingOf(true, () => 'increase', increaseView)),
      ...pairingsNow(),
      ...accessRequests.waiting().map(waitingOf(false, kindOfRequest, requestView)),
    ];
  }

  function pairingsNow(): Waiting[] {
    return pairings.open().flatMap(({ id }, at) => {
      const known = begun.get(id);
      if (known === undefined) return [];
      const { by, view } = known;
      const asNow = { ...view, pairing: view.pairing && { ...view.pairing, hasTurn: at === 0 } };
      return [{ id, kind: 'pairing', waits: true, begunBy: by, view: () => asNow }];
    });
  }

  function find(id: string): Waiting | null {
    return waiting().find(one => one.id === id) ?? null;
  }

  function seenBy({ requester, isApp }: Viewer): Waiting[] {
    return waiting().filter(({ kind, begunBy }) => maySee(kind, begunBy === requester, isApp));
  }

  return {
    confirmations,
    list: viewer =>
      seenBy(viewer)
        .map(one => one.view())
        .sort((a, b) => Number(b.waits) - Number(a.waits) || Date.parse(a.askedAt) - Date.parse(b.askedAt)),
    count: viewer => seenBy(viewer).length,
    find,
    begin(pairing, by) {
      const open = pairings.open();
      for (const id of begun.keys()) if (open.every(other => other.id !== id)) begun.delete(id);
      const view = pairingView(pairing, open[0]?.id === pairing.id, ports);
      begun.set(pairing.id, { by, view });
      return view;
    },
    hasBegun: (id, by) => begun.get(id)?.by === by,
    changeFor: ({ asked, ended }, viewer) => ({
      jsonrpc: '2.0',
      method: 'desk.changed',
      params: { waiting: seenBy(viewer).length, asked: asked?.view() ?? null, ended },
    }),
    challengeOf: keyedDigest(),
    tellOfIncreases() {
      for (const { id } of confirmations.pending()) tellOf(id);
    },
  };
}

function waitingOf<Kept extends { readonly id: string }>(
  waits: boolean,
  kindOf: (kept: Kept) => AskKindWord,
  view: (kept: Kept) => AskView,
) {
  return (kept: Kept): Waiting => ({
    id: kept.id,
    kind: kindOf(kept),
    waits,
    begunBy: null,
    view: () => view(kept),
  });
}
