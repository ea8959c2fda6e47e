/**
 * How the demo prints: headings, questions and small tables on standard output; colour only on a
 * terminal.
 */

import { textWidth } from '../../build/shell-terminal/table.js';
import { widthOf, wrapped } from '../../build/shell-terminal/terminal.js';

const colourful = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colourful ? `\u001b[${code}m${text}\u001b[0m` : text);
const line = text => void process.stdout.write(`${text}\n`);
/** Broken between words; the first one stays with its paint. */
const told = (code, mark, text, indent = '  ') => {
  const [first, ...more] = wrapped(`${mark}${text}`, widthOf(process.stdout), indent);
  line(paint(code, first.slice(0, mark.length)) + first.slice(mark.length));
  for (const each of more) line(each);
};

export const say = {
  heading: text => line(`\n${paint('1', text)}`),
  next: text => told('1', '\nNext: ', text, ''),
  command: text => line(`\n${paint('36', `$ ${text}`)}`),
  question: (tool, args) => {
    line('');
    told('36', `→ ${tool}`, ` ${asWords(args)}`.trimEnd());
  },
  refusal: text => told('33', '← refused', `  ${text}`),
  remark: text => {
    const width = widthOf(process.stdout);
    for (const each of wrapped(text, width && width - 2, '')) line(paint('32', `  ${each}`));
  },
  failure: error => void process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`),
};

const widestCell = 32;

export function sayTable(names, rows) {
  const cells = [names, ...rows].map(row => row.map(shortened));
  const widths = names.map((_, column) => Math.max(...cells.map(row => textWidth(row[column]))));
  cells.forEach((row, index) => {
    const text = row
      .map((cell, column) => cell + ' '.repeat(widths[column] - textWidth(cell)))
      .join('  ')
      .trimEnd();
    line(`  ${index === 0 ? paint('2', text) : text}`);
  });
}

function shortened(cell) {
  const characters = [...(cell === null ? 'NULL' : String(cell))];
  return characters.length > widestCell ? `${characters.slice(0, widestCell - 1).join('')}…` : characters.join('');
}

function asWords(args) {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ');
}
