/**
 * Shows the databases that were found, and saves and tests the chosen ones:
 * `sallyport connections import`, and the first half of setup.
 */

import { existsSync } from 'node:fs';
import type { ConnectionView } from '../../shared/control-commands.ts';
import type { DialProblem } from '../../shared/dial-problems.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { shownText } from '../../shared/shown-text.ts';
import { tunnelText } from '../../shared/ssh-hop.ts';
import { parseTunnelledUrl } from '../../shared/ssh-url.ts';
import { absolutePath, guessSentence, ignoredSentence, type ParsedConnection } from '../../shared/url-parts.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { everyConnection } from '../every-connection.ts';
import { testConnection } from '../host-keys.ts';
import { firstMet } from '../server-proof.ts';
import { print, printNotes, remark, say, type Terminal } from '../terminal.ts';
import { showWaiting } from '../waiting-line.ts';
import { type Candidate, databaseKey, type FoundDatabases, nameFor, placeOf } from './candidate.ts';
import { findDatabases } from './find.ts';
import { settingsFilesIn } from './settings-files.ts';
import { chosenOf, numbered, typedLine, typedSecret, typedYes } from './typed.ts';

/**
 * @param dotenv a file that the person named; null to ask about those in this folder.
 * @returns the names of the saved connections.
 */
export async function importConnections(terminal: Terminal, dotenv: string | null): Promise<readonly string[]> {
  const {
    candidates,
    unreadable,
    saved: known,
  } = await findAndCompare(terminal, dotenv === null ? await filesToRead(terminal) : [dotenv]);
  for (const { from, problem } of unreadable) remark(terminal, `${from}: ${problem}`);
  for (const each of known) say(terminal, savedSentence(terminal, each));
  showFound(terminal, candidates);
  const saved: string[] = [];
  for (let isRefused = true; isRefused; ) {
    isRefused = false;
    const chosen = await chosenAmong(terminal, candidates);
    if (chosen === 'demo') {
      const { name } = await askDaemon(terminal, 'demo.create', {});
      say(terminal, `The demo shop is saved as ${shownText(name)}.`);
      saved.push(name);
      continue;
    }
    for (const { name, connection } of chosen) {
      const added = await saveAndTest(terminal, name, connection);
      if (added === 'refused') isRefused = true;
      else if (added !== null) saved.push(added.name);
    }
  }
  return saved;
}

const filesHelp =
  'Databases named in them are then on the list, with their passwords; nothing is saved before you choose it.';

/** Asks before it reads this folder's settings files, as they may hold passwords. */
async function filesToRead(terminal: Terminal): Promise<readonly string[]> {
  const files = settingsFilesIn(terminal.cwd);
  if (files.length === 0) return [];
  const named = files.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  const it = files.length === 1 ? 'It' : 'They';
  const question = `Read ${named} here as well? ${it} may hold database passwords.`;
  return (await typedYes(terminal, question, true, filesHelp)) ? files : [];
}

/** A found database to which a connection leads already, by whichever account. */
interface SavedAlready {
  readonly candidate: Candidate;
  readonly connection: ConnectionView;
}

/**
 * Looks for databases, and compares them with the connections.
 * @param files settings files to read, too.
 * @returns `candidates` are those that no connection leads to.
 */
export async function findAndCompare(
  terminal: Terminal,
  files: readonly string[],
): Promise<FoundDatabases & { readonly saved: readonly SavedAlready[] }> {
  const found = await showWaiting(terminal, 'Looking for databases', findDatabases(terminal, files));
  const connections = await withDaemon(terminal, everyConnection);
  const byDatabase = new Map(connections.map(view => [databaseKey(view, view.tunnel), view]));
  const saved = found.candidates.flatMap(candidate => {
    const connection = byDatabase.get(databaseKey(candidate.connection.endpoint, candidate.connection.tunnel));
    return connection === undefined ? [] : [{ candidate, connection }];
  });
  const known = new Set(saved.map(({ candidate }) => candidate));
  return { ...found, candidates: found.candidates.filter(candidate => !known.has(candidate)), saved };
}

function savedSentence({ userHome }: Terminal, { candidate, connection }: SavedAlready): string {
  const { endpoint } = candidate.connection;
  const other =
    connection.user === null || connection.user === endpoint.user ? '' : `, which signs in as ${connection.user}`;
  return `${placeOf(endpoint)} (${candidate.from.replaceAll(userHome, '~')}) is saved already, as ${connection.name}${other}.`;
}

function showFound(terminal: Terminal, candidates: readonly Candidate[]): void {
  if (candidates.length === 0) {
    say(terminal, 'No new database was found.');
    return;
  }
  print(
    terminal,
    ...numbered(
      terminal,
      candidates.map(candidate => shownCandidate(terminal, candidate)),
    ),
  );
}

/** A found database as the list shows it, never with its password. */
export function shownCandidate({ userHome }: Terminal, { name, from, passwordFrom, connection }: Candidate) {
  const { endpoint, tunnel, password } = connection;
  return {
    name,
    place: `${endpoint.engine}  ${placeOf(endpoint)}${tunnel === undefined ? '' : ` through ${tunnelText(tunnel)}`}`,
    more: `${from}${password === null ? '' : passwordSource(passwordFrom)}`.replaceAll(userHome, '~'),
  };
}

function passwordSource(passwordFrom: string | undefined): string {
  return passwordFrom === undefined ? ', with its password' : `, with the password from ${passwordFrom}`;
}

const databasesHelp =
  'A URL names a database: postgres://me@db.example:5432/shop, mysql://me@db.example/shop, or the path of an SQLite file. Its password is asked for. demo makes a small shop to try questions on; it needs no server.';
const nameHelp = 'AI clients see this name, and you type it in commands. Enter takes the one in brackets.';
const keepHelp =
  'A yes keeps it as it is, to be mended by `sallyport connections set`. A no forgets it and its password.';
const authorityHelp = 'The server administrator has it: a file that ends with .pem or .crt.';

/** @returns `demo` for the demo database. */
async function chosenAmong(
  terminal: Terminal,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[] | 'demo'> {
  const prompt =
    candidates.length === 0
      ? 'Paste a URL, or type demo for a demo shop; ? explains, Enter skips: '
      : 'Save which? Numbers (1,3), all, or paste a URL; ? explains, Enter skips: ';
  for (;;) {
    const typed = await typedLine(terminal, prompt, databasesHelp);
    if (typed === '') return [];
    if (typed === 'demo') return 'demo';
    const chosen = chosenOf(typed, candidates.length);
    if (chosen !== null) return chosen.flatMap(at => candidates[at] ?? []);
    if (/^[\d\s,-]+$/.test(typed)) {
      remark(
        terminal,
        candidates.length === 1 ? 'Only 1 is on the list.' : `Only 1 to ${candidates.length} are on the list.`,
      );
      continue;
    }
    const connection = parseTunnelledUrl(typed, { cwd: terminal.cwd, home: terminal.userHome });
    if (connection.kind === 'refused') remark(terminal, connection.problem);
    else if (isFileMissing(connection)) remark(terminal, 'There is no file at that path; correct it.');
    else return [{ name: nameFor(connection.endpoint), from: 'typed', connection }];
  }
}

/** A typed word that is neither a number nor a URL counts as a path, so a typing error does too. */
function isFileMissing({ endpoint: { filePath } }: ParsedConnection): boolean {
  return filePath !== null && !existsSync(filePath);
}

/**
 * Asks for the connection's name and password, saves and tests it.
 * @returns null if it couldn't be reached and the person dropped it; `refused` if the daemon
 *   refused more than its name.
 */
export async function saveAndTest(
  terminal: Terminal,
  name: string,
  connection: Candidate['connection'],
): Promise<ConnectionView | 'refused' | null> {
  const place = placeOf(connection.endpoint);
  for (const told of [guessSentence(connection), ignoredSentence(connection)])
    if (told !== null) remark(terminal, told);
  const free = await freeName(terminal, name);
  const asked = await typedLine(terminal, `Name of ${place} for AI clients [${free}]: `, nameHelp);
  const password = connection.password ?? (await passwordFor(terminal, connection));
  const params = paramsOf(connection, password);
  const saved = await saveUnderName(terminal, asked === '' ? free : asked, params);
  return saved === null ? 'refused' : (await testUntilKept(terminal, saved, params)) ? saved : null;
}

export function paramsOf(connection: Candidate['connection'], password: string | null): SaveParams {
  const { endpoint, tls, targetServers, signInMethods, timeZone, tunnel } = connection;
  return {
    endpoint,
    ...(targetServers !== undefined && { targetServers }),
    ...(signInMethods !== undefined && { signInMethods }),
    ...(timeZone !== undefined && { timeZone }),
    ...(tunnel !== undefined && { tunnel }),
    ...(password !== null && { password: { kind: 'stored' as const, value: password } }),
    tls: {
      ...(tls.mode !== null && { mode: tls.mode }),
      ...(tls.caFile !== null && { caFile: tls.caFile }),
      ...(tls.clientCertificate !== undefined && { clientCertificate: tls.clientCertificate }),
    },
  };
}

/** The name itself if it is free, otherwise `shop-2`. */
export async function freeName(terminal: Terminal, name: string): Promise<string> {
  let free = name;
  for (let at = 2; (await holderOf(terminal, free)) !== null; at++) free = `${name}-${at}`;
  return free;
}

/** The existing connection with this name, in its own spelling. */
export async function holderOf(terminal: Terminal, name: string): Promise<string | null> {
  const all = await withDaemon(terminal, everyConnection);
  return all.find(view => view.name.toLowerCase() === name.normalize('NFC').toLowerCase())?.name ?? null;
}

/** Asks for the password of a server's account. @returns null if none is typed, or needed. */
export async function passwordFor(
  terminal: Terminal,
  { endpoint, passwordIsPlaceholder }: ParsedConnection,
): Promise<string | null> {
  if (connectionsOf[endpoint.engine].isFile) return null;
  if (passwordIsPlaceholder === true) remark(terminal, 'The password is a placeholder.');
  const typed = await typedSecret(terminal, `Password for ${placeOf(endpoint)} (Enter for none): `);
  return typed === '' ? null : typed;
}

type SaveParams = Omit<Parameters<typeof askDaemon<'connections.save'>>[2], 'name' | 'connection'>;

/**
 * Saves the connection, and asks for another name if this one is bad or taken.
 * @returns null if something else was refused; the person has been told.
 */
async function saveUnderName(terminal: Terminal, name: string, params: SaveParams): Promise<ConnectionView | null> {
  for (let wanted = name; ; ) {
    try {
      return await askDaemon(terminal, 'connections.save', { name: wanted, ...params });
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === exitCodes.noDaemon) throw error;
      remark(terminal, error.message);
      if (error.told.refused?.field !== 'name') return null;
      const free = await freeName(terminal, name);
      wanted = (await typedLine(terminal, `Another name [${free}]: `, nameHelp)) || free;
    }
  }
}

/**
 * Tests a saved connection until it answers, or until the person keeps it as it is or has it
 * removed.
 * @param params what it was saved with.
 * @returns false if it was removed.
 */
export async function testUntilKept(
  terminal: Terminal,
  { name }: ConnectionView,
  params: SaveParams,
): Promise<boolean> {
  for (let saved = params; ; ) {
    const tested = await testConnection(terminal, name);
    if (tested.reachable) {
      say(terminal, `${shownText(name)} answers: ${tested.serverVersion}.`);
      for (const sentence of firstMet(tested)) say(terminal, sentence);
      printNotes(terminal, tested.warnings);
      return true;
    }
    remark(terminal, `${shownText(name)} can't be reached: ${tested.problem}`);
    const change = await changeAfter(terminal, tested.code);
    if (change !== null) {
      saved = await saveAnew(terminal, name, saved, change);
      continue;
    }
    if (await typedYes(terminal, `Keep ${shownText(name)} anyway?`, false, keepHelp)) return true;
    await askDaemon(terminal, 'connections.delete', { connection: name });
    return false;
  }
}

/**
 * Removes the connection and saves it again with a change. Changing the credentials of a saved
 * connection would take the passphrase, and nobody has used this one yet.
 * @returns what it is saved with now.
 */
async function saveAnew(
  terminal: Terminal,
  name: string,
  former: SaveParams,
  change: Partial<SaveParams>,
): Promise<SaveParams> {
  const next = { ...former, ...change, ...(change.tls && { tls: { ...former.tls, ...change.tls } }) };
  await askDaemon(terminal, 'connections.delete', { connection: name });
  try {
    await askDaemon(terminal, 'connections.save', { name, ...next });
    return next;
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode === exitCodes.noDaemon) throw error;
    remark(terminal, error.message);
    await askDaemon(terminal, 'connections.save', { name, ...former });
    return former;
  }
}

/**
 * Asks the person for what may make the connection answer.
 * @returns null if the person typed nothing, or if nothing would help.
 */
async function changeAfter(terminal: Terminal, problem: DialProblem | undefined): Promise<Partial<SaveParams> | null> {
  switch (problem) {
    case 'client_key_passphrase': {
      const keyPassphrase = await secretOrSkip(terminal, 'Passphrase of the client key');
      return keyPassphrase === null ? null : { tls: { keyPassphrase } };
    }
    // Another authority helps against neither a wrong name nor an expired certificate.
    case 'unknown_authority':
    case 'authority_file':
    case 'authority_file_changed': {
      const typed = await typedLine(
        terminal,
        "The file of the server's certificate authority (Enter to skip): ",
        authorityHelp,
      );
      const caFile = typed === '' ? null : absolutePath(typed, { cwd: terminal.cwd, home: terminal.userHome });
      return caFile === null ? null : { tls: { caFile } };
    }
    case 'password_missing':
    case 'password_refused':
    case 'password_or_tls_refused': {
      const value = await secretOrSkip(terminal, 'Another password');
      return value === null ? null : { password: { kind: 'stored', value } };
    }
    case 'ssh_key_passphrase': {
      const sshPassphrase = await secretOrSkip(terminal, 'Passphrase of the SSH key');
      return sshPassphrase === null ? null : { sshPassphrase };
    }
    case 'ssh_password':
    case 'ssh_sign_in_refused': {
      const sshPassword = await secretOrSkip(terminal, 'SSH password');
      return sshPassword === null ? null : { sshPassword };
    }
    default:
      return null;
  }
}

async function secretOrSkip(terminal: Terminal, what: string): Promise<string | null> {
  return (await typedSecret(terminal, `${what} (Enter to skip): `)) || null;
}
