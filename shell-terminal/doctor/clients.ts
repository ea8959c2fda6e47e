/**
 * Checks whether AI clients' entries named after Sallyport start this install's bridge, for this
 * home and port, and nothing else (spec §16 doctor). Changes no client's file.
 */

import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { stdioConfigs } from '../../shared/client-configs.ts';
import { type ClientFile, clientFiles, projectFile } from '../../shared/client-files.ts';
import { areNpxBridge, npxPackage } from '../../shared/npx.ts';
import { namesBeside, toldBeside } from '../connect/beside.ts';
import { notLoadedHere } from '../connect/loaded-here.ts';
import { entryIn } from '../connect/merge.ts';
import type { Looking } from '../past/entries.ts';
import { advice, type Check, ok, problem } from './check.ts';
import { textOf } from './client-text.ts';

interface Here {
  readonly home: string;
  /** The real path of this install's bridge; null if there is none. */
  readonly bridge: string | null;
  /** Where clients are served; null if unknown. */
  readonly port: number | null;
}

type Entry = Readonly<Record<string, unknown>>;

export function checkClients(looking: Looking, here: Here): Check[] {
  const { userHome, environment } = looking;
  const configs = new Map(stdioConfigs('/sallyport-mcp').map(config => [config.client, config]));
  const checks = clientFiles(userHome, environment).flatMap(file => {
    const [config, text] = [configs.get(file.client), textOf(file.path)];
    const entry = config === undefined || text === null ? null : entryIn(text.replace(/^\uFEFF/, ''), config.entry);
    return entry === null
      ? []
      : [
          ...startCheck(file, entry, here),
          ...portCheck(file, entry, here),
          ...besideCheck(file, entry, here),
          ...notLoadedHere(file.client, false, looking).map(says => advice(file.title, says)),
        ];
  });
  const told = new Set(checks.map(({ says }) => says));
  checks.push(...notLoadedInProject(looking).filter(({ says }) => !told.has(says)));
  return checks.length > 0 ? checks : [ok('clients', 'No file of a known client has an entry for Sallyport.')];
}

/** The entries in this project's files, which some clients start only after a yes. */
function notLoadedInProject(looking: Looking): Check[] {
  const { cwd, userHome } = looking;
  if (cwd === null || cwd === userHome) return [];
  return stdioConfigs('/sallyport-mcp').flatMap(({ client, title, entry }) => {
    const name = projectFile(client);
    const text = name === null ? null : textOf(join(cwd, name));
    if (text === null || entryIn(text.replace(/^\uFEFF/, ''), entry) === null) return [];
    return notLoadedHere(client, true, looking).map(says => advice(title, says));
  });
}

function startCheck({ client, title, path: file }: ClientFile, entry: Entry, { bridge }: Here): Check[] {
  const started = entry.command ?? entry.cmd;
  const [named, ...words] = [started, entry.args].flat();
  if (typeof named !== 'string') return [];
  const remedy = `\`sallyport connect ${client} --write\` fixes it`;
  const wrong = (says: string) => [problem(title, `${file} starts ${named}${says}.`, remedy)];
  if (basename(named) === 'npx' && areNpxBridge(words)) {
    // Anybody's package may have the name.
    if (bridge !== null && words[2] !== npxPackage(bridge))
      return wrong(` with ${words[2]}, which is another package than ${bridge} is from`);
    return [ok(title, `${file} has npx start Sallyport.`)];
  }
  if (!basename(named).endsWith('sallyport-mcp'))
    return wrong(' under the name of Sallyport, but that is not its bridge');
  if (!isAbsolute(named)) return wrong(', which a client finds only if its PATH leads there');
  let real: string;
  try {
    accessSync(named, constants.X_OK);
    real = realpathSync(named);
  } catch {
    return wrong(", which does not exist or can't be run");
  }
  if (bridge !== null && real !== realpathSync(bridge))
    return wrong(`, which belongs to another install than ${bridge}`);
  return [ok(title, `${file} starts ${named}.`)];
}

function portCheck({ client, title, path: file }: ClientFile, entry: Entry, { port }: Here): Check[] {
  const url = String(entry.url ?? entry.serverUrl ?? entry.httpUrl);
  const used = Number(/^http:\/\/(?:127\.0\.0\.1|localhost):(\d{1,5})\/mcp$/.exec(url)?.[1]);
  if (Number.isNaN(used)) return [];
  const says = `${file} speaks HTTP to port ${used}`;
  if (port === null || used === port) return [ok(title, `${says}.`)];
  return [
    problem(
      title,
      `${says}, but clients are served on ${port}: its token goes to any program that listens on ${used}.`,
      `put ${port} into that file (\`sallyport connect ${client}\`), or free port ${used}`,
    ),
  ];
}

function besideCheck({ client, title, path: file }: ClientFile, entry: Entry, { home }: Here): Check[] {
  const remedy = `\`sallyport connect ${client} --write\` fixes it; remove by hand what you did not add`;
  if (namesBeside(entry, home).some(name => name.endsWith('.SALLYPORT_HOME')))
    return [problem(title, `${file} leads to another home than ${home}: SALLYPORT_HOME is set there.`, remedy)];
  const told = toldBeside(entry, home);
  return told === null ? [] : [advice(title, `${file}: ${told}`)];
}
