/**
 * What the files of connections were when they were looked at last (spec §6, §11): a rule compares
 * them at once, while their file system may never answer.
 */

import { resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { FileIdentity, SamePlacePorts } from '../access/privilege-increases/same-place.ts';
import { inLookTurn } from '../file-turns.ts';
import { fileIdentity } from './file-identity.ts';

export interface SeenFiles {
  /** As it was seen last; by its path alone if it never was. */
  readonly identity: SamePlacePorts['fileIdentity'];
  /**
   * Looks at all of them; the first have the first turns.
   * @returns those that didn't answer within a second.
   */
  look(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

const lookMilliseconds = 1_000;
/** How many files are remembered. Nobody has as many, but each save may name another. */
const mostSeen = 4_096;

export function openSeenFiles(): SeenFiles {
  const seen = new Map<string, FileIdentity>();
  /** One look a path, and one wait for it, however often it is asked for: it may never end. */
  const looking = new Map<string, Promise<boolean>>();

  async function look(path: string): Promise<boolean> {
    try {
      const found = await inLookTurn(() => fileIdentity(path));
      seen.delete(path);
      seen.set(path, found);
      const [oldest] = seen.keys();
      if (seen.size > mostSeen && oldest !== undefined) seen.delete(oldest);
      return true;
    } catch {
      return false;
    } finally {
      looking.delete(path);
    }
  }

  function answered(path: string): Promise<boolean> {
    const late = after(lookMilliseconds, false, { ref: false });
    const answer = looking.get(path) ?? Promise.race([look(path), late]);
    looking.set(path, answer);
    return answer;
  }

  return {
    identity: path => seen.get(path) ?? { realPath: resolve(path), inode: null, isUnseen: true },
    async look(paths) {
      const asked = [...new Set(paths)];
      const answers = await Promise.all(asked.map(answered));
      return new Set(asked.filter((_, at) => !answers[at]));
    },
  };
}
