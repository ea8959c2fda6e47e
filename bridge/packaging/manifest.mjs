// Writes manifest.json into a folder with our built programs, beside those in INTO: the SHA-256 of
// each. `sallyport doctor` compares it to find changed programs.
// Usage: node manifest.mjs FOLDER INTO
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , root, into] = process.argv;
const names = ['bin', 'bundle', 'npm'].flatMap(folder =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map(name => `${folder}/${name}`) : [],
);
const files = names
  .filter(name => !name.endsWith('.map') && name !== `${into}/manifest.json`)
  .sort()
  .map(name => [
    name,
    createHash('sha256')
      .update(readFileSync(join(root, name)))
      .digest('hex'),
  ]);
writeFileSync(join(root, into, 'manifest.json'), `${JSON.stringify(Object.fromEntries(files), null, 1)}\n`);
