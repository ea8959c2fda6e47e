/**
 * Access requests (spec §12): calls that were refused and that the user could allow. The client has
 * to send the same call again. This file remembers questions and answers; it runs nothing and asks
 * nobody. A waiting request outlives a restart. An answer doesn't, so no grant is ever read from
 * the store.
 */

import type { AskView, HostKeyView } from '../../../shared/control-commands.ts';
import type { Ask } from '../desk/ask.ts';
import type { Desk, NewAsk } from '../desk/desk.ts';
import { askLimits } from '../desk/kinds.ts';
import { type Lineage, treeOf } from '../limits/crowd.ts';
import type { Judged } from '../questions/approvals.ts';
import { accountOf, type Principal } from '../tokens/token.ts';

export const accessRequestLimits = { waiting: askLimits.request.inAll } as const;

/** What a client must send again, exactly, to use its grant. */
export interface RequestedCall {
  readonly principal: Principal;
  /** The client's own name for itself. */
  readonly client: string;
  readonly tool: string;
  readonly connectionId: string;
  /** Null for a host key, or for a connection's first use while nobody could be asked about it. */
  readonly statement: AskedStatement | null;
  /** The unconfirmed host key of an SSH server on the way to the connection's database. */
  readonly hostKey?: HostKeyView;
}

/** The statement of a refused call, with everything that decides what it does. */
export interface AskedStatement {
  readonly text: string;
  /** Set for a plan: its statements, of which `text` is made. */
  readonly steps?: readonly string[];
  /** As in the call: JSON values. */
  readonly parameters: readonly (string | number | boolean | null)[];
  readonly schema: string | null;
  readonly database: string | null;
}

/** What the refusal depended on. If any of it changes, request and answer are void. */
export interface RefusalCircumstances {
  /** The connection's revision. */
  readonly revision: number;
  /** The connection's level for external clients. */
  readonly level: string;
}

type ShownStatement = NonNullable<AskView['statement']>;

/** What the person sees. */
export interface RequestContent extends Pick<AskView, 'means'> {
  readonly connection: NonNullable<AskView['connection']>;
  readonly lacks: NonNullable<AskView['lacks']>;
  readonly runsBy: NonNullable<AskView['runsBy']>;
  /** The classification of the statement; null without a statement. */
  readonly classified: (Pick<ShownStatement, 'class'> & Judged) | null;
}

/** What the statement takes, as the person was shown it. */
export interface ShownTakes<Figures> {
  readonly words: NonNullable<ShownStatement['takes']>;
  /** The same as figures that a run may not exceed; the counting code says what they mean. */
  readonly figures: Figures;
}

/** What the desk keeps of a request. */
export interface RequestFacts<Figures = unknown> extends RequestedCall, RequestContent, RefusalCircumstances, Starter {
  /** Null until the person has opened the request, and again after a run was held back. */
  readonly shown: ShownTakes<Figures> | null;
  /** What the held-back run would have taken. */
  readonly found: Figures | null;
  /** Set once the person has run the statement to its end. */
  readonly outcome: RequestOutcome | null;
  /** The principals that were told of the outcome: for them the same call is a new one. */
  readonly toldTo: readonly string[];
}

export type AccessRequest<Figures = unknown> = Ask<RequestFacts<Figures>>;

/** What became of what the person ran. */
export interface RequestOutcome {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Rows that each statement changed; null for one that has no number. */
  readonly rows: readonly (number | null)[];
  /** Sentences: why it, or a step of a plan, did not do what it was to do, and what stays. */
  readonly failed: string | null;
}

/** What started a client's bridge. */
export interface Starter {
  /** In words; null if unknown. */
  readonly program: string | null;
  /** Without the bridge itself; a token's id for other clients. */
  readonly lineage: Lineage;
}

interface AccessRequestPorts {
  readonly desk: Desk;
  /** Resolves with what started a principal's bridge. Never rejects. */
  readonly starterOf: (principal: Principal) => Promise<Starter>;
  /** What waited when the last run ended, oldest first. */
  readonly left?: readonly KeptRequest[];
  /**
   * Called with all that waits, after each change.
   * @returns the ids of those that the next run will have. Never rejects.
   */
  readonly keep?: (waiting: readonly KeptRequest[]) => Promise<ReadonlySet<string>>;
}

/** A request for the next run. It lacks what the person was shown, which is counted anew. */
export interface KeptRequest extends Pick<Ask, 'id' | 'askedAt' | 'expiresAt' | 'times'> {
  readonly facts: Omit<RequestFacts, keyof typeof unanswered>;
}

const unanswered = { shown: null, found: null, outcome: null, toldTo: [] } as const;

/** Where a request is kept. The next run won't have one that is `in memory` alone. */
export type RequestKeeping = 'kept' | 'in memory' | 'not kept';

export interface AccessRequests<Figures = unknown> {
  /**
   * The request that this call made before, if its circumstances are the same; else null. If it
   * still waits, `times` is raised by one.
   */
  askedBefore(asked: RequestedCall, circumstances: RefusalCircumstances): AccessRequest<Figures> | null;
  /** Makes a request. It is `not kept` if too many wait; then nobody is told of it. */
  ask(asked: RequestedCall, circumstances: RefusalCircumstances, content: RequestContent): Promise<RequestKeeping>;
  /** Unanswered requests, oldest first. */
  waiting(): readonly AccessRequest<Figures>[];
  /** Answered requests, oldest first. One that the person runs is among them once the run ended. */
  answered(): readonly AccessRequest<Figures>[];
  /** How many found no place, or lost it, within the life of a request. */
  unkept(): number;
  /** A waiting request. */
  find(id: string): AccessRequest<Figures> | null;
  /**
   * Keeps what the person is shown, and tells each shell, since another may show older figures.
   * @returns null if the request no longer waits.
   */
  open(id: string, shown: ShownTakes<Figures>): AccessRequest<Figures> | null;
  /**
   * @param runs how often the client may send the call, for `granted`.
   * @returns false if the request no longer waits.
   */
  answer(id: string, state: 'granted' | 'refused' | 'ran', runs?: number): boolean;
  /** Uses up one run. @returns false if none is left. */
  take(id: string): boolean;
  /** For a run that left nothing behind: client and person may run it again. */
  giveBack(id: string): void;
  /**
   * For a run that was rolled back because it would have taken more than was shown: the request
   * waits to be opened again.
   * @param found what the run would have taken.
   * @returns false if the request is no longer kept.
   */
  hold(id: string, found: Figures): boolean;
  /**
   * A person has confirmed the key: every request that waits for it is granted, on any connection.
   */
  confirmHostKey(key: HostKeyView): void;
  /**
   * The person ran the request's statement. Other clients' requests for the same statement wait no
   * more.
   */
  ranAsOwner(id: string, outcome: RequestOutcome): void;
  /** The principal has been told how the request ended. */
  told(id: string, principalId: string): void;
  forgetConnection(connectionId: string): void;
  /** A connection's name, tags or colour changed: its requests wait on and show the new ones. */
  showConnection(connection: RequestContent['connection']): void;
  forgetToken(tokenId: string): void;
  /**
   * @param listener called after each change of what waits, with the new request if one was made,
   *   else null.
   */
  onChanged(listener: (made: AccessRequest | null) => void): void;
  /** @param listener called when a request becomes one of `answered`. */
  onAnswered(listener: (request: AccessRequest) => void): void;
}

const answers = { granted: 'yes', refused: 'no', ran: 'run' } as const;

export function openAccessRequests<Figures = unknown>(ports: AccessRequestPorts): AccessRequests<Figures> {
  type Request = AccessRequest<Figures>;
  type Facts = RequestFacts<Figures>;
  const asks = ports.desk.of<Facts>('request');
  let kept: Promise<ReadonlySet<string>> = Promise.resolve(new Set());

  const keptOf = (id: string): Request | undefined => asks.all().find(known => known.id === id);
  const isAnswered = ({ state, facts }: Request): boolean =>
    state === 'granted' || state === 'refused' || (state === 'ran' && facts.outcome !== null);
  const answeredListeners: ((request: Request) => void)[] = [];
  function tellIfAnswered(request: Request | null): void {
    if (request !== null && isAnswered(request)) for (const listener of answeredListeners) listener(request);
  }
  asks.onEvent(({ what, ask }) => what === 'ended' && tellIfAnswered(ask));

  for (const { facts, ...former } of ports.left ?? []) asks.ask({ ...newAskOf({ ...facts, ...unanswered }), former });

  asks.onEvent(() => {
    const open = asks.waiting().map(({ id, askedAt, expiresAt, times, facts }) => {
      const { shown, found, outcome, toldTo, ...asked } = facts;
      return { id, askedAt, expiresAt, times, facts: asked };
    });
    kept = ports.keep?.(open) ?? kept;
  });

  function newAskOf(facts: Facts): NewAsk<Facts> {
    const { principal, lineage, connectionId } = facts;
    const asker = { id: accountOf(principal), group: treeOf(lineage), lineage };
    return { asker, key: keyOf(facts), about: connectionId, facts };
  }

  function forget(isMeant: (facts: Facts) => boolean): void {
    for (const { id, facts } of asks.all()) if (isMeant(facts)) asks.move(id, 'void');
  }

  return {
    waiting: asks.waiting,
    answered: () => asks.all().filter(isAnswered),
    unkept: asks.unkept,
    find: asks.find,

    askedBefore(asked, { revision, level }) {
      const known = asks.all();
      // The key is a copy of the statement, and most calls come while there is no request.
      if (known.length === 0) return null;
      const key = keyOf(asked);
      const ask = known.find(one => one.key === key);
      if (ask === undefined) return null;
      const { scope, id: principalId } = asked.principal;
      const { facts } = ask;
      if (facts.toldTo.includes(principalId)) return null;
      if (facts.revision !== revision || facts.level !== level || facts.principal.scope !== scope) {
        asks.move(ask.id, 'void');
        return null;
      }
      return ask.state === 'waiting' ? asks.change(ask.id, { times: ask.times + 1 }) : ask;
    },

    async ask(asked, circumstances, content) {
      const starter = await ports.starterOf(asked.principal);
      const facts = { ...asked, ...circumstances, ...content, ...starter, ...unanswered };
      // The same call may have arrived twice at once: the desk then counts it, and makes no second.
      const waits = asks.ask(newAskOf(facts));
      if (waits === null) return 'not kept';
      return (await kept).has(waits.ask.id) ? 'kept' : 'in memory';
    },

    open: (id, shown) => asks.find(id) && asks.change(id, { facts: { shown }, isOpened: true }, true),
    answer: (id, state, runs = 0) => asks.find(id) !== null && asks.move(id, answers[state], { runsLeft: runs }),
    take: id => asks.move(id, 'take'),
    giveBack: id => void asks.move(id, 'give_back'),
    hold: (id, found) => asks.move(id, 'hold', { facts: { found, shown: null } }),

    ranAsOwner(id, outcome) {
      const ran = keptOf(id)?.facts;
      if (ran?.statement == null) return;
      tellIfAnswered(asks.change(id, { facts: { outcome } }));
      if (outcome.failed !== null) return;
      for (const other of asks.waiting())
        if (isSameStatement(other.facts, ran)) asks.move(other.id, 'run', { facts: { outcome } });
    },

    told(id, principalId) {
      asks.change(id, { facts: { toldTo: [...(keptOf(id)?.facts.toldTo ?? []), principalId] } });
    },

    confirmHostKey({ host, fingerprint }) {
      for (const { id, facts } of asks.waiting())
        if (facts.hostKey?.host === host && facts.hostKey.fingerprint === fingerprint) asks.move(id, 'yes');
    },

    forgetConnection: connectionId => forget(facts => facts.connectionId === connectionId),
    showConnection({ id, name, tags, colour }) {
      for (const request of asks.all())
        if (request.facts.connectionId === id)
          asks.change(request.id, { facts: { connection: { id, name, tags, colour } } }, true);
    },
    forgetToken: tokenId => forget(({ principal }) => accountOf(principal) === tokenId),
    onAnswered: listener => void answeredListeners.push(listener),
    onChanged: listener => asks.onEvent(({ what, ask }) => listener(what === 'asked' ? ask : null)),
  };
}

function keyOf({ principal, client, tool, connectionId, statement, hostKey }: RequestedCall): string {
  return JSON.stringify([accountOf(principal), client, tool, connectionId, wordsOf(statement), hostKey]);
}

function wordsOf(statement: RequestedCall['statement']): unknown {
  return statement && [statement.text, statement.parameters, statement.schema, statement.database, statement.steps];
}

/** Whether both ask for the same statement on the same connection, by whatever client and tool. */
function isSameStatement(one: RequestedCall, other: RequestedCall): boolean {
  return (
    one.connectionId === other.connectionId &&
    JSON.stringify(wordsOf(one.statement)) === JSON.stringify(wordsOf(other.statement))
  );
}
