/**
 * The output of `sallyport connect http`: the entry to copy, or the change of the client's file.
 * Writes no file.
 */

import { httpConfigs } from '../../shared/client-configs.ts';
import { print, printJson, printNotes, remark, say, type Terminal } from '../terminal.ts';
import { shownTime } from '../words.ts';
import { namesBeside, toldBeside } from './beside.ts';
import type { Token } from './http-token.ts';
import type { WrittenEntry } from './write-entry.ts';

export function showHttp(terminal: Terminal, port: number, token: Token, json: boolean): void {
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
  remark(terminal, `HTTP: add this to the client's own configuration.`);
  if (token.id === null)
    remark(terminal, 'The token is missing; `sallyport connect http --mint` creates one and fills it in.');
  remark(terminal, '');
  print(terminal, plain.text, '');
  remark(terminal, 'If the client wants a type:');
  remark(terminal, '');
  print(terminal, typed.text);
  if (token.id === null) return;
  remark(terminal, '');
  remark(terminal, `This is the only time the token is shown. ${endOf(token)}`);
}

/** A token that was written into a file isn't printed too. */
export function tellHttp(terminal: Terminal, written: WrittenEntry, port: number, token: Token, json: boolean): void {
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
  if (backup !== null) say(terminal, `The old file is kept as ${backup}`);
  if (token.id !== null)
    say(
      terminal,
      `The new token was written there and nowhere else; the file is yours alone (mode 600). ${endOf(token)}`,
    );
  if (change === 'updated' && token.id !== null)
    remark(terminal, 'The old token still works; end it with `sallyport tokens revoke ID` (`sallyport tokens list`).');
  if (change !== 'none') say(terminal, 'Restart the client.');
  const beside = toldBeside(written.entry ?? {});
  if (beside !== null) printNotes(terminal, [beside]);
}

function endOf({ id, expiresAt }: Token): string {
  return `${expiresAt === null ? 'It does not expire' : `It expires ${shownTime(expiresAt)}`}; its id is ${(id ?? '').slice(0, 8)}.`;
}
