import type { ChatChannel, ChatResult, PostReference, ShowingClient } from './chat-client.ts';
import type { ChatPost } from './post.ts';

/** A post that is in a channel. */
export interface ShownPost {
  readonly channel: ChatChannel;
  readonly reference: PostReference;
}

/**
 * Edits a post. Where it may not be edited any more, such as one that is too old, it is removed: then the result is `gone`, and no word of it
 * is in the channel.
 */
export async function editOrRemove(
  client: Pick<ShowingClient, 'edit' | 'remove'>,
  { channel, reference }: ShownPost,
  post: ChatPost,
): Promise<ChatResult> {
  const edited = await client.edit(channel, reference, post);
  if (edited.kind !== 'gone') return edited;
  const removed = await client.remove(channel, reference);
  return removed.kind === 'done' ? edited : removed;
}
