/** The toy engine's own way to write SQL: names are words and need no quotes. */

import { type Dialect, rowByParameters, scalars } from '../../../daemon/engines/dialect.ts';

export const dialect: Dialect = {
  quote: name => name,
  plainName: /^\w+$/,
  reservedWords: new Set(),
  textType: 'text',
  numbered: () => '',
  rowUnder: rowByParameters(() => '?'),
  parameters: scalars,
  meaning: ({ message }) =>
    message.startsWith('no such table: ')
      ? 'unknown table'
      : message.startsWith('no such column: ')
        ? 'unknown column'
        : null,
  nameIn: message => /^no such \w+: (\w+)$/.exec(message)?.[1] ?? null,
};
