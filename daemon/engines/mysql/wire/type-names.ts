/**
 * Names a column's type as the engine does, from the result alone: type code, length, decimals,
 * flags and MariaDB's extended metadata. Without a look-up, so an enum's labels are left out.
 */

import type { ColumnDefinition } from './answer-packets.ts';

/** The character set of bytes. */
export const binaryCharacterSet = 63;
const flag = { unsigned: 32, zerofill: 64, enumeration: 256, set: 2048 } as const;
/** Our connections use utf8mb4: text lengths are in bytes, four per character. */
const bytesPerCharacter = 4;
const integerNames: Readonly<Record<number, string>> = {
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  8: 'bigint',
  9: 'mediumint',
};
const blobSizes = [
  [255, 'tiny'],
  [65_535, ''],
  [16_777_215, 'medium'],
] as const;

export function typeName(definition: ColumnDefinition): string {
  const { type, length, decimals, flags, extendedType, extendedFormat } = definition;
  if (extendedFormat === 'json') return 'json';
  if (extendedType !== null && extendedType !== '') return extendedType;
  const integer = integerNames[type];
  if (integer !== undefined) return integerName(integer, length, flags);
  const sign = (flags & flag.unsigned) !== 0 ? ' unsigned' : '';
  const zerofill = (flags & flag.zerofill) !== 0 ? ' zerofill' : '';
  switch (type) {
    case 0:
    case 246: {
      const precision = length - (sign === '' ? 1 : 0) - (decimals > 0 ? 1 : 0);
      return `decimal(${precision},${decimals})${sign}${zerofill}`;
    }
    case 4:
      return `${decimals >= 31 ? 'float' : `float(${length},${decimals})`}${sign}${zerofill}`;
    case 5:
      return `${decimals >= 31 ? 'double' : `double(${length},${decimals})`}${sign}${zerofill}`;
    case 6:
      return 'null';
    case 7:
      return withFraction('timestamp', decimals);
    case 10:
      return 'date';
    case 11:
      return withFraction('time', decimals);
    case 12:
      return withFraction('datetime', decimals);
    case 13:
      return 'year';
    case 16:
      return `bit(${length})`;
    case 242:
      return 'vector';
    case 245:
      return 'json';
    case 255:
      return 'geometry';
    default:
      return stringName(definition);
  }
}

/**
 * Without display widths, as in MySQL 8; except `tinyint(1)`, which people read as a boolean, and
 * with zerofill.
 */
function integerName(name: string, length: number, flags: number): string {
  const unsigned = (flags & flag.unsigned) !== 0;
  if ((flags & flag.zerofill) !== 0) return `${name}(${length}) unsigned zerofill`;
  if (unsigned) return `${name} unsigned`;
  return name === 'tinyint' && length === 1 ? 'tinyint(1)' : name;
}

/**
 * True if its numbers have leading zeros. The servers also say so of a year, which always has four
 * digits.
 */
export function hasZeros({ type, flags }: ColumnDefinition): boolean {
  return (flags & flag.zerofill) !== 0 && type !== 13;
}

function withFraction(name: string, decimals: number): string {
  return decimals > 0 && decimals <= 6 ? `${name}(${decimals})` : name;
}

function stringName({ type, length, flags, characterSet }: ColumnDefinition): string {
  if ((flags & flag.enumeration) !== 0) return 'enum';
  if ((flags & flag.set) !== 0) return 'set';
  const binary = characterSet === binaryCharacterSet;
  const characters = binary ? length : Math.floor(length / bytesPerCharacter);
  if (type === 254) return `${binary ? 'binary' : 'char'}(${characters})`;
  if (type === 253 || type === 15) return `${binary ? 'varbinary' : 'varchar'}(${characters})`;
  const size = blobSizes.find(([bytes]) => characters <= bytes)?.[1] ?? 'long';
  return `${size}${binary ? 'blob' : 'text'}`;
}
