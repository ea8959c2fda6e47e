/**
 * What a proved shell may ask of the daemon (spec §11): each command's parameters and result, as both sides type them. Only types,
 * in the words of the daemon's records, which never leave it themselves: no password, salt or hash has a place here.
 */

import type { Engine } from './engine.ts';
import type { TargetServersWord } from './target-servers.ts';

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
  readonly 'connections.test': Command<ConnectionTestParams, ConnectionTestResult>;
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

/** Pushed to every proved shell, unasked; those of a list and of the activity only to who follows, those of confirmations to the app. */
export interface ControlNotifications {
  readonly 'approval.asked': ApprovalView;
  readonly 'approval.withdrawn': ApprovalWithdrawn;
  /** How many access requests wait for the person now. */
  readonly 'requests.changed': { readonly waiting: number };
  /** This sheet had to wait, and may be drawn now. */
  readonly 'pairing.turn': { readonly id: string };
  /** The server was switched on or off, paused or resumed, or moved to another port. */
  readonly 'server.changed': Pick<DaemonStatus, 'state' | 'port' | 'notes'>;
  /** To be listed anew: that it was several changes is not told. */
  readonly 'connections.changed': NoParams;
  readonly 'tokens.changed': NoParams;
  readonly 'settings.changed': NoParams;
  readonly 'confirmation.asked': ConfirmationView;
  readonly 'confirmation.withdrawn': ConfirmationWithdrawn;
  /** Oldest first. */
  readonly 'activity.appended': { readonly rows: readonly ActivityRowView[] };
}

interface Command<Params, Result> {
  readonly params: Params;
  readonly result: Result;
}

export type ControlMethod = keyof ControlCommands;
export type ControlNotificationMethod = keyof ControlNotifications;
type NoParams = Readonly<Record<string, never>>;

interface NamedConnection {
  /** Id or name. */
  readonly connection: string;
}

/** Names as the statement gives them, `schema.name` where it names the schema. */
export interface StatementVerdict {
  readonly class: 'read' | 'write' | 'destructive' | 'forbidden';
  /** One sentence: what decided the class. */
  readonly reason: string;
  readonly tables: readonly string[];
  /** Functions and procedures that are not built in. */
  readonly calls: readonly string[];
}

interface NamedToken {
  readonly id: string;
}

/** A question that waits for the user's yes (spec §12). What others wrote stands as they wrote it: a shell escapes it. */
export interface ApprovalView {
  /** Eight letters and digits, for people to type. */
  readonly id: string;
  readonly kind: 'destructive_statement' | 'stop_server_session' | 'first_use';
  /** As it calls itself: a claim. */
  readonly client: string;
  /** Null where it asks through the stdio bridge, which has a token of its own. */
  readonly token: string | null;
  readonly connection: {
    readonly id: string;
    readonly name: string;
    readonly tags: readonly string[];
    readonly colour: string | null;
  };
  /** What a yes allows and for how long, ours: `Read and write for 8 hours.` */
  readonly means: string;
  readonly statement: {
    readonly text: string;
    readonly class: string;
    /** One sentence: what decided the class. */
    readonly reason: string;
    readonly tables: readonly string[];
    /** What it takes, in words of ours with names of others in them. */
    readonly takes?: {
      /** One for each table and object: `empties public.orders (500 rows), a child of public.scratch`. */
      readonly lines: readonly string[];
      /** Sentences: what could not be counted, and why; null where all was. */
      readonly note: string | null;
    };
    /** Code points. */
    readonly characters: number;
    readonly lines: number;
  } | null;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly expiresAt: string;
}

export interface ApprovalDecision {
  readonly id: string;
  readonly answer: 'yes' | 'no';
}

export interface ApprovalWithdrawn {
  readonly id: string;
  /** `cancelled`: the request that asked has ended. */
  readonly because: 'yes' | 'no' | 'timeout' | 'cancelled';
}

/** What a client was refused and its user may allow (spec §12). What others wrote stands as they wrote it: a shell escapes it. */
export interface AccessRequestView {
  /** Eight letters and digits, for people to type. */
  readonly id: string;
  /** As it calls itself: a claim. */
  readonly client: string;
  /** The programs that started its bridge, outermost first: `claude, bash`. Null where that isn't known. */
  readonly program: string | null;
  /** Null where it asks through the stdio bridge, which has a token of its own. */
  readonly token: string | null;
  readonly connection: ApprovalView['connection'];
  /** What would have let it happen: a higher level, a token that may write, the person's yes, or their yes to its first use. */
  readonly lacks: 'connection_level' | 'token_scope' | 'yes' | 'first_use';
  /** Who runs it once it is allowed: the client, which sends it again, or the person, where the client's token can't. */
  readonly runsBy: 'client' | 'owner';
  /** What a yes to a first use allows and for how long: `Read and write for 8 hours.` Null of a statement. */
  readonly means: string | null;
  readonly statement:
    | (NonNullable<ApprovalView['statement']> & {
        /** The values of its parameters, in their order, each as JSON. */
        readonly parameters: readonly string[];
        readonly schema: string | null;
        readonly database: string | null;
      })
    | null;
  /** How often it was asked. */
  readonly times: number;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly expiresAt: string;
}

/**
 * `once`: each runs when its client sends it again, `times` times. `run`: they run now, in this order, as the person; the first that
 * fails is the last. A higher level of the connection, which would do as well, is `connections.save`'s.
 */
export type AccessRequestDecision =
  | { readonly ids: readonly string[]; readonly answer: 'no' | 'run' }
  | { readonly ids: readonly string[]; readonly answer: 'once'; readonly times?: number | undefined };

export interface AccessRequestAnswer {
  readonly ids: readonly string[];
  readonly answer: AccessRequestDecision['answer'];
  /** Those that ran, and the one that failed. */
  readonly ran: readonly {
    readonly id: string;
    readonly rowsAffected: number | null;
    readonly warnings: readonly string[];
    /** One sentence; null where it ran. */
    readonly failed: string | null;
  }[];
}

/** Another shell's request that widens access, for the person at Sallyport.app to confirm. */
export interface ConfirmationView {
  /** UUID. */
  readonly id: string;
  /** What it does. What others wrote stands in quotes that it can't close, on one line of whatever length: the app escapes it. */
  readonly sentence: string;
  /** Each value that makes it a widening, and where it applies. */
  readonly facts: readonly ConfirmationFact[];
  /** Who asks, as that shell calls itself: a claim. */
  readonly shell: string;
  /** ISO 8601. From `expiresAt` on no answer is taken. */
  readonly askedAt: string;
  readonly expiresAt: string;
}

/** What others wrote stands as they wrote it: the app escapes it. Of what is very long the middle is left out, and counted in its place. */
export interface ConfirmationFact {
  /** The daemon's own words, each once among the facts of one confirmation. */
  readonly label: string;
  readonly value: string;
  /** Until now; null where there is nothing to compare with. */
  readonly former: string | null;
  /** `lines`: line feeds are drawn as such; else they are escaped too. */
  readonly form: 'line' | 'lines';
}

interface ConfirmationDecision {
  readonly id: string;
  readonly answer: 'yes' | 'no';
}

export interface ConfirmationWithdrawn {
  readonly id: string;
  /** `cancelled`: the shell that asked has gone. */
  readonly because: 'yes' | 'no' | 'timeout' | 'cancelled';
}

/** A client as the HTTP door knows it: one bridge process, or whoever holds one token. */
export interface ClientView {
  /** Of the principal: the token's id, or `bridge:` and what the bridge process calls itself. */
  readonly id: string;
  /** As it calls itself: a claim, written as it wrote it. Null where it has not said. */
  readonly client: string | null;
  /** Null where it comes through the bridge. */
  readonly token: { readonly id: string; readonly name: string } | null;
  readonly transport: 'bridge' | 'http';
  /** The revision of MCP that it spoke last; null before it has said. */
  readonly protocol: string | null;
  /** ISO 8601: of its first and of its last request. */
  readonly since: string;
  readonly lastSeen: string;
  readonly openRequests: number;
  /** Of the older revisions, which keep one. */
  readonly sessions: number;
}

export interface SnippetView {
  /** As `sallyport connect` names it. */
  readonly client: string;
  readonly title: string;
  /** The file it belongs in, or what to do with it. */
  readonly where: string;
  readonly format: 'json' | 'yaml' | 'toml' | 'shell';
  /** What a person pastes. */
  readonly text: string;
}

export interface SnippetsView {
  readonly snippets: readonly SnippetView[];
  /** Sentences about what is missing among them, or is needed besides. */
  readonly notes: readonly string[];
}

interface PairingBeginParams {
  /** The deep link as it came. */
  readonly link: string;
  /** The app that this system opens the redirect's scheme with; null for none, and for a web address. */
  readonly handler: { readonly scheme: string; readonly app: string } | null;
}

/** A pairing that waits for its decision (spec §10). What others wrote stands as they wrote it: a shell escapes it. */
export interface PairingView {
  /** UUID. */
  readonly id: string;
  /** As it calls itself: a claim. */
  readonly client: string;
  readonly redirect: {
    /** Receives the code. */
    readonly address: string;
    /** The app registered for its scheme, or the program that listens there; null where the system doesn't tell. */
    readonly receiver: string | null;
    readonly kind: 'loopback' | 'app';
  };
  /** Asked for. */
  readonly scope: ScopeWord;
  /** Ids to start with. */
  readonly ticked: readonly string[];
  readonly connections: readonly PairingConnection[];
  /** To start with. */
  readonly expires: 'never' | 1 | 7 | 30 | 90;
  /** ISO 8601. From `expiresAt` on no decision is taken. */
  readonly askedAt: string;
  readonly expiresAt: string;
  /** Another sheet is open: this one may be drawn once `pairing.turn` names it. */
  readonly waits: boolean;
  /** The server is switched off: an approval starts it, until Sallyport is stopped. */
  readonly serverStarted: boolean;
}

export interface PairingConnection {
  readonly id: string;
  readonly name: string;
  readonly engine: Engine;
  /** What any client may do there at this moment; `blocked` where it sees nothing of it. */
  readonly externalClients: ExternalClientsWord;
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

export interface PairingAnswerView {
  readonly id: string;
  /** To be opened by the shell, as it stands. */
  readonly address: string;
  /** The id of the token that waits for its client; null for a denial. */
  readonly token: string | null;
}

type SettingValueView = boolean | number | string;

export interface SettingView {
  /** `results.maxRows`. */
  readonly key: string;
  readonly value: SettingValueView;
  readonly default: SettingValueView;
  /** Completes "it takes …". */
  readonly accepts: string;
  /** What it decides, in a few words. */
  readonly about: string;
}

interface SettingSetParams {
  readonly key: string;
  /** Or the text a person typed for it. */
  readonly value: SettingValueView;
}

/** The owner passphrase (spec §11): what is known of it, nothing of itself. */
export interface PassphraseView {
  /** `none`: nothing can be allowed until one is chosen. `off`: nothing has to be confirmed. */
  readonly state: 'none' | 'set' | 'off';
  /** When, and by which program on which terminal; `confirmedAt` once the person said that it was them. ISO 8601. */
  readonly chosen: { readonly at: string; readonly by: string; readonly confirmedAt: string | null } | null;
  /** A new one that counts from `countsAt` on. */
  readonly reset: { readonly id: string; readonly at: string; readonly by: string; readonly countsAt: string } | null;
}

/** What the daemon says of itself. */
export interface DaemonStatus {
  readonly version: string;
  readonly pid: number;
  /** UUID of this run. */
  readonly instance: string;
  readonly home: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** `ready` once clients are answered; `paused` while all are refused; `off` where the server is switched off. */
  readonly state: 'starting' | 'ready' | 'paused' | 'off' | 'stopping';
  /** The TCP port bound on 127.0.0.1, or null where there is none. */
  readonly port: number | null;
  readonly secrets: 'keychain' | 'file';
  readonly passphrase: PassphraseView;
  readonly connections: number;
  readonly tokens: number;
  /** Access requests that wait for the person. */
  readonly requestsWaiting: number;
  /** Sentences a person ought to read: a taken port, secrets in a file. */
  readonly notes: readonly string[];
}

export interface StatusResult extends DaemonStatus {
  /** The shells connected now, as they call themselves: `terminal`, `app`. */
  readonly shells: readonly string[];
}

export type TlsModeWord = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
export type ExternalClientsWord = 'blocked' | 'readOnly' | 'readWrite';
export type AiPolicyWord = 'always' | 'askEachTime' | 'never';
export type ScopeWord = 'readOnly' | 'readWrite' | 'fullAccess';

/** PEM files of this machine, by absolute paths; read whenever the server is dialled. */
export interface ClientCertificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

interface TlsView {
  readonly mode: TlsModeWord;
  readonly caFile: string | null;
  /** What is shown to the server; absent for nothing. */
  readonly clientCertificate?: ClientCertificate | undefined;
}

/** Where a database is. `host` may name several servers (server-hosts.ts); `socketPath` wins over host and port; `filePath` is SQLite's; both are absolute. */
export interface EndpointView {
  readonly engine: Engine;
  readonly host: string | null;
  readonly port: number | null;
  readonly socketPath: string | null;
  readonly filePath: string | null;
  readonly database: string | null;
  readonly user: string | null;
}

/** What stands between this machine and a server that it doesn't reach by itself. */
export type TunnelView = SshTunnelView | CommandTunnelView;

/** By the system's own `ssh` and its configuration. Each hop is `[user@]host[:port]`, the host a name, an address or an alias of ~/.ssh/config. */
export interface SshTunnelView {
  readonly kind: 'ssh';
  readonly destination: string;
  /** On the way to it, in their order. */
  readonly jumps: readonly string[];
  /** Absolute; null for the keys that ssh finds by itself. */
  readonly keyFile: string | null;
}

/** By a program of the user's, reached as its command says (tunnel-command.ts). */
export interface CommandTunnelView {
  readonly kind: 'command';
  readonly command: string;
}

export interface ConnectionView extends EndpointView {
  /** Absent where this machine reaches the server by itself. */
  readonly tunnel?: TunnelView | undefined;
  /** UUID. */
  readonly id: string;
  /** Unique without regard to case. */
  readonly name: string;
  readonly databases: 'own' | 'all';
  /** PostgreSQL's alone; absent where any server will do. */
  readonly targetServers?: TargetServersWord | undefined;
  readonly tls: TlsView;
  /** Where the password comes from; `command` is the user's own command line. */
  readonly password: { readonly kind: 'none' | 'stored' } | { readonly kind: 'command'; readonly command: string };
  /** Grows with every change to the endpoint or its password; pools are keyed by id and revision. */
  readonly revision: number;
  readonly statementTimeoutSeconds: number | null;
  readonly rowLimit: number | null;
  /** Of the sessions with its server: a name, or an offset; null for the one that the server gives them. */
  readonly timeZone: string | null;
  /** Rows of a table that a token may change in an hour unasked; null as the setting `writes.maxRows` says. */
  readonly writeRowLimit: number | null;
  readonly colour: string | null;
  readonly group: string | null;
  readonly tags: readonly string[];
  /** `now` is what `level` comes to at this moment: `readOnly` once `writeUntil` has passed. */
  readonly externalClients: {
    readonly level: ExternalClientsWord;
    /** ISO 8601 instant after which `readWrite` counts as `readOnly`; null for no end. Judged at each statement. */
    readonly writeUntil: string | null;
    readonly now: ExternalClientsWord;
  };
  readonly aiPolicy: AiPolicyWord;
  /** ISO 8601 instants. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RemovedConnectionView {
  readonly connection: ConnectionView;
  /** ISO 8601 instants; from `keptUntil` on it is gone for good, with its secrets. */
  readonly removedAt: string;
  readonly keptUntil: string;
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
  /** Null for none. */
  readonly tunnel?: TunnelView | null | undefined;
  /** Of the tunnel's key file and of its user; kept in the secret store as long as there is such a tunnel. */
  readonly sshPassphrase?: string | undefined;
  readonly sshPassword?: string | undefined;
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

export type ConnectionTestResult =
  | {
      readonly reachable: true;
      readonly name: string;
      readonly serverVersion: string;
      readonly currentUser: string | null;
      readonly currentDatabase: string | null;
      readonly currentSchema: string | null;
      readonly latencyMilliseconds: number;
      readonly warnings: readonly string[];
    }
  | {
      readonly reachable: false;
      readonly name: string;
      readonly problem: string;
      /** Of an SSH server of its tunnel: shown to a person, whose yes is the same request with its fingerprint. */
      readonly hostKey?: HostKeyView | undefined;
    };

export interface ConnectionTestParams extends NamedConnection {
  /** The fingerprint of an SSH server's host key that a person has confirmed: ssh takes it, and no other. */
  readonly hostKey?: string | undefined;
}

export interface HostKeyView {
  /** As ssh writes it. */
  readonly host: string;
  /** `ED25519` */
  readonly type: string;
  /** `SHA256:…` */
  readonly fingerprint: string;
}

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

export interface RoleView {
  /** The connection's. */
  readonly id: string;
  readonly name: string;
  readonly engine: Engine;
  readonly role: string;
  readonly access: 'readOnly' | 'readWrite';
  /** In their order: what each is for, and its statements without the semicolon. No password stands in one. */
  readonly steps: readonly { readonly why: string; readonly statements: readonly string[] }[];
  /** What the role lacks, or has all the same. */
  readonly notes: readonly string[];
  /** SHA-256, 64 hexadecimal digits. */
  readonly digest: string;
  /** Whether the role was made and the connection moved. */
  readonly applied: boolean;
}

export interface TokenView {
  readonly id: string;
  readonly name: string;
  /** First characters of the token, for people to recognise it by. */
  readonly prefix: string;
  readonly scope: ScopeWord;
  readonly connections: 'all' | readonly TokenConnection[];
  readonly confirmInClient: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly client: string | null;
  /** `uncollected`: of a pairing whose code waits for its exchange; nobody has the token yet, and it goes with the code. */
  readonly state: 'valid' | 'uncollected' | 'expired' | 'revoked';
}

/** `name` is null for a connection that is gone since. */
interface TokenConnection {
  readonly id: string;
  readonly name: string | null;
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

export interface MintedTokenView extends TokenView {
  /** The plaintext: said here and never again. */
  readonly token: string;
}

export type ActivityCategoryWord = 'auth' | 'access' | 'admin' | 'query' | 'tool' | 'resource';

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

export interface HistoryPageView {
  readonly statements: readonly HistoryEntryView[];
  /** Before which id those that didn't fit stand; null where all are here. */
  readonly older: number | null;
  /** Whether statements are kept at all (the setting `history`). */
  readonly kept: boolean;
  /** Some may be left out: on connections that clients may not read unasked, or that were removed. */
  readonly leavesOut: boolean;
}

export interface HistoryEntryView {
  readonly id: number;
  /** ISO 8601. */
  readonly time: string;
  readonly connection: { readonly id: string; readonly name: string };
  /** As in the activity log, like the hash. */
  readonly principal: string;
  readonly tokenName: string;
  /** As it calls itself: a claim. */
  readonly client: string | null;
  readonly statementHash: string;
  /** As it was sent; null where it had a password in it. */
  readonly statement: string | null;
  /** Of a long one the beginning is kept. */
  readonly isCut: boolean;
  readonly class: StatementVerdict['class'];
  readonly outcome: NonNullable<ActivityRowView['outcome']> | 'rolled_back';
  readonly rows: number | null;
  readonly durationMilliseconds: number | null;
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

export interface ActivityPageView {
  /** Newest first. */
  readonly rows: readonly ActivityRowView[];
  /** `before` of the next page; null where nothing older matches. */
  readonly older: number | null;
  /** `after` of a later look; null on an empty page. */
  readonly newest: number | null;
  /** A sentence while the log can't be written. */
  readonly problem: string | null;
}

/** What others wrote stands as they wrote it: a shell escapes it. */
export interface ActivityRowView {
  /** Its place in the chain, from 1, without gaps. */
  readonly number: number;
  /** ISO 8601. */
  readonly time: string;
  readonly kind: 'event' | 'attempt' | 'outcome';
  readonly category: ActivityCategoryWord;
  readonly action: string;
  /** Null on an attempt. */
  readonly outcome: 'success' | 'denied' | 'error' | 'rate_limited' | 'unknown' | null;
  /** Of an attempt to write: `unknown` where the daemon died before it knew. */
  readonly fate: 'settled' | 'running' | 'unknown' | null;
  /** On an outcome: the number of its attempt. */
  readonly attempt: number | null;
  readonly principal: string | null;
  readonly tokenName: string | null;
  readonly client: string | null;
  readonly connection: { readonly id: string; readonly name: string } | null;
  /** SHA-256, 64 hexadecimal digits. */
  readonly statementHash: string | null;
  readonly rows: number | null;
  readonly durationMilliseconds: number | null;
  readonly reason: string | null;
  readonly requestId: string | null;
  /** How often, where one row stands for several. */
  readonly count: number;
}

export interface ActivityVerificationView {
  readonly intact: boolean;
  readonly rowsChecked: number;
  /** The row after which the chain is checked; 0 from its beginning. Older rows were pruned or are beyond checking. */
  readonly checkedAfter: number;
  readonly lastNumber: number;
  readonly findings: readonly ActivityFindingView[];
  /** What happened that is no fault: crashes whose rows were adopted. */
  readonly notes: readonly string[];
  /** What no verification can see. */
  readonly limits: readonly string[];
}

export interface ActivityFindingView {
  readonly kind: string;
  /** Row numbers; null where it is not about rows. */
  readonly from: number | null;
  readonly to: number | null;
  readonly sentence: string;
}
