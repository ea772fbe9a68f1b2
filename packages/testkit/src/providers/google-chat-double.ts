import { type ChatCall, type ChatMessage, fieldsIn, messagesAfter } from './chat-calls.ts';
import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** The webhook of the double. */
export const GOOGLE_CHAT_WEBHOOK = {
  space: 'AAAAdouble',
  key: 'key-of-the-double',
  token: 'token-of-the-space',
} as const;

/** A double of Google Chat, whose `url` is that of a webhook of its space. */
export interface GoogleChatDouble extends ProviderDouble<ChatCall> {
  /** The first message of each thread of the space, oldest first, with the others of the thread as its replies. */
  posts(): readonly ChatMessage[];
  /** From now on the space is not known. */
  removeChannel(): void;
}

/** Starts a double of Google Chat: creates messages in threads by their keys, each once for an id of a request. */
export async function startGoogleChat(): Promise<GoogleChatDouble> {
  const known: Known = { isRemoved: false, keys: new Map(), taken: () => [] };
  const double = await startDouble<ChatCall>((request, count) =>
    known.isRemoved ? refused(404, 'NOT_FOUND') : reading(request, count, known),
  );
  known.taken = () => double.taken;
  const query = `key=${GOOGLE_CHAT_WEBHOOK.key}&token=${GOOGLE_CHAT_WEBHOOK.token}`;
  return {
    ...double,
    url: `${double.url}${PATH}?${query}`,
    posts: () => messagesAfter(double.taken),
    removeChannel: () => {
      known.isRemoved = true;
    },
  };
}

interface Known {
  isRemoved: boolean;
  /** By message, also of messages that were not taken. */
  readonly keys: Map<string, { readonly requestId: string; readonly thread: string | undefined }>;
  taken: () => readonly ChatCall[];
}

const PATH = `/v1/spaces/${GOOGLE_CHAT_WEBHOOK.space}/messages`;
const MAX_BYTES = 32_000;

const refused = (code: number, status: string): Reading<never> => ({
  refused: { status: code, body: JSON.stringify({ error: { code, message: 'It is refused.', status } }) },
});

function reading(request: SeenRequest, count: number, known: Known): Reading<ChatCall> {
  const { body, bytes, method, path, query } = request;
  if (path !== PATH || method !== 'POST') return refused(404, 'NOT_FOUND');
  if (query.get('token') !== GOOGLE_CHAT_WEBHOOK.token) return refused(403, 'PERMISSION_DENIED');
  const { thread, ...content } = fieldsIn(body) ?? {};
  if (bytes.length > MAX_BYTES || !Array.isArray(content['cardsV2'])) return refused(400, 'INVALID_ARGUMENT');
  const requestId = query.get('requestId') ?? String(count);
  const made = known.taken().find(({ id }) => known.keys.get(id)?.requestId === requestId);
  // An answer that makes no message is a refusal to the double.
  if (made !== undefined) return { refused: { status: 200, body: JSON.stringify({ name: made.id }) } };
  const id = `spaces/${GOOGLE_CHAT_WEBHOOK.space}/messages/${count}`;
  known.keys.set(id, { requestId, thread: threadOf(query, thread) });
  const parent = parentOf(id, known);
  const call = { kind: 'post' as const, channel: '', id, content, ...(parent !== undefined && { parent }) };
  return { message: { ...call, atMs: performance.now() }, said: { status: 200, body: JSON.stringify({ name: id }) } };
}

/** The key of the thread; undefined where the message begins a thread of its own. */
function threadOf(query: URLSearchParams, thread: unknown): string | undefined {
  if (query.get('messageReplyOption') !== 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD') return undefined;
  return ((thread ?? {}) as { readonly threadKey?: string }).threadKey;
}

/** The first message of the thread of a message; undefined of the first message itself. */
function parentOf(id: string, { keys, taken }: Known): string | undefined {
  const thread = keys.get(id)?.thread;
  return thread === undefined ? undefined : taken().find((call) => keys.get(call.id)?.thread === thread)?.id;
}
