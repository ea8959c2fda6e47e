/** Takes the data of server-sent events out of a byte stream. Doesn't look into the data. */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export class EventStream {
  #parts: Buffer[] = [];
  #data: string[] = [];

  /**
   * @returns the data of each complete event, its lines joined by line feeds as the format demands.
   */
  push(chunk: Buffer): string[] {
    const events: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#parts.push(chunk.subarray(start, end));
      const event = this.#line(this.#takeLine());
      if (event !== null) events.push(event);
      start = end + 1;
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
    return events;
  }

  #takeLine(): string {
    const line = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    const end = line[line.length - 1] === carriageReturn ? line.length - 1 : line.length;
    return line.toString('utf8', 0, end);
  }

  #line(line: string): string | null {
    if (line === '') {
      const data = this.#data.join('\n');
      this.#data = [];
      return data === '' ? null : data;
    }
    if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
    return null;
  }
}
