/** Words who sent a request, for the activity log (spec §14). */

import { originWords } from '../access/privilege-increases/origin.ts';
import type { CommandContext } from './command.ts';

export async function askerWords({
  origin,
  shell,
  isApp,
}: Pick<CommandContext, 'origin' | 'shell' | 'isApp'>): Promise<string> {
  return originWords(await origin(), isApp() ? 'Sallyport.app' : shell());
}
