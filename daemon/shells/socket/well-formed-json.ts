/**
 * JSON text without half surrogate pairs. No Swift string holds one, so Sallyport.app would refuse
 * the whole message: a client could keep its own question from being shown.
 */
export function wellFormedJson(message: unknown): string {
  const text = JSON.stringify(message);
  if (!text.includes('\\ud')) return text;
  return JSON.stringify(message, (_name, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
}
