/** Guesses which known word an unknown one meant. */

import { distanceFrom } from './edit-distance.ts';

/** @returns null if none is near. */
export function nearestWord(words: readonly string[], typed: string): string | null {
  const lengthsApart = (word: string): number => Math.abs(word.length - typed.length);
  const distance = distanceFrom(typed.slice(0, 64).toLowerCase());
  const [best] = words
    .map(word => ({ word, far: word.startsWith(typed) && typed.length > 1 ? 0 : distance(word) }))
    .sort((one, other) => one.far - other.far || lengthsApart(one.word) - lengthsApart(other.word));
  return best !== undefined && best.far <= Math.ceil(typed.length / 3) ? best.word : null;
}
