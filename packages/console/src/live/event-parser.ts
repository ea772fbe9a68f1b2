/** One of the events that a server sends. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Takes server-sent events out of a text that comes in pieces. Comments are no events. */
export class EventParser {
  #rest = '';

  /** The events that are complete with this piece. */
  take(piece: string): readonly ServerEvent[] {
    const blocks = (this.#rest + piece).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap(eventIn);
  }
}

function eventIn(block: string): readonly ServerEvent[] {
  const valueOf = (field: string) => {
    const start = `${field}: `;
    return block
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.slice(start.length);
  };
  const [name, data] = [valueOf('event'), valueOf('data')];
  return name === undefined || data === undefined ? [] : [{ name, data }];
}
