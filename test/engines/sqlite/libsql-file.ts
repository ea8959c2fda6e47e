/**
 * A file that libSQL 0.5.29 made (npm's `libsql`, 19 MB): the tables `movies`, with the vector index
 * `movies_idx` and two rows, and `notes`, with two rows.
 */

import { join } from 'node:path';

export const libsqlFile = join(import.meta.dirname, 'libsql.db');
