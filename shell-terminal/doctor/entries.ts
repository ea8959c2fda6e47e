/**
 * Checks whether clients' entries named after Sallyport start its bridge, for this home, and
 * nothing else (spec §16 doctor). Changes none.
 */

import { basename } from 'node:path';
import { stdioConfigs } from '../../shared/client-configs.ts';
import { type ClientFileEnvironment, clientFiles } from '../../shared/client-files.ts';
import { namesBeside, toldBeside } from '../connect/beside.ts';
import { readClientFile } from '../connect/client-file.ts';
import { entryIn } from '../connect/merge.ts';
import { advice, type Check, problem } from './check.ts';

type Entry = Readonly<Record<string, unknown>>;

/** @param home the home being checked. */
export function checkEntries(userHome: string, environment: ClientFileEnvironment, home: string): Check[] {
  const configs = new Map(stdioConfigs('/sallyport-mcp').map(config => [config.client, config]));
  return clientFiles(userHome, environment).flatMap(({ client, title, path }) => {
    const config = configs.get(client);
    const read = readClientFile(path);
    const entry = config === undefined || read.kind !== 'found' ? null : entryIn(read.text, config.entry);
    if (entry === null) return [];
    const remedy = `\`sallyport connect ${client} --write\` fixes it; remove by hand what you did not add`;
    const started = starterOf(entry);
    if (started !== null && !isBridge(started, entry))
      return [
        problem(title, `${path} starts ${started} under the name of Sallyport, but that is not its bridge.`, remedy),
      ];
    const names = namesBeside(entry, home);
    if (names.some(name => name.endsWith('.SALLYPORT_HOME')))
      return [problem(title, `${path} leads to another home than ${home}: SALLYPORT_HOME is set there.`, remedy)];
    const told = toldBeside(entry, home);
    return told === null ? [] : [advice(title, `${path}: ${told}`)];
  });
}

/** Null for an HTTP entry. */
function starterOf(entry: Entry): string | null {
  const started = entry.command ?? entry.cmd;
  const [first] = Array.isArray(started) ? started : [started];
  return typeof first === 'string' ? first : null;
}

/** Of any install: clients.ts tells which one. npx fetches one. */
function isBridge(started: string, { args }: Entry): boolean {
  const isNpx = basename(started) === 'npx' && Array.isArray(args) && args.includes('sallyport');
  return isNpx || basename(started).endsWith('sallyport-mcp');
}
