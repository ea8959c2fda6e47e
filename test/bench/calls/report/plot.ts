/**
 * Calls per second at eight clients as bars, one panel per workload: an SVG that follows the
 * reader's light or dark theme.
 */

import { sallyportNames } from '../targets/sallyport.ts';
import { workloads } from '../workloads.ts';
import type { Medians } from './medians.ts';
import { whole } from './tables.ts';

const clients = 8;
const width = 760;
const names = 270;
const bar = { height: 16, step: 22, longest: 400 };
const panel = { title: 28, gap: 14 };
const sallyport: readonly string[] = Object.values(sallyportNames);

const style = `svg{--text:#1f2328;--dim:#656d76;--other:#afb8c1;--ours:#0f766e}
@media (prefers-color-scheme:dark){svg{--text:#e6edf3;--dim:#9198a1;--other:#484f58;--ours:#2dd4bf}}
text{font:12px system-ui,sans-serif;fill:var(--text)}.title{font-weight:600}.value{fill:var(--dim)}
rect{fill:var(--other)}.ours{fill:var(--ours)}`;

export function plot(title: string, medians: Medians): string {
  const { targets } = medians;
  const panelHeight = panel.title + targets.length * bar.step + panel.gap;
  const drawn = workloads.map((workload, index) => {
    const values = targets.map(target => medians.of(target, workload, clients, 'callsPerSecond') ?? 0);
    const most = Math.max(...values);
    const top = index * panelHeight;
    const bars = targets.map(({ name }, row) => {
      const y = top + panel.title + row * bar.step;
      const value = values[row] ?? 0;
      const length = Math.max(1, Math.round((bar.longest * value) / most));
      const ours = sallyport.includes(name) ? ' class="ours"' : '';
      return [
        `<text x="${names - 10}" y="${y + 12}" text-anchor="end">${escaped(name)}</text>`,
        `<rect${ours} x="${names}" y="${y}" width="${length}" height="${bar.height}" rx="2"/>`,
        `<text class="value" x="${names + length + 8}" y="${y + 12}">${whole(value)}</text>`,
      ].join('');
    });
    return `<text class="title" x="${names}" y="${top + 18}">${workload.name}</text>\n${bars.join('\n')}`;
  });
  const sentence = `${title}: calls a second at ${clients} clients`;
  const height = workloads.length * panelHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(sentence)}</title>
<style>
${style}
</style>
${drawn.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
