/**
 * The register of access requests (spec §12): what clients were refused and their user could allow.
 * A request is kept until the user answers or a quarter of an hour has passed. It remembers
 * questions and answers; it runs nothing and asks nobody. What waits outlives a restart; an answer
 * doesn't, so no grant is ever read from the store.
 */

import type { AskView, HostKeyView } from '../../../shared/control-commands.ts';
import { crowdOf, type Lineage, treeOf } from '../limits/crowd.ts';
import { accountOf, type Principal } from '../tokens/token.ts';

export const accessRequestLimits = {
  /** Nobody reads a longer list. */
  waiting: 20,
  /**
   * One client must not fill the list: counted per token, or per tree of processes that started the
   * bridges, whatever they call themselves.
   */
  waitingPerTree: 5,
  /** From its first occurrence. */
  lifetimeSeconds: 900,
  /** Answered requests kept for their clients; the oldest are dropped. */
  remembered: 200,
} as const;

/** What a client must send again, exactly, to use its grant. */
export interface RequestedCall {
  readonly principal: Principal;
  /** The client's own name for itself. */
  readonly client: string;
  readonly tool: string;
  readonly connectionId: string;
  /** Null for the first use of a connection that nobody could be asked about, or for a host key. */
  readonly statement: AskedStatement | null;
  /** An SSH server's key on the way to the connection that nobody has confirmed. */
  readonly hostKey?: HostKeyView;
}

export interface AskedStatement {
  readonly text: string;
  /** As in the call: JSON values. */
  readonly parameters: readonly (string | number | boolean | null)[];
  readonly schema: string | null;
  readonly database: string | null;
}

/** What the refusal depended on. If any of it changes, request and answer are void. */
export interface RefusalCircumstances {
  /** The connection's revision. */
  readonly revision: number;
  readonly level: string;
}

type ShownStatement = NonNullable<AskView['statement']>;

/** What the person sees. */
export interface RequestContent extends Pick<AskView, 'means'> {
  readonly connection: NonNullable<AskView['connection']>;
  readonly lacks: NonNullable<AskView['lacks']>;
  readonly runsBy: NonNullable<AskView['runsBy']>;
  /** The classification of the statement; null without a statement. */
  readonly classified: Pick<ShownStatement, 'class' | 'reason' | 'reasonParts' | 'tables'> | null;
}

/** What the person was shown that it takes. */
export interface ShownTakes<Figures> {
  readonly words: NonNullable<ShownStatement['takes']>;
  /** The same in the form that a run is held to; its meaning is up to the counting code. */
  readonly figures: Figures;
}

export interface AccessRequest<Figures = unknown> extends RequestedCall, RequestContent, RefusalCircumstances {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly expiresAt: number;
  /** How often it was asked. */
  readonly times: number;
  /** The program that started the client's bridge, in words; null if unknown. */
  readonly program: string | null;
  readonly lineage: Lineage;
  readonly state: RequestState;
  /** How often a granted request may still run. */
  readonly runsLeft: number;
  /** Null until the person has opened it, and again after a run was held back. */
  readonly shown: ShownTakes<Figures> | null;
  /** What the held-back run would have taken. */
  readonly found: Figures | null;
}

/** `ran`: the person ran it. `used`: granted and used up. A host key is granted once, for good. */
export type RequestState = 'waiting' | 'granted' | 'refused' | 'ran' | 'used';

/** What started a client's bridge. */
export interface Starter {
  /** In words; null if unknown. */
  readonly program: string | null;
  /** Without the bridge itself; a token's id for other clients. */
  readonly lineage: Lineage;
}

interface AccessRequestPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Resolves with what started a principal's bridge. Never rejects. */
  readonly starterOf: (principal: Principal) => Promise<Starter>;
  readonly limits: { readonly [Name in keyof typeof accessRequestLimits]: number };
  /** What waited when the last run ended, oldest first. */
  readonly left?: readonly KeptRequest[];
  /**
   * Called with all that waits, after each change.
   * @returns the ids of those that the next run will have. Never rejects.
   */
  readonly keep?: (waiting: readonly KeptRequest[]) => Promise<ReadonlySet<string>>;
}

/** Without what its person was shown: it is counted anew. */
export type KeptRequest = Omit<AccessRequest, 'state' | 'runsLeft' | 'shown' | 'found'>;

/** Of a request that its person is told of; the next run won't have one that is in memory. */
export type RequestKeeping = 'kept' | 'in memory';

const unanswered = { state: 'waiting', runsLeft: 0, shown: null, found: null } as const;

export interface AccessRequests<Figures = unknown> {
  /**
   * The same request from before, if nothing about it has changed. A waiting one is counted again.
   */
  askedBefore(asked: RequestedCall, circumstances: RefusalCircumstances): AccessRequest<Figures> | null;
  /** @returns false if too many wait; then nobody is told. */
  ask(
    asked: RequestedCall,
    circumstances: RefusalCircumstances,
    content: RequestContent,
  ): Promise<RequestKeeping | false>;
  /** Unanswered requests, oldest first. */
  waiting(): readonly AccessRequest<Figures>[];
  /** A waiting request. */
  find(id: string): AccessRequest<Figures> | null;
  /** Keeps what the person is shown. @returns null if it no longer waits. */
  open(id: string, shown: ShownTakes<Figures>): AccessRequest<Figures> | null;
  /** @param runs how often, for `granted`. @returns false if it no longer waits. */
  answer(id: string, state: Exclude<RequestState, 'waiting'>, runs?: number): boolean;
  /** Uses up one run. @returns false if none is left. */
  take(id: string): boolean;
  /** For a run that left nothing behind: client and person may run it again. */
  giveBack(id: string): void;
  /**
   * For a run that was rolled back because it would have taken more than shown: it waits to be
   * opened again.
   * @returns false if it is no longer kept.
   */
  hold(id: string, found: Figures): boolean;
  /**
   * A person has confirmed the key: every request that waits for it is granted, on any connection.
   */
  confirmHostKey(key: HostKeyView): void;
  /** The person ran its statement: the same one, asked by another client too, waits no more. */
  ranAsOwner(id: string): void;
  forgetConnection(connectionId: string): void;
  /** Its name or marks have changed: its requests wait on, and show them. */
  showConnection(connection: RequestContent['connection']): void;
  forgetToken(tokenId: string): void;
  /** Called after each change of what waits, with a new request. */
  onChanged(listener: (made: AccessRequest | null) => void): void;
}

export function openAccessRequests<Figures = unknown>(ports: AccessRequestPorts): AccessRequests<Figures> {
  type Kept = AccessRequest<Figures>;
  /** By what was asked. Oldest first. */
  const requests = new Map<string, Kept>((ports.left ?? []).map(left => [keyOf(left), { ...left, ...unanswered }]));
  const listeners: ((made: AccessRequest | null) => void)[] = [];
  let kept: Promise<ReadonlySet<string>> = Promise.resolve(new Set());

  function tell(made: Kept | null): void {
    keep();
    for (const listener of listeners) listener(made);
  }

  function keep(): void {
    const open = [...requests.values()].filter(({ state }) => state === 'waiting');
    kept = ports.keep?.(open.map(({ state, runsLeft, shown, found, ...request }) => request)) ?? kept;
  }

  async function keepingOf(id: string): Promise<RequestKeeping> {
    return (await kept).has(id) ? 'kept' : 'in memory';
  }

  function sweep(): void {
    const now = ports.now();
    const lifetime = ports.limits.lifetimeSeconds * 1000;
    let isShorter = false;
    for (const [key, { askedAt, expiresAt, state }] of requests) {
      // A future time: the clock was set back, and the age is unknown.
      if (now < expiresAt && now >= askedAt - lifetime) continue;
      requests.delete(key);
      isShorter ||= state === 'waiting';
    }
    if (isShorter) keep();
  }

  function all(): Kept[] {
    sweep();
    return [...requests.values()];
  }

  function change(request: Kept, changed: Partial<Kept>): Kept {
    const next = { ...request, ...changed };
    requests.set(keyOf(request), next);
    return next;
  }

  function waiting(): Kept[] {
    return all().filter(({ state }) => state === 'waiting');
  }

  function find(id: string): Kept | null {
    return waiting().find(request => request.id === id) ?? null;
  }

  /**
   * A new request takes the place of one whose tree or branch has more than its own: the newest
   * there that the person hasn't opened.
   * @returns false if it has no claim to a place.
   */
  function makeRoom(lineage: Lineage): boolean {
    const open = waiting();
    const tree = open.filter(request => treeOf(request.lineage) === treeOf(lineage));
    const isTreeFull = tree.length >= ports.limits.waitingPerTree;
    if (!isTreeFull && open.length < ports.limits.waiting) return true;
    const asking = { lineage };
    const crowd = crowdOf<Pick<Kept, 'lineage'>>([...(isTreeFull ? tree : open), asking], one => one.lineage);
    if (crowd.includes(asking)) return false;
    const least = (crowd as readonly Kept[]).findLast(({ shown }) => shown === null);
    if (least === undefined) return false;
    requests.delete(keyOf(least));
    return true;
  }

  function forget(isMeant: (request: Kept) => boolean): void {
    const meant = all().filter(isMeant);
    for (const request of meant) requests.delete(keyOf(request));
    if (meant.some(({ state }) => state === 'waiting')) tell(null);
  }

  return {
    askedBefore(asked, { revision, level }) {
      sweep();
      // The key is a copy of the statement, and most calls come while there is no request.
      if (requests.size === 0) return null;
      const key = keyOf(asked);
      const request = requests.get(key);
      if (request === undefined) return null;
      const { scope } = asked.principal;
      if (request.revision !== revision || request.level !== level || request.principal.scope !== scope) {
        requests.delete(key);
        tell(null);
        return null;
      }
      if (request.state !== 'waiting') return request;
      return change(request, { times: request.times + 1 });
    },

    async ask(asked, circumstances, content) {
      const { program, lineage } = await ports.starterOf(asked.principal);
      const key = keyOf(asked);
      const same = requests.get(key);
      // The same request arrived twice at once.
      if (same?.state === 'waiting') {
        change(same, { times: same.times + 1 });
        return keepingOf(same.id);
      }
      if (!makeRoom(lineage)) return false;
      const now = ports.now();
      const request: Kept = {
        ...asked,
        ...circumstances,
        ...content,
        id: ports.newId(),
        askedAt: now,
        expiresAt: now + ports.limits.lifetimeSeconds * 1000,
        times: 1,
        program,
        lineage,
        ...unanswered,
      };
      // Asked again after its end, it goes to the end.
      requests.delete(key);
      requests.set(key, request);
      for (const [oldest, { state }] of requests) {
        if (requests.size <= ports.limits.remembered) break;
        if (state !== 'waiting') requests.delete(oldest);
      }
      tell(request);
      return keepingOf(request.id);
    },

    waiting,
    find,

    open(id, shown) {
      const request = find(id);
      return request && change(request, { shown });
    },

    answer(id, state, runs = 0) {
      const request = find(id);
      if (request === null) return false;
      change(request, { state, runsLeft: runs });
      tell(null);
      return true;
    },

    take(id) {
      const request = all().find(known => known.id === id);
      if (request?.state !== 'granted' || request.runsLeft < 1) return false;
      const runsLeft = request.runsLeft - 1;
      change(request, { runsLeft, state: runsLeft === 0 ? 'used' : 'granted' });
      return true;
    },

    giveBack(id) {
      const request = all().find(known => known.id === id);
      if (request?.state === 'ran') {
        change(request, { state: 'waiting' });
        tell(null);
      } else if (request?.state === 'granted' || request?.state === 'used') {
        change(request, { runsLeft: request.runsLeft + 1, state: 'granted' });
      }
    },

    hold(id, found) {
      const request = all().find(known => known.id === id);
      if (request === undefined || request.state === 'refused') return false;
      change(request, { state: 'waiting', runsLeft: 0, shown: null, found });
      tell(null);
      return true;
    },

    ranAsOwner(id) {
      const ran = all().find(known => known.id === id);
      const alike = waiting().filter(other => ran?.statement != null && isSameStatement(other, ran));
      for (const other of alike) change(other, { state: 'ran' });
      if (alike.length > 0) tell(null);
    },

    confirmHostKey({ host, fingerprint }) {
      const meant = waiting().filter(({ hostKey }) => hostKey?.host === host && hostKey.fingerprint === fingerprint);
      for (const request of meant) change(request, { state: 'granted' });
      if (meant.length > 0) tell(null);
    },

    forgetConnection: connectionId => forget(request => request.connectionId === connectionId),
    showConnection({ id, name, tags, colour }) {
      const meant = all().filter(({ connectionId }) => connectionId === id);
      for (const request of meant) change(request, { connection: { id, name, tags, colour } });
      if (meant.some(({ state }) => state === 'waiting')) tell(null);
    },
    forgetToken: tokenId => forget(({ principal }) => accountOf(principal) === tokenId),
    onChanged: listener => void listeners.push(listener),
  };
}

function keyOf({ principal, client, tool, connectionId, statement, hostKey }: RequestedCall): string {
  return JSON.stringify([accountOf(principal), client, tool, connectionId, wordsOf(statement), hostKey]);
}

function wordsOf(statement: RequestedCall['statement']): unknown {
  return statement && [statement.text, statement.parameters, statement.schema, statement.database];
}

/** Of any client and tool. */
function isSameStatement(one: RequestedCall, other: RequestedCall): boolean {
  return (
    one.connectionId === other.connectionId &&
    JSON.stringify(wordsOf(one.statement)) === JSON.stringify(wordsOf(other.statement))
  );
}
