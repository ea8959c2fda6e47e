/** What AI clients' configurations hold to reach this Sallyport. No token stands in one. */

import * as z from 'zod';
import type { Message } from './message.ts';

export const snippetView = z.strictObject({
  /** As `sallyport connect` names it. */
  client: z.string(),
  title: z.string(),
  /** The file it belongs in, or what to do with it. */
  where: z.string(),
  format: z.enum(['json', 'yaml', 'toml', 'shell']),
  /** What a person pastes. */
  text: z.string(),
});
export type SnippetView = Message<typeof snippetView>;

export const snippetsView = z.strictObject({
  snippets: z.array(snippetView),
  /** Sentences about what is missing among them, or is needed besides. */
  notes: z.array(z.string()),
});
export type SnippetsView = Message<typeof snippetsView>;
