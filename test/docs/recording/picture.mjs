/**
 * Draws screens of a terminal as one animated SVG, by CSS alone. A part that stays in place over
 * several screens is one element, visible that long. If the reader doesn't want motion, or CSS
 * animation is unknown, one screen is shown.
 */

import { cellsOf } from './cells.mjs';

const cell = { width: 8.4, height: 18 };
const padding = 16;
const bar = 32;

/**
 * @param frames `{ lines, cursor, holdMilliseconds, still }` each; one has `still`.
 * @param typed the typed lines; they describe the picture.
 * @returns the SVG's text.
 */
export function picture(frames, { columns, rows, typed }) {
  const starts = [0];
  for (const { holdMilliseconds } of frames) starts.push(starts.at(-1) + holdMilliseconds);
  const total = starts.at(-1);
  const at = index => Number(((100 * starts[index]) / total).toFixed(2));

  const stillAt = frames.findIndex(frame => frame.still);
  const classes = new Map();
  function classOf([from, to]) {
    if (from === 0 && to === frames.length) return '';
    const key = `${from}-${to}`;
    if (!classes.has(key)) classes.set(key, { name: `t${classes.size}`, from: at(from), to: at(to) });
    return ` class="t ${classes.get(key).name}${from <= stillAt && stillAt < to ? ' still' : ''}"`;
  }

  const texts = runs(frames, columns, rows).map(({ row, column, text, style, seen }) => {
    const x = round(padding + column * cell.width);
    const y = bar + padding + row * cell.height;
    const width = round([...text].length * cell.width);
    const ground = style.reverse
      ? `<rect x="${x}" y="${y}" width="${width}" height="${cell.height}" class="${style.ink}-ground"/>`
      : '';
    const classNames = [style.reverse ? 'reversed' : style.ink, style.bold ? 'bold' : ''].filter(Boolean).join(' ');
    const letters = `<text x="${x}" y="${y + 13.5}" textLength="${width}"${classNames === 'plain' ? '' : ` class="${classNames}"`}>${escaped(text)}</text>`;
    return `<g${classOf(seen)}>${ground}${letters}</g>`;
  });
  const cursors = intervals(
    frames.map(({ cursor }) => (cursor === null ? null : `${cursor.column} ${cursor.row}`)),
  ).map(({ value, seen }) => {
    const [column, row] = value.split(' ').map(Number);
    return `<rect${classOf(seen)} x="${round(padding + column * cell.width)}" y="${bar + padding + row * cell.height + 1}" width="${cell.width}" height="${cell.height - 2}" fill="var(--dim)"/>`;
  });
  const width = Math.ceil(2 * padding + columns * cell.width);
  const height = bar + 2 * padding + rows * cell.height;
  const keyframes = [...classes.values()].map(
    ({ name, from, to }) =>
      `@keyframes ${name}{${from === 0 ? '' : '0%{opacity:0}'}${from}%{opacity:1}${to === 100 ? '' : `${to}%{opacity:0}`}}.${name}{animation-name:${name}}`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" aria-describedby="typed">
<title id="title">A terminal: a demo database is saved, Claude Code is connected, an AI client reads, its DELETE is refused, and a destructive statement waits for a yes.</title>
<desc id="typed">${escaped(typed.join('\n'))}</desc>
<style>
svg{--ground:#fff;--bar:#eaeef2;--edge:#d0d7de;--plain:#1f2328;--dim:#656d76;--red:#b42318;--green:#116329;--yellow:#7d4e00;--blue:#0550ae;--magenta:#8250df;--cyan:#0f766e}
@media (prefers-color-scheme:dark){svg{--ground:#0d1117;--bar:#161b22;--edge:#30363d;--plain:#e6edf3;--dim:#9198a1;--red:#ff7b72;--green:#7ee787;--yellow:#e3b341;--blue:#79c0ff;--magenta:#d2a8ff;--cyan:#5eead4}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;white-space:pre;fill:var(--plain)}
${['plain', 'dim', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan'].map(ink => `.${ink}{fill:var(--${ink})}.${ink}-ground{fill:var(--${ink})}`).join('')}
.reversed{fill:var(--ground)}.bold{font-weight:700}
.t{opacity:0}.still{opacity:1}
@media (prefers-reduced-motion:no-preference){.t{opacity:0;animation-duration:${total / 1000}s;animation-timing-function:step-end;animation-iteration-count:infinite}${keyframes.join('')}}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="var(--ground)" stroke="var(--edge)"/>
<path d="M1 ${bar}V9a8 8 0 0 1 8-8H${width - 9}a8 8 0 0 1 8 8V${bar}z" fill="var(--bar)"/>
<g fill="var(--edge)"><circle cx="20" cy="16" r="6"/><circle cx="40" cy="16" r="6"/><circle cx="60" cy="16" r="6"/></g>
${[...cursors, ...texts].join('\n')}
</svg>
`;
}

/** Pieces of lines, each with the frames `[from, to)` that show it. */
function runs(frames, columns, rows) {
  const screens = frames.map(({ lines }) =>
    Array.from({ length: rows }, (_, row) => cellsOf(lines[row] ?? '', columns)),
  );
  const found = [];
  for (let row = 0; row < rows; row++) {
    let open = [];
    for (let column = 0; column < columns; column++) {
      const here = intervals(screens.map(screen => screen[row][column]));
      const next = [];
      for (const { value, seen } of here) {
        const [character, style] = value.split('\0');
        const before = open.find(run => run.key === style && run.seen[0] === seen[0] && run.seen[1] === seen[1]);
        if (before !== undefined) {
          before.text += character;
          next.push(before);
          continue;
        }
        const run = { row, column, text: character, key: style, style: JSON.parse(style), seen };
        found.push(run);
        next.push(run);
      }
      open = next;
    }
  }
  return found
    .map(run => ({ ...run, text: run.style.reverse ? run.text : run.text.trimEnd() }))
    .filter(run => run.text !== '');
}

/** Merges equal neighbours, with the indices `[from, to)`; null counts as none. */
function intervals(values) {
  const found = [];
  values.forEach((value, index) => {
    if (value === null) return;
    const last = found.at(-1);
    if (last !== undefined && last.value === value && last.seen[1] === index) last.seen[1] = index + 1;
    else found.push({ value, seen: [index, index + 1] });
  });
  return found;
}

const round = number => Number(number.toFixed(1));
const escaped = text => text.replace(/[&<>]/g, character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]);
