/** Product thumbnails: real pictures of 94 bytes, so that a blob in the demo shop can be looked at. */

import type { Chance } from './random.ts';

const headerBytes = 62;
const side = 8;

/** An 8 × 8 bitmap (BMP, two colours), mirrored left to right. */
export function thumbnail(chance: Chance): Buffer {
  const file = Buffer.alloc(headerBytes + side * 4);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(headerBytes, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(side, 18);
  file.writeInt32LE(side, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(1, 28);
  file.writeUInt32LE(2, 46);
  file.writeUInt32LE(0xffffff, 54);
  file.writeUInt32LE(chance.between(0, 0x7f7f7f), 58);
  for (let row = 0; row < side; row += 1) {
    const half = chance.between(0, 15);
    const mirrored = [1, 2, 4, 8].reduce((bits, bit, index) => bits | (half & bit ? 8 >> index : 0), 0);
    file[headerBytes + row * 4] = (half << 4) | mirrored;
  }
  return file;
}
