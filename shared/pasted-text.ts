/** Takes off what comes along when a connection is copied: spaces, line breaks, quotes, the variable it was assigned to. */

/** Each opening quote with the one that closes it. */
const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '„': '“',
  '«': '»',
};

/** A line of a shell or an `.env` file is taken for what it assigns where that is a URL. */
export function undressed(text: string): string {
  const plain = unquoted(text);
  const assignment = /^(?:export\s+|set\s+)?[a-z_][a-z0-9_]*\s*=/i.exec(plain);
  if (assignment === null) return plain;
  const value = unquoted(plain.slice(assignment[0].length));
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : plain;
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const closing = quotes[trimmed.charAt(0)];
  return closing !== undefined && trimmed.length > 1 && trimmed.endsWith(closing)
    ? trimmed.slice(1, -1).trim()
    : trimmed;
}
