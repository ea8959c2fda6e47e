/**
 * Takes file descriptors that nobody needs: to see whether so many are left, or to have them to
 * give up.
 */

import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { isNativeError } from 'node:util/types';

/** @returns gives them back; null where fewer are left. */
export function takeSpareDescriptors(count: number): (() => void) | null {
  const taken: number[] = [];
  const giveBack = (): void => {
    for (const descriptor of taken.splice(0)) closeSync(descriptor);
  };
  try {
    while (taken.length < count) taken.push(openSync(devNull, 'r'));
    return giveBack;
  } catch (error) {
    giveBack();
    if (areDescriptorsUsedUp(error)) return null;
    throw error;
  }
}

/** To this process (EMFILE) or to the whole system (ENFILE). */
export function areDescriptorsUsedUp(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

export const tooFewDescriptors =
  'there are too few file descriptors (`ulimit -n`); allow 64 or more, then start Sallyport again.';
