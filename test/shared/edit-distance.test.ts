import { expect, test } from '@jest/globals';
import { distanceFrom } from '../../shared/edit-distance.ts';

/** The textbook's algorithm, one cell at a time. */
function slowly(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The same in each run: a failing test must fail again. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test.each([
  ['', '', 0],
  ['', 'shop', 4],
  ['shop', '', 4],
  ['stagin', 'staging', 1],
  ['kitten', 'sitting', 3],
  ['größe 数据', 'grösse 数据', 2],
])('from %p to %p it is %p', (wanted, text, distance) => {
  expect(distanceFrom(wanted)(text)).toBe(distance);
});

test('is the textbook’s result, for names of each length up to two blocks and beyond', () => {
  const roll = dice(27_432);
  const letters = 'abß数 ';
  for (let length = 0; length <= 70; length++) {
    const name = (most: number) => Array.from({ length: roll(most + 1) }, () => letters[roll(letters.length)]).join('');
    const wanted = Array.from({ length }, () => letters[roll(letters.length)]).join('');
    const distanceOf = distanceFrom(wanted);
    for (let times = 0; times < 30; times++) {
      const text = name(80);
      expect([wanted, text, distanceOf(text)]).toEqual([wanted, text, slowly(text, wanted)]);
    }
    for (const near of [wanted, `${wanted}a`, wanted.slice(1), wanted.slice(0, 31), `ß${wanted.slice(0, 40)}`]) {
      expect([wanted, near, distanceOf(near)]).toEqual([wanted, near, slowly(near, wanted)]);
    }
  }
});
