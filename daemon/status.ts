/**
 * What `status` says: the server's state in one word, and the sentences that a person should read
 * (spec §2).
 */

import { shellWord } from '../shared/client-configs.ts';
import type { ControlNotification } from '../shared/control.ts';
import type { DaemonStatus, HostKeyView, PassphraseView } from '../shared/control-commands.ts';
import { type Note, notesOf } from '../shared/note.ts';
import type { Connection } from './access/connection.ts';
import { levelNow } from './access/effective-access.ts';
import { lendsMore } from './access/privilege-increases/client-use.ts';
import { instantWords } from './access/privilege-increases/increase-words.ts';
import { type FileIdentity, isSamePlace, type SamePlacePorts } from './access/privilege-increases/same-place.ts';
import type { StandingSubject, Standings } from './access/standing/standings.ts';
import { type BoxRecord, isBox, kindOf, type TokenRecord } from './access/tokens/token.ts';
import { verdictAt } from './access/tokens/token-register.ts';
import type { ServedPort, Serving } from './serving.ts';

type ServerState = Pick<DaemonStatus, 'state' | 'port' | 'notes'>;

/** The server's state, its port and the notes on both. @param serving null while it starts. */
export function serverState(
  serving: Pick<Serving, 'served' | 'problem' | 'isPaused'> | null,
  isStopping: boolean,
): ServerState {
  const served = serving?.served() ?? null;
  const problem = serving?.problem() ?? null;
  const paused = serving?.isPaused() ?? false;
  const isOff = serving !== null && served === null && problem === null && !isStopping;
  const notes = [
    ...notesOf('paused', [
      paused ? 'Sallyport is paused, so every client is refused; `sallyport resume` ends that.' : null,
    ]),
    ...(problem !== null && !isStopping ? [unserved(problem)] : []),
    ...notesOf('switched_off', [
      isOff ? 'The MCP server is switched off; `sallyport settings set enabled true` switches it on.' : null,
    ]),
    ...(served?.taken ? [takenNote(served, served.taken)] : []),
  ];
  return { state: stateOf(serving !== null, served, paused, isStopping), port: served?.port ?? null, notes };
}

/** The notification that tells shells of a new state (spec §11). */
export function serverChanged(state: ServerState): ControlNotification {
  return { jsonrpc: '2.0', method: 'server.changed', params: state };
}

function stateOf(
  isUp: boolean,
  served: ServedPort | null,
  paused: boolean,
  isStopping: boolean,
): DaemonStatus['state'] {
  if (isStopping) return 'stopping';
  if (!isUp) return 'starting';
  if (served === null) return 'off';
  return paused ? 'paused' : 'ready';
}

/**
 * The note that no port is served. Without the fallback no other port is tried, since clients with
 * the configured port in their files send their token to whoever holds it.
 */
function unserved(problem: string): Note {
  const said = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`;
  return {
    code: 'unserved',
    sentence: `${said}, so no client is served.`,
    advice:
      'free it, and Sallyport takes it by itself; or `sallyport settings set port` chooses another, and `settings set port.fallback true` any that is free',
  };
}

function takenNote({ port }: ServedPort, taken: NonNullable<ServedPort['taken']>): Note {
  return {
    code: 'port_taken',
    sentence: `Port ${taken.port} belongs to ${taken.holder ?? 'another program'}, so HTTP clients must use ${port} for now.`,
    advice: 'stop that program and restart Sallyport, or choose another with `sallyport settings set port`',
  };
}

/** Notes on tokens that are refused until the clock is right again (spec §5). */
export function clockNotes(tokens: readonly TokenRecord[], nowMilliseconds: number): Note[] {
  const refused = tokens.filter(
    token => token.revokedAt === null && verdictAt(nowMilliseconds, token) === 'clock_behind',
  );
  const [first, ...others] = refused.map(token => `${kindOf(token)} ${JSON.stringify(token.name)}`);
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return notesOf('token_refused', [
    `This machine's clock shows ${instantWords(new Date(nowMilliseconds).toISOString())}, a time before ${first}${more} was made, so it is refused; set the clock.`,
  ]);
}

/**
 * Notes on boxes that refuse programs.
 * @param boxes has for each living box a clause on why it refuses programs or its token isn't
 *   there; null if all is well.
 */
export function boxNotes(
  tokens: readonly TokenRecord[],
  boxes: { credentialOf(record: BoxRecord): { readonly problem: string | null } },
): Note[] {
  const told = tokens.filter(isBox).map(record => {
    const { problem } = boxes.credentialOf(record);
    const name = JSON.stringify(record.name);
    const isToken = record.box.credential === 'token';
    const what = isToken ? `Nobody can read the token of the box ${name}` : `The box ${name} refuses programs`;
    return problem === null ? null : `${what}: ${problem}.`;
  });
  return notesOf('box', told);
}

const mostUnknown = 5;

/** Notes on what was made or changed behind our back: the log never recorded it (spec §14). */
export function standingNotes(standings: Pick<Standings, 'unknown'>): Note[] {
  const unknown = standings.unknown();
  const more = unknown.length - mostUnknown;
  return [
    ...unknown.slice(0, mostUnknown).map(({ about, what }): Note => {
      const { edited, advice } = remedies[about.kind](about);
      const sentence = `The activity log doesn't know ${what}. Somebody may have edited ${edited} while Sallyport was stopped.`;
      return { code: 'unknown_to_log', sentence, advice };
    }),
    ...notesOf('unknown_to_log', [
      more > 0 ? `The activity log doesn't know ${more} more connections and tokens.` : null,
    ]),
  ];
}

const remedies: Readonly<
  Record<StandingSubject['kind'], (about: StandingSubject) => { readonly edited: string; readonly advice: string }>
> = {
  connection: ({ name }) => ({
    edited: 'the store',
    advice: `look at the connection (\`sallyport connections show ${shellWord(name)}\`), then set it back to what it was, or remove it and add it again`,
  }),
  token: ({ id }) => ({
    edited: 'the secrets',
    advice: `revoke the token (\`sallyport tokens revoke ${shellWord(id)}\`)`,
  }),
};

const mostPairs = 20;

/**
 * Notes on connections that give clients what another connection to the same place keeps from them.
 * A connection that was there before keeps its access, so this only warns.
 */
export function samePlaceNotes(
  connections: readonly Connection[],
  nowMilliseconds: number,
  fileIdentity: SamePlacePorts['fileIdentity'],
): Note[] {
  const hidden = connections.filter(each => each.aiPolicy === 'never' || levelNow(each, nowMilliseconds) === 'blocked');
  const known = new Map<string, FileIdentity>();
  const once = (path: string): FileIdentity => {
    const identity = known.get(path) ?? fileIdentity(path);
    known.set(path, identity);
    return identity;
  };
  const pairs = hidden.flatMap(one =>
    connections
      .filter(other => lendsMore(other, one, nowMilliseconds) && other.database === one.database)
      .filter(other => isSamePlace(one, other, once))
      .map(other => [JSON.stringify(other.name), JSON.stringify(one.name)] as const),
  );
  const told = pairs
    .slice(0, mostPairs)
    .map(
      ([other, one]) =>
        `AI clients may use ${other}, which leads to the same place as ${one}, which you keep from them. Block it too, or remove it, if that isn't meant.`,
    );
  return notesOf('same_place', told);
}

/**
 * Notes on connections that clients asked for in vain, because nobody has confirmed the host key of
 * an SSH server on the way.
 */
export function hostKeyNotes(
  connections: readonly Connection[],
  unknownHostKey: (connectionId: string) => HostKeyView | null,
): Note[] {
  const told = connections.map(({ id, name }) => {
    const key = unknownHostKey(id);
    if (key === null) return null;
    const test = `\`sallyport connections test ${shellWord(name)}\``;
    return `Nobody has confirmed the SSH host key of ${key.host}, through which ${JSON.stringify(name)} goes; ${test} shows it.`;
  });
  return notesOf('host_key', told);
}

/** Notes on connections that are refused since something was written into ~/.ssh/config. */
export function sshConfigurationNotes(
  connections: readonly Connection[],
  hasOther: (connectionId: string) => boolean,
): Note[] {
  const told = connections.map(({ id, name }) => {
    if (!hasOther(id)) return null;
    const trust = `\`sallyport connections trust ${shellWord(name)}\``;
    return `~/.ssh/config says something else of the way to ${JSON.stringify(name)} than when it was saved, so nobody is let there; if you changed it, ${trust} shows it and takes it.`;
  });
  return notesOf('ssh_configuration', told);
}

/** Notes on connections with `identity any`: whoever answers there gets a proof of the password. */
export function anyServerNotes(connections: readonly Connection[]): Note[] {
  const any = connections.filter(({ identity, password }) => identity === 'any' && password.kind !== 'none');
  if (any.length === 0) return [];
  const names = firstOf(
    any.map(({ name }) => JSON.stringify(name)),
    ', ',
  );
  return notesOf('any_server', [
    `Any server is let in at the address of ${names} (identity any). \`sallyport connections set NAME --identity known\` ends that.`,
  ]);
}

/**
 * Notes on connections whose server doesn't refuse writes in a read-only transaction. Where that
 * is accepted, a statement that the guard takes for a read by mistake may write.
 * @param lacksReadWall true if the connection's server was found to be one.
 */
export function oneWallNotes(
  connections: readonly Connection[],
  lacksReadWall: (connection: Connection) => boolean,
): Note[] {
  const namesOf = (some: readonly Connection[]): string | null =>
    some.length === 0
      ? null
      : firstOf(
          some.map(({ name }) => JSON.stringify(name)),
          ', ',
        );
  const accepted = namesOf(connections.filter(({ walls }) => walls === 'one'));
  const found = namesOf(connections.filter(each => each.walls !== 'one' && lacksReadWall(each)));
  return notesOf('one_wall', [
    accepted &&
      `One wall alone holds what clients read from ${accepted}, where the server doesn't refuse writes. \`sallyport connections set NAME --walls both\` ends that.`,
    found &&
      `Clients read nothing from ${found}, where the server doesn't refuse writes in a transaction that only reads. \`sallyport connections set NAME --walls one\` lets the guard alone hold them.`,
  ]);
}

/**
 * Notes on how confirmations work at present, and on what they don't protect (spec §11).
 * @param appConfirms true if Sallyport.app confirms.
 */
export function passphraseNotes(
  { state, chosen, reset, unconfirmed = [] }: PassphraseView,
  appConfirms: boolean,
): Note[] {
  const notes = { none: appConfirms ? guardedByApp : notChosen, off: switchedOff, set: guardedByPassphrase };
  return notesOf('passphrase', [
    notes[state],
    chosen === null || chosen.confirmedAt !== null ? null : chosenSentence(state, chosen),
    reset === null ? null : resetSentence(reset),
    unconfirmed.length === 0 ? null : unconfirmedSentence(unconfirmed),
  ]);
}

function chosenSentence(state: PassphraseView['state'], { at, by }: NonNullable<PassphraseView['chosen']>): string {
  const what = state === 'off' ? 'The owner passphrase was switched off' : 'The owner passphrase was chosen';
  return `${what} on ${instantWords(at)} by ${by}. If that was you, \`sallyport passphrase confirm\` ends this note; if not, \`sallyport passphrase reset\` takes back what was allowed.`;
}

function unconfirmedSentence(lines: readonly string[]): string {
  return `Nobody has confirmed what was allowed while the owner passphrase was off: ${firstOf(lines, '; ')}. \`sallyport passphrase confirm --keep\` keeps it once a passphrase is set, \`--take-back\` ends it.`;
}

const mostListed = 10;

function firstOf(lines: readonly string[], between: string): string {
  const more = lines.length > mostListed ? ` and ${lines.length - mostListed} more` : '';
  return `${lines.slice(0, mostListed).join(between)}${more}`;
}

function resetSentence({ at, by, countsAt }: NonNullable<PassphraseView['reset']>): string {
  return `A new owner passphrase was chosen on ${instantWords(at)} by ${by}, and counts from ${instantWords(countsAt)} on, if Sallyport runs until then. If that was not you, type the old one before then: \`sallyport passphrase confirm\` asks for it.`;
}

const notChosen =
  'No owner passphrase is chosen yet, so AI clients can only be allowed to read. `sallyport passphrase set` chooses one.';

const switchedOff =
  'The owner passphrase is off: any program that runs as you, your agents too, can grant itself any access. `sallyport passphrase set` ends that.';

const guardedByPassphrase =
  "The owner passphrase guards Sallyport's commands, not your files: a program that runs as you and edits sallyport.db, secrets.json or Sallyport's own program files can still change what is allowed.";

const guardedByApp =
  "Your yes in Sallyport.app guards Sallyport's commands, not your files: a program that runs as you and edits sallyport.db or Sallyport's own program files, or that your keychain lets read Sallyport's secrets, can still change what is allowed.";
