/** Argument schemas that several tools share. */

import { z } from 'zod';

export const connectionArgument = z.string().min(1).max(256).describe('Connection id or name');
export const schemaArgument = z.string().min(1).max(256).optional().describe("Default: the connection's own");
export const databaseArgument = z.string().min(1).max(256).optional().describe("Default: the connection's own");
export const cursorArgument = z.string().min(1).max(512).optional().describe('next_cursor of the answer before');
