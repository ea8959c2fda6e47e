/** Words for what reaches a database past Sallyport: what, by what, where. Never a password. */

import { serverName, shellWord } from '../../shared/client-configs.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { tunnelText } from '../../shared/ssh-hop.ts';
import { placeOf } from '../setup/candidate.ts';
import { type OtherServer, projectOf } from './entries.ts';
import type { Reach } from './reaches.ts';

/** A sentence, still to be escaped. @param userHome is written as `~`. */
export function toldOf(server: OtherServer, userHome: string): string {
  const { title, by, name, path, isOff, holdsPassword, secretFiles } = server;
  const project = projectOf(server.entry);
  const whose = project === null ? '' : ` of ${quoted(project.replace(userHome, '~'))}`;
  const here = holdsPassword ? ', where a password or a key is readable' : '';
  const files = secretFiles.map(file => quoted(file.replace(userHome, '~'))).join(' and ');
  const there = files === '' ? '' : `${holdsPassword ? ', as in' : '; a password or a key is readable in'} ${files}`;
  const where = `${quoted(name)}${whose} in ${path.replace(userHome, '~')}${isOff ? ', switched off' : ''}${here}${there}`;
  return `${title} ${isOff ? 'would reach' : 'reaches'} ${reachesTold(server.reaches)} by ${quoted(by)}, past Sallyport (${where}).`;
}

/** `shop on db.example and the Supabase project abcd`. */
function reachesTold(reaches: readonly Reach[]): string {
  return [...new Set(reaches.map(reachTold))].join(' and ');
}

/** A name is a stranger's text: only a plain word stands bare. */
export function quoted(name: string): string {
  return /^[\p{L}\p{N}@~/][\p{L}\p{N}_.:@/~-]{0,255}$/u.test(name) ? name : JSON.stringify(name);
}

function reachTold(reach: Reach): string {
  switch (reach.kind) {
    case 'database': {
      const { endpoint, tunnel } = reach.candidate.connection;
      const { engine, host, database, filePath } = endpoint;
      if (filePath !== null) return quoted(filePath);
      const what = database === null ? `a ${connectionsOf[engine].name} server` : quoted(database);
      const way = tunnel === undefined ? '' : ` through ${tunnelText(tunnel)}`;
      return `${what} on ${host === null ? 'a socket of this machine' : quoted(host)}${way}`;
    }
    case 'cloud':
      return reach.project === null ? `${reach.cloud}'s cloud` : `the ${reach.cloud} project ${quoted(reach.project)}`;
    case 'remote':
      return reach.cloud === null ? 'a database, perhaps,' : `${reach.cloud}'s cloud`;
    case 'unsupported':
      return `a ${reach.database} database`;
    case 'unseen':
      return 'a database that can’t be seen from here';
  }
}

/** Why Sallyport can't take it over, as a sentence; null if it can. */
export function whyNot({ name, reaches }: Pick<OtherServer, 'name' | 'reaches'>): string | null {
  if (name === serverName) return 'It has the name of Sallyport’s own entry: take it out by hand.';
  const [other] = reaches.filter(({ kind }) => kind !== 'database');
  switch (other?.kind) {
    case undefined:
    case 'database':
      return null;
    case 'cloud':
      return `It speaks ${other.cloud}'s own interface. Save the database itself: \`sallyport connections add URL\`.`;
    case 'remote':
      return 'It runs elsewhere, so its password is not here. Save the database itself: `sallyport connections add URL`.';
    case 'unsupported':
      return `Sallyport doesn't support ${other.database}.`;
    case 'unseen':
      return `${other.why ?? 'Its entry names no database.'} Save the database itself: \`sallyport connections add URL\`.`;
  }
}

/** A sentence with what to do, still to be escaped. */
export function adviceOn(server: OtherServer, userHome: string): string {
  const todo =
    whyNot(server) ?? `\`sallyport connect ${server.client} --take ${shellWord(server.name)}\` takes it over.`;
  return `${toldOf(server, userHome)} ${todo}`;
}

/** A sentence, still to be escaped. */
export function commentTold(path: string): string {
  return `${path} has a database's password in a comment, or in a part that can't be read; take it out by hand.`;
}

export function serverForScripts(server: OtherServer): object {
  const { client, title, name, by, path: file, reaches, isOff, holdsPassword, secretFiles } = server;
  return {
    client,
    title,
    name,
    by,
    file,
    reaches: reaches.map(reachForScripts),
    isOff,
    holdsPassword,
    secretFiles,
    refused: whyNot(server),
  };
}

/** `{ kind, place }` for scripts. */
export function reachForScripts(reach: Reach): object {
  if (reach.kind !== 'database') return reach;
  const { endpoint } = reach.candidate.connection;
  const { tunnel } = reach.candidate.connection;
  return {
    kind: reach.kind,
    engine: endpoint.engine,
    place: placeOf(endpoint),
    ...(tunnel !== undefined && { tunnel: tunnelText(tunnel) }),
  };
}
