/** What a statement gave, without what differs by the clock. */

export function resultOf(answer = '{}'): string {
  const { structuredContent } = JSON.parse(answer) as { readonly structuredContent?: Record<string, unknown> };
  if (structuredContent === undefined) return answer;
  const { columns, rows, rows_affected } = structuredContent;
  return JSON.stringify({ columns, rows, rows_affected });
}
