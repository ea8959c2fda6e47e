/** Opens spare file descriptors: to check that so many are left, or to hold them in reserve. */

import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { isNativeError } from 'node:util/types';

/** @returns a function that closes them; null if fewer are left. */
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

/** For this process (EMFILE) or the whole system (ENFILE). */
export function areDescriptorsUsedUp(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

export const tooFewDescriptors =
  'there are too few file descriptors (`ulimit -n`); allow 64 or more, then start Sallyport again.';
