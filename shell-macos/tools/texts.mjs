/**
 * Prints the daemon's texts that the app has in its languages, as JSON: each with the file that
 * declares it. They are read from the modules themselves, and, where a text is made where it is
 * used (`say`, `fact`), from the syntax tree.
 */

import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { defaultSettings, settingKeys } from '../../daemon/access/settings/settings.ts';
import { formSections } from '../../daemon/shells/commands/connection-form-sections.ts';
import { viewOfSetting } from '../../daemon/shells/setting-view.ts';
import { nodesOf, parsedOf } from '../../test/patterns/syntax.mjs';

const daemon = new URL('../../daemon/', import.meta.url).pathname;
const ofFields = ['connection-fields', 'shapes', 'connection-change'].map(name => `shells/commands/${name}.ts`);

const sentence = clause => `${clause.charAt(0).toUpperCase()}${clause.slice(1).replace(/\.$/, '')}.`;

/** @returns what a node declares as a code (daemon/guard/reason.ts), or as a fact's label. */
function textOf({ type, tag, template, callee, arguments: given }) {
  if (type === 'TaggedTemplateExpression' && ['say', 'advise'].includes(tag.value))
    return template.quasis.map(({ cooked }) => cooked).join('%@');
  const isLabel = type === 'CallExpression' && ['fact', 'linesFact', 'ours', 'claim'].includes(callee.value);
  const label = isLabel ? given[0].expression : null;
  return label?.type === 'StringLiteral' ? label.value : null;
}

const literalOf = node => (node?.type === 'StringLiteral' ? node.value : undefined);

/** @returns why a shell's request is refused, where no value stands in the sentence. */
function refusalsOf(nodes, named) {
  const calls = nodes.filter(
    ({ type, callee }) => type === 'CallExpression' && ['refused', 'invalid'].includes(callee.value),
  );
  return calls.flatMap(call => {
    const { expression } = call.arguments[1] ?? {};
    return literalOf(expression) ?? (expression?.type === 'Identifier' ? named.get(expression.value) : undefined) ?? [];
  });
}

const texts = {};
for (const key of settingKeys) {
  const { group, label, about } = viewOfSetting(key, defaultSettings);
  // The server's switch is shown elsewhere, without a sentence.
  if (key !== 'enabled') for (const text of [group, label, sentence(about)]) texts[text] = 'settings.ts';
}
const saved = { colour: null, password: { kind: 'stored' }, externalClients: { level: 'readWrite' } };
for (const { title, fields } of [null, saved].flatMap(formSections))
  for (const { label, prompt, note, choices } of fields) {
    // A word of every shell stays as it is.
    const ofChoices = choices.filter(each => each.label !== each.value).map(each => each.label);
    for (const text of [title, label, prompt, note, ...ofChoices])
      if (text) texts[text] = 'connection-form-sections.ts';
  }
for (const file of globSync('**/*.ts', { cwd: daemon }).sort()) {
  const source = readFileSync(`${daemon}${file}`, 'utf8');
  const isOfFields = ofFields.includes(file);
  if (!isOfFields && !/\b(?:say|advise)`|act\(|claim\(/.test(source)) continue;
  for (const node of nodesOf(parsedOf(source))) {
    const text = textOf(node);
    if (text !== null) texts[text] = basename(file);
    // A clause about a field of a form, which the app shows as a sentence.
    else if (isOfFields && node.type === 'StringLiteral' && /[a-z] [a-z]/.test(node.value))
      texts[sentence(node.value)] = basename(file);
  }
}
const shells = globSync('shells/**/*.ts', { cwd: daemon })
  .sort()
  .map(file => ({ file, nodes: [...nodesOf(parsedOf(readFileSync(`${daemon}${file}`, 'utf8')))] }));
const constants = nodes =>
  nodes.flatMap(({ type, id, init }) =>
    type === 'VariableDeclarator' && literalOf(init) !== undefined ? [[id.value, init.value]] : [],
  );
const shared = shells.find(({ file }) => file.endsWith('desk-shapes.ts'));
for (const { file, nodes } of shells)
  for (const text of refusalsOf(nodes, new Map([...constants(shared.nodes), ...constants(nodes)])))
    texts[text] = basename(file);
process.stdout.write(JSON.stringify(texts));
