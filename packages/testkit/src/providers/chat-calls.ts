/** A call by which a double of a product of chat changed a channel. */
export interface ChatCall {
  readonly kind: 'post' | 'edit' | 'remove' | 'topic' | 'group';
  readonly channel: string;
  /** Of a message, or of a user group. */
  readonly id: string;
  /** Of a reply: the post below which it is. */
  readonly parent?: string;
  /** The fields of the message, as they came. */
  readonly content: Readonly<Record<string, unknown>>;
  /** When it came, milliseconds of a clock that is never set back. */
  readonly atMs: number;
}

/** A message of a channel as it is after calls. */
export interface ChatMessage extends Pick<ChatCall, 'channel' | 'content' | 'id' | 'parent'> {
  readonly edits: number;
  readonly replies: readonly ChatMessage[];
}

/** The messages that calls have left, oldest first, replies below their posts. */
export function messagesAfter(calls: readonly ChatCall[]): readonly ChatMessage[] {
  const messages = new Map<string, ChatMessage>();
  for (const { channel, content, id, kind, parent } of calls) {
    if (kind === 'topic' || kind === 'group') continue;
    const known = messages.get(id);
    if (kind === 'remove') messages.delete(id);
    else if (kind === 'edit')
      messages.set(id, { ...(known ?? { channel, id, replies: [] }), content, edits: (known?.edits ?? 0) + 1 });
    else messages.set(id, { channel, content, id, edits: 0, replies: [], ...(parent !== undefined && { parent }) });
  }
  const all = [...messages.values()];
  const posts = all.filter(({ parent }) => parent === undefined || !messages.has(parent));
  return posts.map((post) => ({ ...post, replies: all.filter(({ parent }) => parent === post.id) }));
}

/** The topic of a channel after calls; undefined where none has set it. */
export const topicAfter = (calls: readonly ChatCall[], channel: string): string | undefined =>
  calls.findLast((call) => call.kind === 'topic' && call.channel === channel)?.content['topic'] as string | undefined;

/** The fields of a body of JSON; undefined of any other. */
export function fieldsIn(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === 'object' && read !== null ? (read as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
