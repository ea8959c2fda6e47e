/**
 * What a proved shell may ask of the daemon (spec §11): each command's parameters and result, as both sides type them. Only types,
 * in the words of the daemon's records, which never leave it themselves: no password, salt or hash has a place here. The shapes of
 * results and of what is pushed stand in daemon/shells/messages, and are zod's: a shell loads none of it.
 */

import type {
  ActivityCategoryWord,
  ActivityPageView,
  ActivityVerificationView,
} from '../daemon/shells/messages/activity.ts';
import type { ApprovalDecision, ApprovalView } from '../daemon/shells/messages/approvals.ts';
import type { ClientView } from '../daemon/shells/messages/clients.ts';
import type { ConfirmationView } from '../daemon/shells/messages/confirmations.ts';
import type {
  AiPolicyWord,
  ClientCertificate,
  ConnectionTestResult,
  ConnectionView,
  EndpointView,
  RemovedConnectionView,
  RoleView,
  TlsModeWord,
} from '../daemon/shells/messages/connections.ts';
import type { HistoryPageView } from '../daemon/shells/messages/history.ts';
import type { PairingAnswerView, PairingView } from '../daemon/shells/messages/pairing.ts';
import type { PassphraseView } from '../daemon/shells/messages/passphrase.ts';
import type { AccessRequestAnswer, AccessRequestView } from '../daemon/shells/messages/requests.ts';
import type { SettingValueView, SettingView } from '../daemon/shells/messages/settings.ts';
import type { SnippetsView } from '../daemon/shells/messages/snippets.ts';
import type { StatementVerdict } from '../daemon/shells/messages/statements.ts';
import type { StatusResult } from '../daemon/shells/messages/status.ts';
import type { MintedTokenView, TokenView } from '../daemon/shells/messages/tokens.ts';
import type { ExternalClientsWord, ScopeWord } from '../daemon/shells/messages/words.ts';
import type { TargetServersWord } from './target-servers.ts';

export type * from '../daemon/shells/messages/activity.ts';
export type * from '../daemon/shells/messages/approvals.ts';
export type * from '../daemon/shells/messages/clients.ts';
export type * from '../daemon/shells/messages/confirmations.ts';
export type * from '../daemon/shells/messages/connections.ts';
export type * from '../daemon/shells/messages/history.ts';
export type * from '../daemon/shells/messages/pairing.ts';
export type * from '../daemon/shells/messages/passphrase.ts';
export type * from '../daemon/shells/messages/pushed.ts';
export type * from '../daemon/shells/messages/requests.ts';
export type * from '../daemon/shells/messages/settings.ts';
export type * from '../daemon/shells/messages/snippets.ts';
export type * from '../daemon/shells/messages/statements.ts';
export type * from '../daemon/shells/messages/status.ts';
export type * from '../daemon/shells/messages/tokens.ts';
export type * from '../daemon/shells/messages/words.ts';

export interface ControlCommands {
  readonly status: Command<NoParams, StatusResult>;
  /** Answered before the daemon begins to stop. */
  readonly stop: Command<NoParams, { readonly pid: number }>;
  /** Every request of a client is refused until `resume`, over restarts too. */
  readonly pause: Command<NoParams, { readonly paused: boolean }>;
  readonly resume: Command<NoParams, { readonly paused: boolean }>;
  readonly 'settings.list': Command<NoParams, { readonly settings: readonly SettingView[] }>;
  readonly 'settings.get': Command<{ readonly key: string }, SettingView>;
  /** Answered once it is in effect. */
  readonly 'settings.set': Command<SettingSetParams, SettingView>;
  /** In pages: `next` is where the one to come begins, null at the end. */
  readonly 'connections.list': Command<
    { readonly from?: number | undefined },
    { readonly connections: readonly ConnectionView[]; readonly next: number | null }
  >;
  readonly 'connections.show': Command<NamedConnection, ConnectionView>;
  readonly 'connections.save': Command<ConnectionSaveParams, ConnectionView>;
  /**
   * Nobody reaches it from then on. It can be restored until `keptUntil`, an ISO 8601 instant; null for one whose record can't be
   * read, which can't be.
   */
  readonly 'connections.delete': Command<
    NamedConnection,
    { readonly id: string; readonly name: string; readonly keptUntil: string | null }
  >;
  /** Those that can be restored, the last removed first; in pages as `connections.list`. */
  readonly 'connections.removed': Command<
    { readonly from?: number | undefined },
    { readonly removed: readonly RemovedConnectionView[]; readonly next: number | null }
  >;
  /** Brings a removed one back as it was. A privilege increase. */
  readonly 'connections.restore': Command<NamedConnection, ConnectionView>;
  /** Dials. A connection that can't be reached is a result, not an error. */
  readonly 'connections.test': Command<NamedConnection, ConnectionTestResult>;
  /** Plans a fitting role; with `apply` makes it and moves the connection to it. Dials. */
  readonly 'connections.role': Command<RoleParams, RoleView>;
  readonly 'tokens.list': Command<NoParams, { readonly tokens: readonly TokenView[] }>;
  readonly 'tokens.mint': Command<TokenMintParams, MintedTokenView>;
  /** Ends what its clients have open: they go on with what it gives from then on. */
  readonly 'tokens.edit': Command<TokenEditParams, TokenView>;
  readonly 'tokens.revoke': Command<NamedToken, { readonly id: string }>;
  readonly 'tokens.delete': Command<NamedToken, { readonly id: string }>;
  readonly 'approvals.pending': Command<NoParams, { readonly questions: readonly ApprovalView[] }>;
  /**
   * From here on this shell is one that can ask a person (or no more); the answer is what is open now. Ends with its connection.
   * `attached` is false for one that has no terminal and isn't Sallyport.app, whatever it wants: it is shown the questions alone.
   */
  readonly 'approvals.attach': Command<
    { readonly answers: boolean },
    { readonly questions: readonly ApprovalView[]; readonly attached: boolean }
  >;
  readonly 'approvals.decide': Command<ApprovalDecision, ApprovalDecision>;
  /** What clients were refused and the person may allow, as long as nobody has answered it; oldest first. */
  readonly 'requests.list': Command<NoParams, { readonly requests: readonly AccessRequestView[] }>;
  /** Counts what their statements take, before they are answered with `once` or `run`: a run is held to it. Without a trial, `takes` says why. */
  readonly 'requests.open': Command<
    { readonly ids: readonly string[] },
    { readonly requests: readonly AccessRequestView[] }
  >;
  /** One answer to one or several of them: all of them, or none where one no longer waits. */
  readonly 'requests.decide': Command<AccessRequestDecision, AccessRequestAnswer>;
  /** Of Sallyport.app alone, on macOS: what other shells ask and it has to confirm (spec §11 Widening). */
  readonly 'confirmations.pending': Command<NoParams, { readonly confirmations: readonly ConfirmationView[] }>;
  readonly 'confirmations.decide': Command<ConfirmationDecision, ConfirmationDecision>;
  /** The server is started with it where it is off. Without a result nothing was kept. Ends with the shell's connection. */
  readonly 'pairing.begin': Command<PairingBeginParams, PairingView>;
  readonly 'pairing.decide': Command<PairingDecideParams, PairingAnswerView>;
  /** The sheet was closed without a decision: nothing is opened. */
  readonly 'pairing.close': Command<{ readonly id: string }, { readonly id: string }>;
  /** A first one, or another in its place: that one widens, as does switching it off. Typed at a terminal, as all of them. */
  readonly 'passphrase.set': Command<{ readonly passphrase: string }, PassphraseView>;
  /** `forNewHome`: by `init`, in a home that there is already. It is refused, and a row says so. */
  readonly 'passphrase.off': Command<{ readonly forNewHome?: true | undefined }, PassphraseView>;
  /** For a forgotten one: what it allowed is taken back, and the new one counts after a day. */
  readonly 'passphrase.reset': Command<{ readonly passphrase: string }, PassphraseView>;
  /** The person says that it was them who chose it. */
  readonly 'passphrase.confirm': Command<NoParams, PassphraseView>;
  /** Who is connected now: has a request or a session open, or asked something within the last ten minutes. */
  readonly 'clients.list': Command<NoParams, { readonly clients: readonly ClientView[] }>;
  /** What AI clients' configurations hold to reach this Sallyport; of one kind of client, or of all. No token stands in one. */
  readonly 'snippets.list': Command<{ readonly client?: string | undefined }, SnippetsView>;
  /** From here on this shell is told that a list has changed, however often at most some times a second. Ends with its connection. */
  readonly 'changes.follow': Command<NoParams, { readonly following: boolean }>;
  /** What the statement is on this connection, whose catalog decides about the functions it calls. Nothing is run. */
  readonly 'statements.classify': Command<NamedConnection & { readonly sql: string }, StatementVerdict>;
  /** Makes the demo database afresh and saves it as the connection `Demo`. */
  readonly 'demo.create': Command<NoParams, ConnectionView>;
  /** Statements that were kept, whoever sent them, newest first; fewer than asked for where they don't fit into one message. */
  readonly 'history.query': Command<HistoryQueryParams, HistoryPageView>;
  /** Removes every statement that was kept, whoever sent it. The activity log keeps its rows. */
  readonly 'history.clear': Command<NoParams, { readonly removed: number }>;
  readonly 'activity.query': Command<ActivityQueryParams, ActivityPageView>;
  /** Reads the whole log. */
  readonly 'activity.verify': Command<NoParams, ActivityVerificationView>;
  /** From here on this shell is told of rows as they are written. Ends with its connection. */
  readonly 'activity.follow': Command<NoParams, { readonly following: boolean }>;
}

interface Command<Params, Result> {
  readonly params: Params;
  readonly result: Result;
}

export type ControlMethod = keyof ControlCommands;
type NoParams = Readonly<Record<string, never>>;

interface NamedConnection {
  /** Id or name. */
  readonly connection: string;
}

interface NamedToken {
  readonly id: string;
}

/**
 * `once`: each runs when its client sends it again, `times` times. `run`: they run now, in this order, as the person; the first that
 * fails is the last. A higher level of the connection, which would do as well, is `connections.save`'s.
 */
export type AccessRequestDecision =
  | { readonly ids: readonly string[]; readonly answer: 'no' | 'run' }
  | { readonly ids: readonly string[]; readonly answer: 'once'; readonly times?: number | undefined };

interface ConfirmationDecision {
  readonly id: string;
  readonly answer: 'yes' | 'no';
}

interface PairingBeginParams {
  /** The deep link as it came. */
  readonly link: string;
  /** The app that this system opens the redirect's scheme with; null for none, and for a web address. */
  readonly handler: { readonly scheme: string; readonly app: string } | null;
}

export type PairingDecideParams =
  | {
      readonly id: string;
      readonly decision: 'approve';
      readonly scope: ScopeWord;
      /** Ids or names, at least one. */
      readonly connections: 'all' | readonly string[];
      readonly expires: 'never' | 1 | 7 | 30 | 90;
    }
  | { readonly id: string; readonly decision: 'deny' };

interface SettingSetParams {
  readonly key: string;
  /** Or the text a person typed for it. */
  readonly value: SettingValueView;
}

/** A new connection (`name` and `endpoint` needed), or what changes of a saved one; what is left out stays. */
export interface ConnectionSaveParams {
  /** Id or name of the saved connection to change; left out for a new one. */
  readonly connection?: string | undefined;
  readonly name?: string | undefined;
  /** Replaces the former endpoint as a whole. Its TLS, where `tls` does not say, becomes the default for such a place. */
  readonly endpoint?: EndpointView | undefined;
  /** A SQLite file that is missing or empty is made a database. */
  readonly create?: boolean | undefined;
  readonly tls?:
    | {
        readonly mode?: TlsModeWord | undefined;
        readonly caFile?: string | null | undefined;
        readonly clientCertificate?: ClientCertificate | null | undefined;
        /** Opens the client key; kept in the secret store as long as there is a client certificate. */
        readonly keyPassphrase?: string | undefined;
      }
    | undefined;
  readonly databases?: 'own' | 'all' | undefined;
  /** Null for any server. */
  readonly targetServers?: TargetServersWord | null | undefined;
  readonly password?: PasswordChange | undefined;
  readonly statementTimeoutSeconds?: number | null | undefined;
  readonly rowLimit?: number | null | undefined;
  readonly writeRowLimit?: number | null | undefined;
  readonly timeZone?: string | null | undefined;
  readonly colour?: string | null | undefined;
  readonly group?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly externalClients?:
    | { readonly level: ExternalClientsWord; readonly forSeconds?: number | null | undefined }
    | undefined;
  readonly aiPolicy?: AiPolicyWord | undefined;
}

export type PasswordChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'stored'; readonly value: string }
  | { readonly kind: 'command'; readonly command: string };

export interface RoleParams extends NamedConnection {
  /** Left out: what the connection's level comes to now. */
  readonly access?: 'readOnly' | 'readWrite' | undefined;
  /** Left out: all that the present role may see. On MySQL a schema is a database. */
  readonly schemas?: readonly string[] | undefined;
  /** Left out: one made of the connection's name. */
  readonly role?: string | undefined;
  /** The digest of the plan that was shown: it is done where it is still the same. */
  readonly apply?: string | undefined;
}

export interface TokenMintParams {
  readonly name: string;
  readonly scope: ScopeWord;
  /** Ids or names; an empty list reaches nothing. */
  readonly connections: 'all' | readonly string[];
  /** Days. */
  readonly expires: 'never' | 1 | 7 | 30 | 90;
  readonly confirmInClient: boolean;
}

/** What is absent stays. An expiry counts from now. */
interface TokenEditParams {
  readonly id: string;
  readonly scope?: TokenMintParams['scope'] | undefined;
  readonly connections?: TokenMintParams['connections'] | undefined;
  readonly expires?: TokenMintParams['expires'] | undefined;
}

interface HistoryQueryParams {
  /** Words that all occur, or "a phrase". */
  readonly search?: string | null | undefined;
  /** Id or name. */
  readonly connection?: string | null | undefined;
  /** Also on connections that clients may not read unasked, and on removed ones; that widens. */
  readonly all?: boolean | undefined;
  /** ISO 8601. */
  readonly since?: string | null | undefined;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Ids, left out themselves. */
  readonly after?: number | null | undefined;
  readonly before?: number | null | undefined;
}

interface ActivityQueryParams {
  /** ISO 8601, included. */
  readonly since?: string | null | undefined;
  readonly category?: ActivityCategoryWord | null | undefined;
  /** A token's name or id. */
  readonly token?: string | null | undefined;
  /** 1 to 1,000; fewer come where they would not fit into one message. */
  readonly limit: number;
  /** A row's number: only older, or only newer, rows. At most one of the two. */
  readonly before?: number | null | undefined;
  readonly after?: number | null | undefined;
}
