/** Configurations that let AI clients reach this Sallyport. They hold no token. */

import * as z from 'zod';
import type { Message } from './message.ts';

export const snippetView = z.strictObject({
  /** As `sallyport connect` names it. */
  client: z.string(),
  title: z.string(),
  /** The file that it belongs in, or what to do with it. */
  where: z.string(),
  format: z.enum(['json', 'yaml', 'toml', 'shell']),
  /** What a person pastes. */
  text: z.string(),
});
export type SnippetView = Message<typeof snippetView>;

export const snippetsView = z.strictObject({
  snippets: z.array(snippetView),
  /** Sentences about what is missing or also needed. */
  notes: z.array(z.string()),
});
export type SnippetsView = Message<typeof snippetsView>;
