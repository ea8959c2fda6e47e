/** Which of a client's files Sallyport writes. Changes nothing. */

import { existsSync } from 'node:fs';
import { clientFiles } from '../../shared/client-files.ts';
import { misuse } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

/** The client's existing file, or the one its newest version makes. @throws CliError */
export function usualFile(
  { userHome, environment }: Pick<Terminal, 'userHome' | 'environment'>,
  client: string,
): string {
  const files = clientFiles(userHome, environment).filter(file => file.client === client);
  const [file] = [...files.filter(({ path }) => existsSync(path)), ...files];
  if (file === undefined) throw misuse(`Which file ${client} reads is unknown; name it with --file.`);
  return file.path;
}
