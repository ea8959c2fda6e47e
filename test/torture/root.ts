/** The project's folder: at run time the torturer is one file in build/torture/ (Makefile). */

import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
