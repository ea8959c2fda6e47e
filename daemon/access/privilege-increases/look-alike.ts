/**
 * What a question shows to tell connections apart (spec §11): a person answers by name, colour and
 * tags. Finds names that look like another connection's, and lost marks. Decides on nothing else.
 */

import type { Connection } from '../connection.ts';
import { foldName } from '../connection-register.ts';
import { fact, type PrivilegeIncrease, quoted } from './increase-words.ts';
import { nameAndPlace } from './place-increase.ts';

/** A new name that looks like that of another connection. */
export function lookAlikePart(
  former: Connection | null,
  next: Connection,
  others: readonly Connection[],
): PrivilegeIncrease | null {
  if (former?.name === next.name) return null;
  const look = lookOf(next.name);
  const elsewhere = others.filter(({ id }) => id !== next.id && id !== former?.id);
  // A taken name is refused anyway, so nobody has to confirm it.
  if (elsewhere.some(({ name }) => foldName(name) === foldName(next.name))) return null;
  const other = elsewhere.find(({ name }) => lookOf(name) === look);
  if (other === undefined) return null;
  return {
    phrase: `gives a connection the name ${quoted(next.name)}, which looks like that of ${quoted(other.name)}`,
    facts: [fact('Looks like', nameAndPlace(other))],
  };
}

/** Any of them may be a warning: red, or `production`. New ones are free. */
export function marksPart(former: Connection, next: Connection, name: string): PrivilegeIncrease | null {
  const { colour, tags } = former;
  const losesColour = colour !== null && next.colour?.toLowerCase() !== colour.toLowerCase();
  const lost = tags.filter(tag => !next.tags.includes(tag));
  if (!losesColour && lost.length === 0) return null;
  const marks = [
    ...(losesColour ? [`the colour ${quoted(colour)}`] : []),
    ...(lost.length === 0 ? [] : [`the ${lost.length === 1 ? 'tag' : 'tags'} ${lost.map(quoted).join(', ')}`]),
  ];
  return {
    phrase: `takes ${marks.join(' and ')} from ${name}, which questions show`,
    facts: [
      ...(losesColour ? [fact('Colour', next.colour ?? none, colour)] : []),
      ...(lost.length === 0 ? [] : [fact('Tags', next.tags.join(', ') || none, tags.join(', '))]),
    ],
  };
}

const none = '(none)';

/** The same for two names that a person could take for each other. */
function lookOf(name: string): string {
  const drawn = [...name.normalize('NFKD')].map(character => latin.get(character) ?? character).join('');
  const plain = [...drawn.toLowerCase()].map(character => latin.get(character) ?? character).join('');
  // Of signs alone it is compared as it is.
  const letters = plain.replace(/[\p{M}\p{P}\p{S}\p{Z}\p{C}]/gu, '') || plain;
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/**
 * Each Latin letter, and what is drawn like it: Cyrillic, Greek, Armenian, small capitals, Lisu,
 * Cherokee, Coptic.
 */
const drawnAlike: Readonly<Record<string, string>> = {
  a: '\u0410\u0430\u0391\u03b1\u0251\u1d00\ua4ee\u13aa',
  b: '\u0412\u0432\u042c\u044c\u0392\u03b2\u0299\ua4d0\u13f4',
  c: '\u0421\u0441\u03f2\u1d04\ua4da\u13df\u2ca4\u2ca5',
  d: '\u0500\u0501\u0110\u0111\u1d05\ua4d3\u13a0',
  e: '\u0415\u0435\u0395\u03b5\u0404\u0454\u1d07\ua4f0\u13ac',
  f: '\u03dd\ua730\ua4dd',
  g: '\u0261\u0262\u0581\ua4d6\u13c0',
  h: '\u041d\u043d\u04ba\u04bb\u0397\u0570\u0126\u0127\u029c\ua4e7\u13bb\u2c8e',
  i: '\u0406\u0456\u0399\u03b9\u0131\u026a\u0269\ua4f2\u13a5\u2c92',
  j: '\u0408\u0458\u03f3\u1d0a\ua4d9\u13ab',
  k: '\u041a\u043a\u039a\u03ba\u1d0b\ua4d7\u13e6\u2c94',
  l: '\u04c0\u04cf\u0141\u0142\u029f|\ua4e1\u13de',
  m: '\u041c\u043c\u039c\u1d0d\ua4df\u13b7\u2c98',
  n: '\u041f\u043f\u039d\u03b7\u0578\u0274\ua4e0\u2c9a',
  o: '\u041e\u043e\u039f\u03bf\u03c3\u0555\u0585\u00d8\u00f8\u1d0f0\ua4f3\u2c9e\u2c9f',
  p: '\u0420\u0440\u03a1\u03c1\u1d18\ua4d1\u13e2\u2ca2\u2ca3',
  q: '\u051a\u051b',
  r: '\u0413\u0433\u0280\ua4e3\u13d2\u13a1',
  s: '\u0405\u0455\u054f\ua731\ua4e2\u13da',
  t: '\u0422\u0442\u03a4\u03c4\u1d1b\ua4d4\u13a2\u2ca6',
  u: '\u0418\u0438\u03c5\u03bc\u057d\u054d\u1d1c\ua4f4',
  v: '\u0474\u0475\u03bd\u1d20\ua4e6\u13d9',
  w: '\u051c\u051d\u03c9\u1d21\ua4ea\u13b3\u13d4',
  x: '\u0425\u0445\u03a7\u03c7\ua4eb',
  y: '\u0423\u0443\u03a5\u03b3\u028f\ua4ec\u13a9',
  z: '\u0396\u1d22\ua4dc\u13c3',
};
/** I, l and 1 are one in many fonts. */
const latin: ReadonlyMap<string, string> = new Map([
  ...Object.entries(drawnAlike).flatMap(([letter, alike]) =>
    [...alike].map((character): [string, string] => [character, letter === 'i' ? 'l' : letter]),
  ),
  ['i', 'l'],
  ['I', 'l'],
  ['1', 'l'],
]);
