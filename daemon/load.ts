/**
 * Loads `sallyportd`. If the system doesn't allow its files to be opened, none of them could say
 * so; this one does.
 */

import '../shared/debugger-shut.ts';

import { areDescriptorsUsedUp, tooFewDescriptors } from '../shared/spare-descriptors.ts';

void load();

async function load(): Promise<void> {
  try {
    const { main } = await import('./main.ts');
    await main();
  } catch (error) {
    if (!areDescriptorsUsedUp(error)) throw error;
    process.stderr.write(`sallyportd could not start: ${tooFewDescriptors}\n`);
    process.exitCode = 1;
  }
}
