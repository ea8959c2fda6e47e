/** `sallyport connect http`: the address, and a token of its own where one is asked for. Making one widens: the daemon judges it. */

import { httpConfigs, tokenWords } from '../../shared/client-configs.ts';
import { connectionsOf, expiryOf } from '../commands/tokens.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { failed, misuse } from '../ending.ts';
import { say } from '../say.ts';
import { print, printJson, printNotes, remark, type Terminal } from '../terminal.ts';
import { meaningOf, scopeWords, shownTime } from '../words.ts';
import { namesBeside, toldBeside } from './beside.ts';
import { httpDifferences } from './differences.ts';
import type { Writing, Written } from './write-entry.ts';

export const httpOptions = {
  mint: { type: 'boolean', about: 'http: with a new token, which is shown once' },
  typed: { type: 'boolean', about: 'http: write the form with a type' },
  name: { type: 'string', value: 'N', about: "the new token's name (default: HTTP client)" },
  scope: { type: 'string', value: 'S', about: 'read-only (default), read-write or full-access' },
  connections: { type: 'string', value: 'all|A,B', about: 'what it reaches (default: all)' },
  expires: { type: 'string', value: 'DAYS', about: '1, 7, 30 (default), 90 or never' },
} as const;

export interface HttpOptions {
  readonly write?: boolean;
  readonly mint?: boolean;
  readonly typed?: boolean;
  readonly name?: string;
  readonly scope?: string;
  readonly connections?: string;
  readonly expires?: string;
}

const ofToken = ['name', 'scope', 'connections', 'expires'] as const;

/** @throws Ending */
export function refuseHttpOptions(options: HttpOptions): void {
  const [wrong] = (['mint', 'typed', ...ofToken] as const).filter(name => options[name] !== undefined);
  if (wrong !== undefined) throw misuse(`--${wrong} is for \`sallyport connect http\`: the bridge needs no token.`);
}

interface Token {
  readonly id: string | null;
  readonly text: string;
  readonly expiresAt: string | null;
}
const noToken: Token = { id: null, text: tokenWords, expiresAt: null };

export async function connectHttp(
  terminal: Terminal,
  options: HttpOptions,
  file: string | null,
  json: boolean,
): Promise<void> {
  const [without] = ofToken.filter(name => options[name] !== undefined);
  if (!options.mint && without !== undefined) throw misuse(`--${without} goes with --mint.`);
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
    // Before a token is made that nobody would get.
    if (file !== null) refuseWithoutToken(checkEntry(writing(file, noToken)), isMinted, file);
    const token = isMinted ? await minted(client, options) : noToken;
    if (file === null) show(terminal, port, token, json);
    else tell(terminal, await orForgotten(client, token, () => writeEntry(writing(file, token))), port, token, json);
    if (!isConfigured)
      remark(
        terminal,
        `Port ${port} stands in for the configured one, which is taken: it may be another after a restart.`,
      );
  });
}

/** A token that could not be written down is known to nobody, so it must not stay valid. */
export async function orForgotten(client: ControlClient, { id }: Token, write: () => Written): Promise<Written> {
  try {
    return write();
  } catch (error) {
    if (id === null) throw error;
    const left = await client.ask('tokens.delete', { id }).then(
      () => null,
      (problem: unknown) => problem,
    );
    if (left === null) throw error;
    throw failed(`${sentenceOf(error)} ${stillValid(id, sentenceOf(left))}`);
  }
}

function stillValid(id: string, why: string): string {
  return `The new token, which nobody has, is valid all the same, as it could not be deleted (${why.replace(/\.$/, '')}): run \`sallyport tokens delete ${id}\`.`;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws Ending */
async function portOf(client: ControlClient): Promise<{ readonly port: number; readonly isConfigured: boolean }> {
  const { port } = await client.ask('status', {});
  if (port === null) throw failed('The server is switched off; `sallyport settings set enabled true` switches it on.');
  const { value } = await client.ask('settings.get', { key: 'port' });
  return { port, isConfigured: value === port };
}

function refuseWithoutToken(change: Written['change'], isMinted: boolean, file: string): void {
  if (isMinted || change === 'none' || change === 'updated') return;
  throw misuse(`${file} has no entry with a token yet; --mint makes one for it.`);
}

async function minted(client: ControlClient, options: HttpOptions): Promise<Token> {
  const { id, token, expiresAt } = await client.ask('tokens.mint', {
    name: options.name ?? 'HTTP client',
    scope: meaningOf('scope', scopeWords, options.scope ?? 'read-only'),
    connections: connectionsOf(options.connections ?? 'all'),
    expires: expiryOf(options.expires ?? '30'),
    confirmInClient: false,
  });
  return { id, text: token, expiresAt };
}

function show(terminal: Terminal, port: number, token: Token, json: boolean): void {
  const [plain, typed] = httpConfigs(port, token.text);
  if (json) {
    const configs = [plain, typed].map(({ title, format, text, entry }) => ({
      title,
      format,
      text,
      entry: entry.value,
    }));
    printJson(terminal, {
      client: 'http',
      port,
      tokenId: token.id,
      token: token.id === null ? null : token.text,
      expiresAt: token.expiresAt,
      configs,
    });
    return;
  }
  remark(terminal, `HTTP: this goes into the client's own configuration.`);
  if (token.id === null)
    remark(terminal, 'The token is left out; `sallyport connect http --mint` makes one and puts it in.');
  remark(terminal, '');
  print(terminal, plain.text, '');
  remark(terminal, 'Where the client wants a type:');
  remark(terminal, '');
  print(terminal, typed.text);
  if (token.id === null) return;
  remark(terminal, '');
  remark(terminal, `This is the only time the token is shown. ${endOf(token)}`);
}

/** A token that was written into a file is not printed as well. */
function tell(terminal: Terminal, written: Written, port: number, token: Token, json: boolean): void {
  const { change, file, backup } = written;
  if (json) {
    const alsoSets = namesBeside(written.entry ?? {});
    const { id: tokenId, expiresAt } = token;
    printJson(terminal, { client: 'http', port, change, file, backup, tokenId, expiresAt, alsoSets });
    return;
  }
  const did = {
    none: 'is right already; nothing was changed',
    created: 'was made',
    added: 'has it now',
    updated: 'was changed',
  };
  say(terminal, `${file} ${did[change]}: HTTP to port ${port}.`);
  if (backup !== null) say(terminal, `What was there before is kept in ${backup}`);
  if (token.id !== null)
    say(
      terminal,
      `The new token was written there and nowhere else; the file is yours alone (mode 600). ${endOf(token)}`,
    );
  if (change === 'updated' && token.id !== null)
    remark(terminal, 'The token that stood there still works: `sallyport tokens list`, then `tokens revoke ID`.');
  if (change !== 'none') say(terminal, 'Restart the client.');
  const beside = toldBeside(written.entry ?? {});
  if (beside !== null) printNotes(terminal, [beside]);
}

function endOf({ id, expiresAt }: Token): string {
  return `${expiresAt === null ? 'It does not expire' : `It expires ${shownTime(expiresAt)}`}; its id is ${(id ?? '').slice(0, 8)}.`;
}
