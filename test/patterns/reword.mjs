/**
 * Rewords sentences of ours in a copy of the project, to see that no program reads one. Whatever
 * fails then is a test of words, which shows the new word, or a fault.
 *
 *     node test/patterns/reword.mjs HOW_MANY SEED       then `make build`, and jest with --json
 *     node test/patterns/reword.mjs --judge FILE        what jest wrote
 */

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { nodesIn } from './syntax.mjs';

/** In none of our sentences. */
const word = 'verily';
/** Begins like a sentence, has some words, and isn't SQL. */
const prose = /^[A-Z][a-z']* (?=[a-z]+ [a-z])(?!.*\b(?:select|from|pragma|values|into)\b)[^<>;]*$/s;

/** @returns the beginnings of sentences in a file, as they are written there. */
function sentencesOf(file) {
  const written = nodesIn(file).flatMap(({ type, raw, quasis }) =>
    type === 'StringLiteral' && raw ? [raw.slice(1, -1)] : type === 'TemplateLiteral' ? [quasis[0].raw] : [],
  );
  return written.filter(text => prose.test(text)).map(text => ({ file, text }));
}

/** The same for the same seed. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

function rewrite(file, from, to) {
  const source = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    source.replace(from, () => to),
  );
}

function reword(howMany, seed) {
  const left = globSync('{daemon,shared}/**/*.ts').sort().flatMap(sentencesOf);
  process.stdout.write(`${left.length} sentences\n`);
  const chance = numbers(seed);
  for (let done = 0; done < howMany; done += 1) {
    const [{ file, text }] = left.splice(Math.floor(chance.next().value * left.length), 1);
    const reworded = text.replace(' ', ` ${word} `);
    rewrite(file, text, reworded);
    // Another file may say it too.
    rewrite('shared/texts.json', `"${text}":`, `"${reworded}": "${word}",\n  "${text}":`);
    process.stdout.write(`${file}: ${reworded}\n`);
  }
}

function judge(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = testResults.flatMap(({ name, message, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'failed');
    // A suite that fails as a whole has no test that does.
    if (tests.length === 0) return message === '' ? [] : [{ title: name, said: message }];
    return tests.map(({ fullName, failureMessages }) => ({
      title: `${name}: ${fullName}`,
      said: failureMessages.join(),
    }));
  });
  const faults = failed.filter(({ said }) => !said.includes(word));
  for (const { title } of faults) process.stdout.write(`${title}\n`);
  process.stdout.write(`${failed.length} failed, ${faults.length} of them without the new word\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

const [first, second] = process.argv.slice(2);
if (first === '--judge') judge(second);
else reword(Number(first), Number(second));
