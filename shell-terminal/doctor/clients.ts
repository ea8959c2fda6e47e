/**
 * Checks whether AI clients' entries for Sallyport lead to this install (spec §16 doctor). Changes
 * no client's file.
 */

import { accessSync, constants, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type ClientFile, type ClientFileEnvironment, clientFiles } from '../../shared/client-files.ts';
import { npxBridge } from '../../shared/npx.ts';
import { type Check, ok, problem } from './check.ts';
import { textOf } from './client-text.ts';

/**
 * @param bridge the real path of this install's bridge; null if there is none.
 * @param port the port that serves clients; null if unknown.
 */
export function checkClients(
  userHome: string,
  environment: ClientFileEnvironment,
  bridge: string | null,
  port: number | null,
): Check[] {
  const checks = clientFiles(userHome, environment).flatMap(file => checkClient(file, bridge, port));
  return checks.length > 0 ? checks : [ok('clients', 'No file of a known client has an entry for Sallyport.')];
}

function checkClient(file: ClientFile, bridge: string | null, port: number | null): Check[] {
  const text = textOf(file.path);
  if (text === null) return [];
  const bridges = bridgesIn(text).map(path => bridgeCheck(file, path, bridge));
  const ports = portsIn(text).map(used => portCheck(file, used, port));
  const byNpx = npxStarts(text) ? [ok(file.title, `${file.path} has npx start Sallyport.`)] : [];
  return [...bridges, ...byNpx, ...ports];
}

function bridgeCheck({ client, title, path: file }: ClientFile, named: string, bridge: string | null): Check {
  const remedy = `\`sallyport connect ${client} --write\` fixes it`;
  if (!isAbsolute(named))
    return problem(title, `${file} starts ${named}, which a client finds only if its PATH leads there.`, remedy);
  let real: string;
  try {
    accessSync(named, constants.X_OK);
    real = realpathSync(named);
  } catch {
    return problem(title, `${file} starts ${named}, which does not exist or can't be run.`, remedy);
  }
  if (bridge === null || real === realpathSync(bridge)) return ok(title, `${file} starts ${named}.`);
  return problem(title, `${file} starts ${named}, which belongs to another install than ${bridge}.`, remedy);
}

function portCheck({ client, title, path: file }: ClientFile, used: number, port: number | null): Check {
  const says = `${file} speaks HTTP to port ${used}`;
  if (port === null || used === port) return ok(title, `${says}.`);
  return problem(
    title,
    `${says}, but clients are served on ${port}: its token goes to any program that listens on ${used}.`,
    `put ${port} into that file (\`sallyport connect ${client}\`), or free port ${used}`,
  );
}

/** Quoted as in JSON and our YAML, or plain as YAML and the shell allow. */
function bridgesIn(text: string): string[] {
  const quoted = [...text.matchAll(/sallyport-mcp"/g)].flatMap(({ index }) => {
    const whole = text.slice(text.lastIndexOf('"', index), index + 'sallyport-mcp"'.length);
    if (!whole.startsWith('"') || whole.includes('\n')) return [];
    try {
      return [String(JSON.parse(whole))];
    } catch {
      return [whole.slice(1, -1)];
    }
  });
  const plain = text.split('\n').flatMap(line => {
    const path = /^(?:command|cmd):\s(.*)$/.exec(line.trim())?.[1]?.trim() ?? '';
    return path.endsWith('sallyport-mcp') && !/^["']/.test(path) ? [path] : [];
  });
  return [...new Set([...quoted, ...plain])];
}

/** As `sallyport connect` writes it if npx runs it. */
function npxStarts(text: string): boolean {
  return text.replace(/\s/g, '').includes(npxBridge.args.map(word => `"${word}"`).join(','));
}

/** Only from an entry named after Sallyport: this machine may have others too. */
function portsIn(text: string): number[] {
  const entries = [...text.matchAll(/"?sallyport"?\s*:\s*\{([^{}]*)/g)];
  const ports = entries.flatMap(([, entry = '']) => {
    const port = /"url"\s*:\s*"http:\/\/(?:127\.0\.0\.1|localhost):(\d{1,5})\/mcp"/.exec(entry)?.[1];
    return port === undefined ? [] : [Number(port)];
  });
  return [...new Set(ports)];
}
