/**
 * Writes the licences of the packages that are in our programs beside these: each demands that its
 * text goes along. Usage, from the project's folder, once the programs are bundled: node
 * notices.mjs
 */

import { writeFileSync } from 'node:fs';
import { bundledPackages } from './bundled.mjs';

const notices = bundledPackages('.').map(
  ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`,
);
const head = 'The programs of Sallyport hold code of these packages, each under its own licence.\n';
writeFileSync('build/bundle/THIRD-PARTY-NOTICES.txt', [head, ...notices].join(`\n${'-'.repeat(80)}\n\n`));
