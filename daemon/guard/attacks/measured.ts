/**
 * How many published attacks of a kind still change or tell something with the guard off, measured
 * on PostgreSQL 15, MariaDB 10.11 and SQLite 3.53 (docs/walls.md). A kind that isn't named: none.
 */

import type { AttackKind } from '../../../shared/proof-codes.ts';

export type Passed = Readonly<Partial<Record<AttackKind, number>>>;

/** Of a read's session, by the account that it is signed in as. */
export const passedSession = {
  postgres: {
    superuser: {
      server_files: 11,
      passwords: 2,
      network: 2,
      other_sessions: 1,
      server_control: 2,
      stored_code: 1,
      other_writes: 2,
    },
    /** A superuser's reads as `pg_read_all_data`, from PostgreSQL 14 on. */
    reader: { passwords: 2 },
    owner: { other_writes: 2 },
    fitting: {},
  },
  mysql: { privileged: { server_files: 3, passwords: 2, server_control: 2 }, fitting: {} },
  sqlite: { file: {} },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Passed>>>>;

/** Of a role that fits, in a session that may write. */
export const passedRole = {
  postgres: { other_sessions: 1, other_writes: 3 },
  mysql: {},
} as const satisfies Readonly<Record<string, Passed>>;
