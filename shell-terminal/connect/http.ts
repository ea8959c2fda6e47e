/**
 * `sallyport connect http`: the address, and a token for it if asked. Minting one is a privilege
 * increase, which the daemon judges.
 */

import { httpConfigs } from '../../shared/client-configs.ts';
import { failed, misuse } from '../cli-error.ts';
import { grantOptions } from '../commands/tokens.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { remark, type Terminal } from '../terminal.ts';
import { httpDifferences } from './differences.ts';
import { mintToken, noToken, orForgotten, type Token, type TokenOptions } from './http-token.ts';
import { showHttp, tellHttp } from './http-told.ts';
import type { Writing, WrittenEntry } from './write-entry.ts';

export const httpOptions = {
  mint: { type: 'boolean', about: 'http: create a token, and show it once' },
  typed: { type: 'boolean', about: 'http: add the type that some clients want' },
  name: { type: 'string', value: 'N', about: "the new token's name (default: HTTP client)" },
  ...grantOptions,
} as const;

export interface HttpOptions extends TokenOptions {
  readonly write?: boolean;
  readonly mint?: boolean;
  readonly typed?: boolean;
}

const ofToken = ['name', 'scope', 'connections', 'expires'] as const;

/** @throws CliError */
export function refuseHttpOptions(options: HttpOptions): void {
  const [wrong] = (['mint', 'typed', ...ofToken] as const).filter(name => options[name] !== undefined);
  if (wrong !== undefined) throw misuse(`--${wrong} is for \`sallyport connect http\`: the bridge needs no token.`);
}

export async function connectHttp(
  terminal: Terminal,
  options: HttpOptions,
  file: string | null,
  json: boolean,
): Promise<void> {
  const [without] = ofToken.filter(name => options[name] !== undefined);
  if (!options.mint && without !== undefined) throw misuse(`--${without} needs --mint.`);
  if (options.write && file === null) throw misuse("--write needs --file FILE here: the client's own configuration.");
  const isMinted = options.mint === true;
  const { checkEntry, writeEntry } = await import('./write-entry.ts');
  await withDaemon(terminal, async client => {
    const { port, isConfigured } = await portOf(client);
    const writing = (path: string, { text }: Token): Writing => ({
      path,
      entry: httpConfigs(port, text)[options.typed ? 1 : 0].entry,
      differences: httpDifferences(isMinted),
      isSecret: true,
    });
    // Checked before a token is made that nobody would get.
    if (file !== null) refuseWithoutToken(checkEntry(writing(file, noToken)), isMinted, file);
    const token = isMinted ? await mintToken(client, options) : noToken;
    if (file === null) showHttp(terminal, port, token, json);
    else
      tellHttp(terminal, await orForgotten(client, token, () => writeEntry(writing(file, token))), port, token, json);
    tellPort(terminal, { port, isConfigured });
  });
}

interface Port {
  readonly port: number;
  readonly isConfigured: boolean;
}

export function tellPort(terminal: Terminal, { port, isConfigured }: Port): void {
  if (isConfigured) return;
  remark(terminal, `Port ${port} is used because another program has the configured one; a restart may change it.`);
}

/** @throws CliError where nobody is served. */
export async function portOf(client: ControlClient): Promise<Port> {
  const { port } = await client.ask('status', {});
  if (port === null)
    throw failed('The server is switched off; `sallyport settings set enabled true` switches it on.', 'server_off');
  const { value } = await client.ask('settings.get', { key: 'port' });
  return { port, isConfigured: value === port };
}

function refuseWithoutToken(change: WrittenEntry['change'], isMinted: boolean, file: string): void {
  if (isMinted || change === 'none' || change === 'updated') return;
  throw misuse(`${file} has no entry with a token yet; --mint makes one for it.`);
}
