/** Words who sent a request, for the activity log (spec §14). */

import { originWords } from '../access/privilege-increases/origin-words.ts';
import type { CommandContext } from './command.ts';

export async function requesterWords({
  origin,
  shell,
  isApp,
}: Pick<CommandContext, 'origin' | 'shell' | 'isApp'>): Promise<string> {
  return originWords(await origin(), isApp() ? 'Sallyport.app' : shell());
}
