import { type ChatCall, type ChatMessage, fieldsIn, messagesAfter } from './chat-calls.ts';
import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** The webhook of the double. */
export const DISCORD_WEBHOOK = {
  id: '223704706495545344',
  token: 'webhook-token-of-the-double',
  channel: '199737254929760256',
} as const;

/** A double of Discord, whose `url` is that of its webhook. */
export interface DiscordDouble extends ProviderDouble<ChatCall> {
  /** The posts that the channel has now, oldest first. A silent message with the title of an earlier post is shown as its reply. */
  posts(): readonly ChatMessage[];
  /** From now on the webhook is not known. */
  removeChannel(): void;
}

/** Starts a double of Discord: executes a webhook, and edits and deletes its messages. */
export async function startDiscord(): Promise<DiscordDouble> {
  const known = { isRemoved: false, all: (): readonly ChatCall[] => [] };
  const double = await startDouble<ChatCall>((request, count) =>
    known.isRemoved ? UNKNOWN_WEBHOOK : reading(request, count, known.all()),
  );
  known.all = () => double.taken;
  return {
    ...double,
    url: `${double.url}/api/webhooks/${DISCORD_WEBHOOK.id}/${DISCORD_WEBHOOK.token}`,
    posts: () => messagesAfter(double.taken),
    removeChannel: () => {
      known.isRemoved = true;
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

const refused = (status: number, code: number, message: string): Reading<never> => ({
  refused: { status, body: JSON.stringify({ message, code }) },
});
const UNKNOWN_WEBHOOK = refused(404, 10_015, 'Unknown Webhook');
const UNKNOWN_MESSAGE = refused(404, 10_008, 'Unknown Message');

const PATH = /^\/api\/webhooks\/(\d+)\/([\w-]+)(?:\/messages\/(\d+))?$/;

function reading(request: SeenRequest, count: number, calls: readonly ChatCall[]): Reading<ChatCall> {
  const [, webhook, token, id] = PATH.exec(request.path) ?? [];
  if (webhook !== DISCORD_WEBHOOK.id) return UNKNOWN_WEBHOOK;
  if (token !== DISCORD_WEBHOOK.token) return refused(401, 50_027, 'Invalid Webhook Token');
  if (id === undefined) return created(request, count, calls);
  return isKnown(calls, id) ? changed(request, id) : UNKNOWN_MESSAGE;
}

function created({ body, method, query }: SeenRequest, count: number, calls: readonly ChatCall[]): Reading<ChatCall> {
  if (method !== 'POST') return refused(405, 0, '405: Method Not Allowed');
  // Without `wait` Discord answers before it has the message.
  if (query.get('wait') !== 'true') return refused(400, 50_035, 'The double shows only messages that are waited for');
  const content = fieldsIn(body) ?? {};
  const fault = faultOf(content);
  if (fault !== undefined) return refused(400, 50_035, fault);
  return taken('post', `1${String(count).padStart(17, '0')}`, content, parentOf(content, calls));
}

function changed({ body, method }: SeenRequest, id: string): Reading<ChatCall> {
  if (method === 'DELETE') return taken('remove', id, {});
  if (method !== 'PATCH') return refused(405, 0, '405: Method Not Allowed');
  const content = fieldsIn(body) ?? {};
  const fault = faultOf(content);
  return fault === undefined ? taken('edit', id, content) : refused(400, 50_035, fault);
}

function taken(kind: ChatCall['kind'], id: string, content: Fields, parent?: string): Reading<ChatCall> {
  const { channel } = DISCORD_WEBHOOK;
  const message = { kind, channel, id, content, atMs: performance.now(), ...(parent !== undefined && { parent }) };
  const body = kind === 'remove' ? '' : JSON.stringify({ id, channel_id: channel, ...content });
  return { message, said: { status: kind === 'remove' ? 204 : 200, body } };
}

const isKnown = (calls: readonly ChatCall[], id: string): boolean =>
  calls.some((call) => call.kind === 'post' && call.id === id) &&
  !calls.some((call) => call.kind === 'remove' && call.id === id);

interface Embed {
  readonly title?: string;
  readonly description?: string;
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
}

const embedsOf = ({ embeds = [] }: Fields): readonly Embed[] => embeds as readonly Embed[];

const SILENT = 4_096;

const parentOf = (content: Fields, calls: readonly ChatCall[]): string | undefined =>
  content['flags'] === SILENT
    ? calls.find(
        (call) =>
          call.kind === 'post' &&
          call.parent === undefined &&
          embedsOf(call.content)[0]?.title === embedsOf(content)[0]?.title,
      )?.id
    : undefined;

/** Why Discord takes no message with these fields. */
function faultOf(content: Fields): string | undefined {
  const embeds = embedsOf(content);
  if (embeds.length === 0 || embeds.length > 10) return 'embeds';
  const texts = embeds.flatMap(({ description = '', fields = [], title = '' }) => [
    { text: title, max: 256 },
    { text: description, max: 4_096 },
    ...fields.flatMap(({ name, value }) => [
      { text: name, max: 256 },
      { text: value, max: 1_024 },
    ]),
  ]);
  if (texts.some(({ max, text }) => text.length > max)) return 'Must be fewer in length.';
  const total = texts.reduce((sum, { text }) => sum + text.length, 0);
  return total > 6_000 ? 'Embed size exceeds maximum size of 6000' : undefined;
}
