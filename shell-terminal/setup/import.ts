/**
 * Shows the databases that were found, and saves and tests the chosen ones:
 * `sallyport connections import`, and the first half of setup.
 */

import { existsSync } from 'node:fs';
import type { ConnectionView } from '../../shared/control-commands.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { shownText } from '../../shared/shown-text.ts';
import { tunnelText } from '../../shared/ssh-hop.ts';
import { parseTunnelledUrl } from '../../shared/ssh-url.ts';
import { absolutePath, ignoredSentence, type ParsedConnection } from '../../shared/url-parts.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { Ending, exitCodes } from '../ending.ts';
import { everyConnection } from '../every-connection.ts';
import { testedByPerson } from '../host-keys.ts';
import { print, printNotes, remark, say, type Terminal } from '../terminal.ts';
import { waitedFor } from '../waiting-line.ts';
import { type Candidate, type Found, nameFor, placeOf, together } from './candidate.ts';
import { findDatabases } from './find.ts';
import { settingsFilesIn } from './settings-files.ts';
import { chosenOf, numbered, typedLine, typedSecret, typedYes } from './typed.ts';

/**
 * @param dotenv a file as it was named; null to ask about those in this folder.
 * @returns the names of what was saved.
 */
export async function importConnections(terminal: Terminal, dotenv: string | null): Promise<readonly string[]> {
  const { candidates, unreadable } = await newOnes(terminal, dotenv === null ? await filesToRead(terminal) : [dotenv]);
  for (const { from, problem } of unreadable) remark(terminal, `${from}: ${problem}`);
  showFound(terminal, candidates);
  const saved: string[] = [];
  for (let isRefused = true; isRefused; ) {
    isRefused = false;
    for (const { name, connection } of await chosenAmong(terminal, candidates)) {
      const added = await saveAndTest(terminal, name, connection);
      if (added === 'refused') isRefused = true;
      else if (added !== null) saved.push(added.name);
    }
  }
  return saved;
}

/** They may hold passwords. */
async function filesToRead(terminal: Terminal): Promise<readonly string[]> {
  const files = settingsFilesIn(terminal.cwd);
  if (files.length === 0) return [];
  const named = files.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  const it = files.length === 1 ? 'It' : 'They';
  const question = `Read ${named} here as well? ${it} may hold database passwords.`;
  return (await typedYes(terminal, question, true)) ? files : [];
}

/** What was found and isn't saved yet. */
export async function newOnes(terminal: Terminal, files: readonly string[]): Promise<Found> {
  const found = await waitedFor(terminal, 'Looking for databases', findDatabases(terminal, files));
  const connections = await withDaemon(terminal, everyConnection);
  const saved = connections.map(view => ({ name: view.name, from: '', connection: asParsed(view) }));
  // Two connections may lead to one place.
  const known = together([{ candidates: saved, unreadable: [] }]);
  const { candidates } = together([known, found]);
  return { candidates: candidates.slice(known.candidates.length), unreadable: found.unreadable };
}

function asParsed(view: ConnectionView): Candidate['connection'] {
  const { tls, tunnel } = view;
  return { kind: 'parsed', endpoint: view, tls, password: '', ignored: [], ...(tunnel?.kind === 'ssh' && { tunnel }) };
}

function showFound(terminal: Terminal, candidates: readonly Candidate[]): void {
  if (candidates.length === 0) {
    say(terminal, 'No database was found that is not saved yet.');
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

/** Never with its password. */
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

async function chosenAmong(terminal: Terminal, candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
  const prompt =
    candidates.length === 0
      ? 'Paste a URL; Enter skips: '
      : 'Save which? Numbers (1,3), all, or paste a URL; Enter skips: ';
  for (;;) {
    const typed = await typedLine(terminal, prompt);
    if (typed === '') return [];
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
    else if (isFileAway(connection)) remark(terminal, 'There is no file at that path; correct it.');
    else return [{ name: nameFor(connection.endpoint), from: 'typed', connection }];
  }
}

/** A word that is no number and no URL is taken for a path. */
function isFileAway({ endpoint: { filePath } }: ParsedConnection): boolean {
  return filePath !== null && !existsSync(filePath);
}

/**
 * @returns null where it could not be reached and isn't wanted so; `refused` where no name would
 * have helped.
 */
async function saveAndTest(
  terminal: Terminal,
  name: string,
  connection: Candidate['connection'],
): Promise<ConnectionView | 'refused' | null> {
  const place = placeOf(connection.endpoint);
  const ignored = ignoredSentence(connection);
  if (ignored !== null) remark(terminal, ignored);
  const free = await freeName(terminal, name);
  const asked = await typedLine(terminal, `Name of ${place} for AI clients [${free}]: `);
  const password = connection.password ?? (await passwordFor(terminal, connection));
  const params = paramsOf(connection, password);
  const saved = await saveUnderName(terminal, asked === '' ? free : asked, params);
  return saved === null ? 'refused' : (await isKept(terminal, saved, params)) ? saved : null;
}

export function paramsOf(connection: Candidate['connection'], password: string | null): SaveParams {
  const { endpoint, tls, targetServers, timeZone, tunnel } = connection;
  return {
    endpoint,
    ...(targetServers !== undefined && { targetServers }),
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

/** As it stands where no connection has it, else `shop-2`. */
export async function freeName(terminal: Terminal, name: string): Promise<string> {
  let free = name;
  for (let at = 2; (await holderOf(terminal, free)) !== null; at++) free = `${name}-${at}`;
  return free;
}

/** The connection that has a name already, as it writes it. */
export async function holderOf(terminal: Terminal, name: string): Promise<string | null> {
  const all = await withDaemon(terminal, everyConnection);
  return all.find(view => view.name.toLowerCase() === name.normalize('NFC').toLowerCase())?.name ?? null;
}

/** Null where there is none, or none is wanted. */
export async function passwordFor(
  terminal: Terminal,
  { endpoint, passwordIsPlaceholder }: ParsedConnection,
): Promise<string | null> {
  if (connectionsOf[endpoint.engine].isFile) return null;
  if (passwordIsPlaceholder === true) remark(terminal, "A placeholder stands in the password's place.");
  const typed = await typedSecret(terminal, `Password for ${placeOf(endpoint)} (Enter for none): `);
  return typed === '' ? null : typed;
}

type SaveParams = Omit<Parameters<typeof askDaemon<'connections.save'>>[2], 'name' | 'connection'>;

/** How the daemon begins what it says of a name that is none, or is taken. */
const ofItsName = /^(?:name: |There is already a connection )/;

/**
 * Asks for another name where this one is taken or is none.
 * @returns null where something else was refused, which is told.
 */
async function saveUnderName(terminal: Terminal, name: string, params: SaveParams): Promise<ConnectionView | null> {
  for (let wanted = name; ; ) {
    try {
      return await askDaemon(terminal, 'connections.save', { name: wanted, ...params });
    } catch (error) {
      if (!(error instanceof Ending) || error.exitCode === exitCodes.noDaemon) throw error;
      remark(terminal, error.message);
      if (!ofItsName.test(error.message)) return null;
      const free = await freeName(terminal, name);
      wanted = (await typedLine(terminal, `Another name [${free}]: `)) || free;
    }
  }
}

/**
 * Tries until it answers, or the person keeps it as it is, or takes it away again.
 * @param params that it was saved with.
 */
export async function isKept(terminal: Terminal, { name }: ConnectionView, params: SaveParams): Promise<boolean> {
  for (let saved = params; ; ) {
    const tested = await testedByPerson(terminal, name);
    if (tested.reachable) {
      say(terminal, `${shownText(name)} answers: ${tested.serverVersion}.`);
      printNotes(terminal, tested.warnings);
      return true;
    }
    remark(terminal, `${shownText(name)} can't be reached: ${tested.problem}`);
    const change = await changeAfter(terminal, tested.problem);
    if (change !== null) {
      saved = await savedAnew(terminal, name, saved, change);
      continue;
    }
    if (await typedYes(terminal, `Keep ${shownText(name)} all the same?`, false)) return true;
    await askDaemon(terminal, 'connections.delete', { connection: name });
    return false;
  }
}

/**
 * Removed and saved again: other credentials of a saved connection take the passphrase, and nobody
 * has used this one yet.
 * @returns what it is saved with now.
 */
async function savedAnew(
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
    if (!(error instanceof Ending) || error.exitCode === exitCodes.noDaemon) throw error;
    remark(terminal, error.message);
    await askDaemon(terminal, 'connections.save', { name, ...former });
    return former;
  }
}

/**
 * What a person may mend at once: the passphrase of a client key, a certificate authority, a
 * password.
 */
async function changeAfter(terminal: Terminal, problem: string): Promise<Partial<SaveParams> | null> {
  if (/\bSSH\b/.test(problem)) return sshChangeAfter(terminal, problem);
  if (/\bpassphrase\b/.test(problem)) {
    const typed = await typedSecret(terminal, 'Passphrase of the client key (Enter to leave it): ');
    return typed === '' ? null : { tls: { keyPassphrase: typed } };
  }
  // Another authority helps neither a name that is not the server's nor a time that is over.
  if (/no authority that this machine knows|the CA file /.test(problem)) {
    const typed = await typedLine(terminal, "The file of the server's certificate authority (Enter to leave it): ");
    const caFile = typed === '' ? null : absolutePath(typed, { cwd: terminal.cwd, home: terminal.userHome });
    return caFile === null ? null : { tls: { caFile } };
  }
  if (!/password|authentication|access denied/i.test(problem)) return null;
  const typed = await typedSecret(terminal, 'Another password (Enter to leave it): ');
  return typed === '' ? null : { password: { kind: 'stored', value: typed } };
}

/**
 * Of a tunnel that its SSH server let nobody through: the passphrase of its key, or the password
 * there.
 */
async function sshChangeAfter(terminal: Terminal, problem: string): Promise<Partial<SaveParams> | null> {
  if (/has a passphrase, and none that fits is kept/.test(problem)) {
    const typed = await typedSecret(terminal, 'Passphrase of the SSH key (Enter to leave it): ');
    return typed === '' ? null : { sshPassphrase: typed };
  }
  if (!/SSH could not sign in at/.test(problem)) return null;
  const typed = await typedSecret(terminal, 'SSH password (Enter to leave it): ');
  return typed === '' ? null : { sshPassword: typed };
}
