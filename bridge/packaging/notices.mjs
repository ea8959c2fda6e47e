/**
 * Writes the licences of the bundled packages beside our programs, as each licence demands. Usage,
 * from the project's folder, once the programs are bundled: node notices.mjs FILE FOLDER…, the
 * folders with the programs' source maps.
 */

import { writeFileSync } from 'node:fs';
import { bundledPackages } from './bundled.mjs';

const [, , file, ...built] = process.argv;
const notices = bundledPackages('.', ...built).map(
  ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`,
);
const head = 'The programs of Sallyport hold code of these packages, each under its own licence.\n';
writeFileSync(file, [head, ...notices].join(`\n${'-'.repeat(80)}\n\n`));
