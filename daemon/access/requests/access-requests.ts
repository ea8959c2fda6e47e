/**
 * The register of access requests (spec §12): what clients were refused and their user could allow,
 * kept until the user answers or a quarter of an hour has passed. It remembers what was asked and
 * what was answered; it runs nothing and asks nobody. A restart of the daemon forgets all of it,
 * grants included.
 */

import type { AccessRequestView, HostKeyView } from '../../../shared/control-commands.ts';
import { accountOf, type Principal } from '../tokens/token.ts';

export const accessRequestLimits = {
  /** More would be a list that nobody reads. */
  waiting: 20,
  /**
   * One client must not fill the list: of a token, or of the bridges that the same programs
   * started, whatever they call themselves.
   */
  waitingPerClient: 5,
  /** From the first time that it was asked. */
  lifetimeSeconds: 900,
  /** Answered ones are remembered for their client; the oldest go. */
  remembered: 200,
} as const;

/** What a client must send again, to the letter, for a grant to be its own. */
export interface AskedFor {
  readonly principal: Principal;
  /** As the client calls itself. */
  readonly client: string;
  readonly tool: string;
  readonly connectionId: string;
  /**
   * Null where it is the first use of the connection that nobody could be asked about, or a host
   * key.
   */
  readonly statement: AskedStatement | null;
  /** Of an SSH server on the way to the connection, where nobody has confirmed it. */
  readonly hostKey?: HostKeyView;
}

export interface AskedStatement {
  readonly text: string;
  /** As the call has them: JSON values. */
  readonly parameters: readonly (string | number | boolean | null)[];
  readonly schema: string | null;
  readonly database: string | null;
}

/**
 * What refused it, as it was then. Where any of it is another now, what was asked and answered is
 * void.
 */
export interface Circumstances {
  /** Of the connection: its revision. */
  readonly revision: number;
  readonly level: string;
}

/** What the person is shown of it. */
export interface RequestContent extends Pick<AccessRequestView, 'connection' | 'lacks' | 'runsBy' | 'means'> {
  /** What the statement is; null without one. */
  readonly classified: Pick<NonNullable<AccessRequestView['statement']>, 'class' | 'reason' | 'tables'> | null;
}

/** What the person was shown that it takes. */
export interface ShownTakes<Figures> {
  readonly words: NonNullable<NonNullable<AccessRequestView['statement']>['takes']>;
  /** The same for a run to be held to. What they are is a matter of those who count. */
  readonly figures: Figures;
}

export interface AccessRequest<Figures = unknown> extends AskedFor, RequestContent, Circumstances {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly expiresAt: number;
  /** How often it was asked. */
  readonly times: number;
  /** The program that started the client's bridge, in words; null where that isn't known. */
  readonly program: string | null;
  readonly state: RequestState;
  /** How often a granted one may still run. */
  readonly runsLeft: number;
  /** Null until the person has opened it, and again once a run was held back. */
  readonly shown: ShownTakes<Figures> | null;
  /** What the run that was held back would have taken. */
  readonly found: Figures | null;
}

/**
 * `ran`: the person ran it. `used`: granted, and run as often as that. A host key is granted once,
 * for good.
 */
export type RequestState = 'waiting' | 'granted' | 'refused' | 'ran' | 'used';

interface AccessRequestPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Resolves with the program that started a principal's bridge. Never rejects. */
  readonly programOf: (principal: Principal) => Promise<string | null>;
  readonly limits: { readonly [Name in keyof typeof accessRequestLimits]: number };
}

export interface AccessRequests<Figures = unknown> {
  /**
   * What became of the same request, if it was made before and nothing about it has changed. A
   * waiting one is counted.
   */
  askedBefore(asked: AskedFor, circumstances: Circumstances): AccessRequest<Figures> | null;
  /** @returns false where too many wait already: then nobody is told of it. */
  ask(asked: AskedFor, circumstances: Circumstances, content: RequestContent): Promise<boolean>;
  /** Those that nobody answered, oldest first. */
  waiting(): readonly AccessRequest<Figures>[];
  /** One that waits. */
  find(id: string): AccessRequest<Figures> | null;
  /** Keeps what the person is shown of it. @returns null where it no longer waits. */
  open(id: string, shown: ShownTakes<Figures>): AccessRequest<Figures> | null;
  /** @param runs how often, for `granted`. @returns false where it no longer waits. */
  answer(id: string, state: Exclude<RequestState, 'waiting'>, runs?: number): boolean;
  /** Uses one of its runs up. @returns false where none is left. */
  take(id: string): boolean;
  /**
   * Of a run that left nothing behind: the client may run it again, and the person may answer it
   * again.
   */
  giveBack(id: string): void;
  /**
   * Of a run that was rolled back, since it would have taken more than was shown: it waits to be
   * opened anew.
   * @returns false where it is no longer kept.
   */
  hold(id: string, found: Figures): boolean;
  /** A person has confirmed it: whatever waits for it is granted, on any connection. */
  confirmHostKey(key: HostKeyView): void;
  forgetConnection(connectionId: string): void;
  forgetToken(tokenId: string): void;
  /** Told after each change of what waits; of a new one with it. */
  onChanged(listener: (made: AccessRequest | null) => void): void;
}

export function openAccessRequests<Figures = unknown>(ports: AccessRequestPorts): AccessRequests<Figures> {
  type Kept = AccessRequest<Figures>;
  /** By what was asked. Oldest first. */
  const requests = new Map<string, Kept>();
  const listeners: ((made: AccessRequest | null) => void)[] = [];

  function tell(made: Kept | null): void {
    for (const listener of listeners) listener(made);
  }

  function sweep(): void {
    const now = ports.now();
    const lifetime = ports.limits.lifetimeSeconds * 1000;
    for (const [key, { askedAt, expiresAt }] of requests) {
      // Before it was asked: the clock was set back, and nothing is known of its age.
      if (now >= expiresAt || now < askedAt - lifetime) requests.delete(key);
    }
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

  function forget(isMeant: (request: Kept) => boolean): void {
    const meant = all().filter(isMeant);
    for (const request of meant) requests.delete(keyOf(request));
    if (meant.some(({ state }) => state === 'waiting')) tell(null);
  }

  return {
    askedBefore(asked, { revision, level }) {
      sweep();
      // The key is a copy of the statement, and most calls come where nothing was asked.
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
      if (waiting().length >= ports.limits.waiting) return false;
      const started = await ports.programOf(asked.principal);
      const open = waiting();
      const key = keyOf(asked);
      const same = requests.get(key);
      // Sent twice at once.
      if (same?.state === 'waiting') {
        change(same, { times: same.times + 1 });
        return true;
      }
      const isClients = ({ principal, program }: Kept): boolean =>
        accountOf(principal) === accountOf(asked.principal) && program === started;
      if (open.length >= ports.limits.waiting) return false;
      if (open.filter(isClients).length >= ports.limits.waitingPerClient) return false;
      const now = ports.now();
      const request: Kept = {
        ...asked,
        ...circumstances,
        ...content,
        id: ports.newId(),
        askedAt: now,
        expiresAt: now + ports.limits.lifetimeSeconds * 1000,
        times: 1,
        program: started,
        state: 'waiting',
        runsLeft: 0,
        shown: null,
        found: null,
      };
      // Asked anew after its end it stands last.
      requests.delete(key);
      requests.set(key, request);
      for (const [oldest, { state }] of requests) {
        if (requests.size <= ports.limits.remembered) break;
        if (state !== 'waiting') requests.delete(oldest);
      }
      tell(request);
      return true;
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

    confirmHostKey({ host, fingerprint }) {
      const meant = waiting().filter(({ hostKey }) => hostKey?.host === host && hostKey.fingerprint === fingerprint);
      for (const request of meant) change(request, { state: 'granted' });
      if (meant.length > 0) tell(null);
    },

    forgetConnection: connectionId => forget(request => request.connectionId === connectionId),
    forgetToken: tokenId => forget(({ principal }) => accountOf(principal) === tokenId),
    onChanged: listener => void listeners.push(listener),
  };
}

function keyOf({ principal, client, tool, connectionId, statement, hostKey }: AskedFor): string {
  const said = statement && [statement.text, statement.parameters, statement.schema, statement.database];
  return JSON.stringify([accountOf(principal), client, tool, connectionId, said, hostKey]);
}
