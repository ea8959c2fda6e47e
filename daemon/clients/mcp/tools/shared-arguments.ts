/** Argument schemas that several tools share. */

import * as z from 'zod';

export const connectionArgument = z.string().min(1).max(256);
export const schemaArgument = z.string().min(1).max(256).optional();
export const databaseArgument = z.string().min(1).max(256).optional();
/** Undescribed, as MCP's own lists name it so, too. */
export const cursorArgument = z.string().min(1).max(512).optional();
