/** A box as a person names it: no other has its name. */

import type { BoxView } from '../../shared/control-commands.ts';
import { failed } from '../cli-error.ts';
import { askDaemon } from '../daemon.ts';
import type { Terminal } from '../terminal.ts';

/** @throws CliError */
export async function boxNamed(terminal: Terminal, name: string): Promise<BoxView> {
  const { boxes } = await askDaemon(terminal, 'boxes.list', {});
  const found = boxes.find(box => box.name === name);
  if (found !== undefined) return found;
  throw failed(`There is no box ${JSON.stringify(name)}; \`sallyport boxes list\` shows all boxes.`, 'unknown_box', {
    box: name,
  });
}
