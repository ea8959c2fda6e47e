/**
 * The policy file that was applied last (spec §6): remembered by path and digest, and looked at
 * again when `status` is asked. Never reads what it says.
 */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import * as z from 'zod';
import { parsedJson } from '../../shared/json.ts';
import { inLookTurn } from '../file-turns.ts';
import { keepValue, keptValue } from './store/kept-values.ts';
import type { Store } from './store/store.ts';

const shape = z.object({
  path: z.string().startsWith('/').max(4_096),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.string(),
});
export type AppliedPolicy = Readonly<z.infer<typeof shape>>;

export interface PolicyFile {
  applied(): AppliedPolicy | null;
  remember(applied: AppliedPolicy): Promise<void>;
  /** False too if it is gone, can't be read, or its file system doesn't answer within a second. */
  hasChanged(): Promise<boolean>;
}

/** No setting has this name. */
const appliedKey = 'policy-file';
const lookMilliseconds = 1_000;
/** A larger one is never applied. */
const mostBytes = 1_048_576;

export async function openPolicyFile(store: Pick<Store, 'knex' | 'write'>): Promise<PolicyFile> {
  let applied = shape.safeParse(parsedJson((await keptValue(store, 'settings', appliedKey)) ?? '')).data ?? null;
  return {
    applied: () => applied,
    async remember(next) {
      await keepValue(store, 'settings', appliedKey, JSON.stringify(next));
      applied = next;
    },
    async hasChanged() {
      if (applied === null) return false;
      const { path, digest } = applied;
      const looked = inLookTurn(() => isOther(path, digest)).catch(() => false);
      return Promise.race([looked, after(lookMilliseconds, false, { ref: false })]);
    },
  };
}

async function isOther(path: string, digest: string): Promise<boolean> {
  let file: FileHandle;
  try {
    // O_NONBLOCK: a FIFO here must not keep a thread.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // A link stands where the file was.
    return (error as NodeJS.ErrnoException).code === 'ELOOP';
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > mostBytes) return true;
    return (
      createHash('sha256')
        .update(await file.readFile())
        .digest('hex') !== digest
    );
  } finally {
    await file.close();
  }
}
