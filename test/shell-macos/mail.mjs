/**
 * Lets a Swift test that may be in a chroot ask whoever is outside. Its questions are files of a
 * folder, `N.ask.json`. The answers come beside them, `N.answer.json`.
 */

import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const pollMilliseconds = 50;

/** @param outside of outside.mjs. @returns a function that ends it. */
export function answerMail(folder, outside) {
  const answered = new Set();

  async function take(name) {
    const asked = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const answer = await outside[asked.do](asked).catch(error => ({ error: String(error.message) }));
    const place = join(folder, name.replace('.ask.', '.answer.'));
    writeFileSync(`${place}.part`, JSON.stringify(answer));
    renameSync(`${place}.part`, place);
  }

  const polling = setInterval(() => {
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.ask.json') || answered.has(name)) continue;
      answered.add(name);
      void take(name);
    }
  }, pollMilliseconds);
  return () => clearInterval(polling);
}
