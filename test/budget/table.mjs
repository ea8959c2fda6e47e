/**
 * Reads and writes the table of mechanisms. A block has its name with its numbers, its sentence, and
 * its patterns (Node's `globSync`), indented. Touches no file.
 */

const headline = /^(.+?) {2,}([\d,]+) code {2,}([\d,]+) tests$/;
const widestName = 48;
const numberAt = lines => lines.toLocaleString('en').padStart(6);

/**
 * @param text the table. A new block's name may stand without numbers; they are 0 until written.
 * @param report is told each fault in a sentence.
 */
export function readTable(text, report) {
  const [head, ...blocks] = text.trimEnd().split(/\n{2,}/);
  const mechanisms = blocks.map(block => {
    const lines = block.split('\n');
    const [, name, code, tests] = headline.exec(lines[0]) ?? [undefined, lines[0].trim(), '0', '0'];
    const sentence = lines.slice(1).filter(line => !line.startsWith(' '));
    const patterns = lines.filter(line => line.startsWith(' ')).map(line => line.trim());
    if (!/^[A-Z“`].+\.$/s.test(sentence.join('\n')))
      report(`${name} needs a sentence: what would a user miss without it?`);
    if (patterns.length === 0) report(`${name} names no file.`);
    const numberOf = digits => Number(digits.replaceAll(',', ''));
    return { name, sentence, patterns, code: numberOf(code), tests: numberOf(tests) };
  });
  const names = mechanisms.map(({ name }) => name);
  for (const name of new Set(names.filter((each, at) => names.indexOf(each) !== at))) report(`${name} stands twice.`);
  return { head, mechanisms };
}

/** @param sizesOf `{ code, tests }` of a mechanism, in lines. */
export function tableText({ head, mechanisms }, sizesOf) {
  const blocks = mechanisms.map(mechanism => {
    const { code, tests } = sizesOf(mechanism);
    const first = `${mechanism.name.padEnd(widestName)}  ${numberAt(code)} code  ${numberAt(tests)} tests`;
    return [first, ...mechanism.sentence, ...mechanism.patterns.map(pattern => `  ${pattern}`)].join('\n');
  });
  return `${[head, ...blocks].join('\n\n')}\n`;
}
