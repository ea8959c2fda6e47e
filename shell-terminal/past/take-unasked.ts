/**
 * Takes over the servers that a script names: `sallyport connect CLIENT --take NAME`. Asks nothing,
 * and takes out no entry whose databases don't answer through Sallyport.
 */

import { shownText } from '../../shared/shown-text.ts';
import { CliError, exitCodes, failed } from '../cli-error.ts';
import { askDaemon } from '../daemon.ts';
import type { Candidate } from '../setup/candidate.ts';
import { freeName, paramsOf } from '../setup/import.ts';
import { runningDaemon } from '../starting.ts';
import { printJson, remark, type Terminal } from '../terminal.ts';
import { lookingFrom, type OtherServer, projectOf } from './entries.ts';
import { savedAt, takeFrom, tellTaken } from './offer.ts';
import { quoted, reachForScripts, whyNot } from './told.ts';

/** @throws CliError with the file of a server that can't be taken over untouched. */
export async function takeUnasked(
  terminal: Terminal,
  bridge: string,
  servers: readonly OtherServer[],
  names: readonly string[],
  json: boolean,
): Promise<void> {
  const { cwd } = lookingFrom(terminal);
  const wanted = names.map(name => serverNamed(servers, name, cwd));
  await runningDaemon(terminal);
  const told: object[] = [];
  let refused = 0;
  for (const path of new Set(wanted.map(server => server.path))) {
    const ofFile = wanted.filter(server => server.path === path);
    const [first] = ofFile;
    try {
      const taken = [];
      for (const server of ofFile)
        taken.push({ name: server.name, connections: await connectionsOf(terminal, server) });
      const backup = takeFrom(terminal, bridge, ofFile);
      told.push({ client: first?.client, file: path, backup, taken });
      if (!json) tellTaken(terminal, ofFile, backup);
    } catch (error) {
      // A file that can't be changed is no reason to leave out the others.
      if (!(error instanceof CliError) || error.exitCode === exitCodes.noDaemon) throw error;
      refused += ofFile.length;
      told.push({ client: first?.client, file: path, backup: null, taken: [], problem: error.message });
      remark(terminal, error.message);
    }
  }
  if (json) printJson(terminal, told);
  if (refused > 0) throw failed('Not all of it is taken over.', 'partly_done');
}

/**
 * The server of that name. If one file has several, the one for the current project counts; outside
 * of projects, the one for all.
 * @throws CliError
 */
function serverNamed(servers: readonly OtherServer[], name: string, cwd: string | null): OtherServer {
  const all = servers.filter(one => one.name === name);
  const here = [cwd, null].map(folder => all.filter(({ entry }) => projectOf(entry) === folder));
  const [server, ...more] = all.length > 1 && isOneFile(all) ? (here.find(one => one.length > 0) ?? all) : all;
  const there = servers.map(one => quoted(one.name)).join(', ');
  if (server === undefined)
    throw failed(
      `No server ${name} reaches a database there${there === '' ? '.' : `; there are ${there}.`}`,
      'unknown_server',
    );
  if (more.length > 0 && isOneFile(all)) {
    const projects = all.map(({ entry }) => projectOf(entry)).join(', ');
    throw failed(`Several projects have a server ${name} in ${server.path}; do it in the folder of one: ${projects}.`);
  }
  if (more.length > 0)
    throw failed(
      `Several files have a server ${name}; say which by --file: ${[server, ...more].map(one => one.path).join(', ')}.`,
      'several_servers',
    );
  const why = whyNot(server);
  if (why !== null) throw failed(`${name} can't be taken over. ${why}`);
  return server;
}

function isOneFile(servers: readonly OtherServer[]): boolean {
  return new Set(servers.map(({ path }) => path)).size === 1;
}

/** The names of what is saved for it. @throws CliError if one of its databases doesn't answer. */
async function connectionsOf(terminal: Terminal, { reaches }: OtherServer): Promise<readonly object[]> {
  const connections: object[] = [];
  for (const reach of reaches) {
    if (reach.kind !== 'database') continue;
    const { connection, isNew } = await savedFor(terminal, reach.candidate);
    connections.push({ connection, isNew, ...reachForScripts(reach) });
  }
  return connections;
}

async function savedFor(terminal: Terminal, candidate: Candidate): Promise<{ connection: string; isNew: boolean }> {
  const there = await savedAt(terminal, candidate);
  const known = there === null ? null : await askDaemon(terminal, 'connections.test', { connection: there.name });
  if (there !== null && known?.reachable) {
    remark(terminal, `It is saved already, as ${shownText(there.name)}.`);
    return { connection: there.name, isNew: false };
  }
  if (known !== null && !known.reachable)
    throw failed(`${there?.name} is saved, and can't be reached: ${known.problem} Nothing was taken out.`);
  const params = paramsOf(candidate.connection, candidate.connection.password);
  const { name } = await askDaemon(terminal, 'connections.save', {
    name: await freeName(terminal, candidate.name),
    ...params,
  });
  const tested = await askDaemon(terminal, 'connections.test', { connection: name });
  if (tested.reachable) {
    remark(terminal, `${shownText(name)} is saved. It answers: ${tested.serverVersion}.`);
    return { connection: name, isNew: true };
  }
  await askDaemon(terminal, 'connections.delete', { connection: name });
  throw failed(`${name} can't be reached: ${tested.problem} Nothing was taken out.`, 'not_reached');
}
