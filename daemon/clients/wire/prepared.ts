/** What a Parse has made. */

import type { ClientStatement } from '../../guard/postgres/wire/client-statements.ts';

export interface Prepared {
  readonly text: string;
  readonly does: ClientStatement['does'];
}
