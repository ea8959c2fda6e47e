/** Where the project stands: the torturer is one file in build/torture/ when it runs (Makefile). */

import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
