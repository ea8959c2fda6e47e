/**
 * A terminal's line with its SGR sequences (ECMA-48 §8.3.117) as cells. Each program here writes
 * characters one column wide.
 */

const inks = ['dim', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'plain'];
const bare = { ink: 'plain', bold: false, reverse: false };

/** @returns for each column `character + NUL + style as JSON`, or null if nothing is seen. */
export function cellsOf(line, columns) {
  const cells = Array(columns).fill(null);
  let style = bare;
  let column = 0;
  line.split('\u001b[').forEach((piece, index) => {
    const codesEnd = index === 0 ? 0 : piece.indexOf('m') + 1;
    if (index > 0)
      style = piece
        .slice(0, codesEnd - 1)
        .split(';')
        .map(Number)
        .reduce(styled, style);
    for (const character of piece.slice(codesEnd)) cells[column++] = `${character}\0${JSON.stringify(style)}`;
  });
  return cells;
}

function styled(style, code) {
  if (code === 0) return bare;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, ink: 'dim' };
  if (code === 7) return { ...style, reverse: true };
  if (code === 22) return { ...style, bold: false };
  if (code === 27) return { ...style, reverse: false };
  if (code === 39) return { ...style, ink: 'plain' };
  if (code >= 30 && code <= 37) return { ...style, ink: inks[code - 30] };
  if (code >= 90 && code <= 97) return { ...style, ink: inks[code - 90] };
  return style;
}
