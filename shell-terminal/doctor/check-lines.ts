/** Checks as a person reads them: a mark, what was checked, what was found and what to do. */

import { shownText } from '../../shared/shown-text.ts';
import { styled, type Terminal, widthOf, wrapped } from '../terminal.ts';
import type { Check } from './check.ts';

export function checkLines(terminal: Terminal, checks: readonly Check[]): string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  const available = widthOf(terminal.stdout);
  const indent = ' '.repeat(width + 11);
  return checks.flatMap(({ name, ok: isFine, says, remedy, advice }) => {
    const word = advice ? 'advice ' : isFine ? 'ok     ' : 'problem';
    const mark = styled(terminal, isFine && !advice ? 'green' : 'yellow', word);
    const text = shownText(remedy === null ? says : `${says} To do: ${remedy}.`);
    const [first = '', ...rest] = wrapped(
      text,
      available === null ? null : Math.max(20, available - indent.length),
      '',
    );
    return [`${mark}  ${name.padEnd(width)}  ${first}`, ...rest.map(line => `${indent}${line}`)];
  });
}
