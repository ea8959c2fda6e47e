/** The dialects of the three engines, by the engine's word. */

import { dialect as mysql } from '../../daemon/engines/mysql/dialect.ts';
import { dialect as postgres } from '../../daemon/engines/postgres/dialect.ts';
import { dialect as sqlite } from '../../daemon/engines/sqlite/dialect.ts';

export const dialects = { postgres, mysql, sqlite };
