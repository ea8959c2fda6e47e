/**
 * Compares shared/sallyport.schema.json, by which editors check a policy file, with the shape by
 * which the daemon does (daemon/shells/policy/file.ts). `--write` writes it anew. A folder argument
 * names another tree.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { policyFile } from '../../daemon/shells/policy/file.ts';

const writes = process.argv.includes('--write');
const elsewhere = process.argv.slice(2).find(word => word !== '--write');
const root = elsewhere === undefined ? new URL('../../', import.meta.url) : pathToFileURL(`${elsewhere}/`);
const file = new URL('shared/sallyport.schema.json', root);

const { $schema, ...shape } = z.toJSONSchema(policyFile, { io: 'input', target: 'draft-7' });
const title = 'A policy file of Sallyport: `sallyport policy apply sallyport.yaml`';
const next = `${JSON.stringify({ $schema, title, ...shape }, null, 2)}\n`;
if (writes) writeFileSync(file, next);
else if (readFileSync(file, 'utf8') !== next) {
  process.stderr.write(
    'shared/sallyport.schema.json says other than daemon/shells/policy/file.ts; run `node test/policy/check.mjs --write`.\n',
  );
  process.exit(1);
}
process.stdout.write('schema   of policy files, as the daemon checks them\n');
