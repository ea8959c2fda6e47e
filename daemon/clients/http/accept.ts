/** Reads the Accept header (RFC 9110, 12.5.1) for the one question that we have. */

const rangesOfEvents = ['text/event-stream', 'text/*', '*/*'];

/**
 * True if the answer may be a stream of events. A missing header accepts anything; a weight of zero
 * refuses.
 */
export function acceptsEvents(accept: string | null): boolean {
  if (accept === null) return true;
  const weights = new Map(
    accept.split(',').map(given => {
      const [range = '', ...parameters] = given.split(';').map(part => part.trim().toLowerCase());
      return [range, parameters.every(parameter => !/^q=0(?:\.0{0,3})?$/.test(parameter))] as const;
    }),
  );
  const nearest = rangesOfEvents.find(range => weights.has(range));
  return nearest !== undefined && weights.get(nearest) === true;
}
