import { randomUUID } from 'node:crypto';
import { type ChatCall, type ChatMessage, fieldsIn, messagesAfter, topicAfter } from './chat-calls.ts';
import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** The bot of the double. */
export const MATTERMOST_BOT = {
  id: 'bot'.padEnd(26, '0'),
  token: 'token-of-the-double',
  /** Made for a slash command. */
  commandToken: 'command-token-of-the-double',
  /** The channel of alerts. */
  channel: 'alerts'.padEnd(26, '0'),
  /** All channels with the bot in them. */
  channels: ['alerts'.padEnd(26, '0'), 'other'.padEnd(26, '0')],
  /** Users by id, as bots see them: with the mail address where the server shows it, and never whether it is verified. */
  users: {
    ['ada'.padEnd(26, '0')]: { email: 'ada@example.com', email_verified: false },
    ['eve'.padEnd(26, '0')]: { email: 'eve@elsewhere.example', email_verified: false },
    ['max'.padEnd(26, '0')]: { email: 'max@elsewhere.example', email_verified: false },
    ['bot'.padEnd(26, '0')]: { email: 'bot@example.com', email_verified: false },
    ['hidden'.padEnd(26, '0')]: { email: '', email_verified: false },
  },
} as const;

/** A double of a server of Mattermost, whose base URL is `url`. */
export interface MattermostDouble extends ProviderDouble<ChatCall> {
  /** The posts that a channel has now, oldest first, with their replies. */
  posts(channel?: string): readonly ChatMessage[];
  /** The header that was set last. */
  topic(channel?: string): string | undefined;
  /** From now on a channel is not known. */
  removeChannel(id: string): void;
}

/** Starts a double of Mattermost, API 4: create, patch and delete a post, read a user, and open a channel of private messages. */
export async function startMattermost(): Promise<MattermostDouble> {
  const removed = new Set<string>();
  const taken: { all: () => readonly ChatCall[] } = { all: () => [] };
  const double = await startDouble<ChatCall>((request, count) =>
    reading(request, { count, removed, taken: taken.all() }),
  );
  taken.all = () => double.taken;
  return {
    ...double,
    posts: (channel = MATTERMOST_BOT.channel) => messagesAfter(double.taken).filter((post) => post.channel === channel),
    topic: (channel = MATTERMOST_BOT.channel) => topicAfter(double.taken, channel),
    removeChannel: (id) => void removed.add(id),
  };
}

/** The body by which Mattermost reports a command of Ada; `fields` replaces some of it. Its trigger is another each time. */
export function mattermostCommand(text: string, fields: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({
    channel_id: MATTERMOST_BOT.channel,
    command: '/tocsin',
    text,
    token: MATTERMOST_BOT.commandToken,
    trigger_id: randomUUID(),
    user_id: 'ada'.padEnd(26, '0'),
    user_name: 'ada',
    ...fields,
  }).toString();
}

interface Known {
  readonly count: number;
  readonly removed: ReadonlySet<string>;
  readonly taken: readonly ChatCall[];
}

type Fields = Readonly<Record<string, unknown>>;

interface Route {
  readonly method: string;
  /** Its group is an id. */
  readonly path: RegExp;
  readonly take: (id: string, fields: Fields, known: Known) => Reading<ChatCall>;
}

const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/api\/v4\/users\/email\/([^/]+)$/, take: userWith },
  { method: 'PUT', path: /^\/api\/v4\/channels\/([a-z0-9]{26})\/patch$/, take: headerSet },
  { method: 'GET', path: /^\/api\/v4\/users\/(me|[a-z0-9]{26})$/, take: userAt },
  { method: 'POST', path: /^\/api\/v4\/channels\/direct()$/, take: directChannel },
  { method: 'POST', path: /^\/api\/v4\/posts()$/, take: created },
  { method: 'PUT', path: /^\/api\/v4\/posts\/([a-z0-9]{26})\/patch$/, take: (...post) => changed('edit', ...post) },
  { method: 'DELETE', path: /^\/api\/v4\/posts\/([a-z0-9]{26})$/, take: (...post) => changed('remove', ...post) },
];

function reading({ body, headers, method, path }: SeenRequest, known: Known): Reading<ChatCall> {
  if (headers.authorization !== `Bearer ${MATTERMOST_BOT.token}`)
    return refused(401, 'api.context.session_expired.app_error');
  const route = ROUTES.find((each) => each.method === method && each.path.test(path));
  if (route === undefined) return refused(404, 'api.context.404.app_error');
  const fields = fieldsIn(body === '' ? '{}' : body);
  if (fields === undefined) return refused(400, 'api.context.invalid_body_param.app_error');
  return route.take(route.path.exec(path)?.[1] ?? '', fields, known);
}

function created(_: string, fields: Fields, known: Known): Reading<ChatCall> {
  const { channel_id: channel, root_id: parent, ...content } = fields;
  if (typeof channel !== 'string' || !isChannel(channel, known))
    return refused(403, 'api.context.permissions.app_error');
  const fault = faultOf(content);
  if (fault !== undefined) return refused(400, fault);
  if (parent !== undefined && (typeof parent !== 'string' || postAt(parent, known)?.channel !== channel))
    return refused(400, 'api.post.create_post.root_id.app_error');
  const id = `post${String(known.count).padStart(22, '0')}`;
  return taken(201, { kind: 'post', channel, id, content, ...(parent !== undefined && { parent }) });
}

function changed(kind: 'edit' | 'remove', id: string, content: Fields, known: Known): Reading<ChatCall> {
  const post = postAt(id, known);
  if (post === undefined || !isChannel(post.channel, known)) return refused(403, 'api.context.permissions.app_error');
  const fault = kind === 'edit' ? faultOf(content) : undefined;
  if (fault !== undefined) return refused(400, fault);
  return taken(200, { kind, channel: post.channel, id, content });
}

function taken(status: number, call: Omit<ChatCall, 'atMs'>): Reading<ChatCall> {
  const { channel, content, id } = call;
  const said = call.kind === 'remove' ? { status: 'OK' } : { id, channel_id: channel, ...content };
  return { message: { ...call, atMs: performance.now() }, said: { status, body: JSON.stringify(said) } };
}

const refused = (status: number, id: string): Reading<never> => ({
  refused: { status, body: JSON.stringify({ id, message: 'It is refused.', status_code: status }) },
});

const MAX_HEADER = 1_024;

function headerSet(channel: string, { header }: Fields, known: Known): Reading<ChatCall> {
  if (!isChannel(channel, known)) return refused(403, 'api.context.permissions.app_error');
  if (typeof header !== 'string' || Array.from(header).length > MAX_HEADER)
    return refused(400, 'model.channel.is_valid.header.app_error');
  return taken(200, { kind: 'topic', channel, id: channel, content: { topic: header } });
}

function userWith(mail: string): Reading<never> {
  const id = Object.entries(MATTERMOST_BOT.users).find(([, { email }]) => email === decodeURIComponent(mail))?.[0];
  return id === undefined || id === '' ? refused(404, 'app.user.missing_account.const') : userAt(id);
}

/** An answer that changes no channel is a refusal to the double. */
function userAt(id: string): Reading<never> {
  if (id === 'me')
    return { refused: { status: 200, body: JSON.stringify({ id: MATTERMOST_BOT.id, is_bot: true, email: '' }) } };
  const user = Object.entries(MATTERMOST_BOT.users).find(([known]) => known === id)?.[1];
  if (user === undefined) return refused(404, 'app.user.missing_account.const');
  const username = id.replace(/0+$/, '');
  return {
    refused: { status: 200, body: JSON.stringify({ id, username, delete_at: 0, is_bot: username === 'bot', ...user }) },
  };
}

/** The id of the channel in which the bot and a user write to each other in private. */
export const mattermostDirectChannel = (user: string): string => `dm${user}`.slice(0, 26);

/** Finds or makes the channel of private messages of two users, of which one is the bot. Also an answer that changes no channel. */
function directChannel(_: string, fields: Fields): Reading<never> {
  const [bot, user] = Object.values(fields);
  if (bot !== MATTERMOST_BOT.id) return refused(403, 'api.context.permissions.app_error');
  if (typeof user !== 'string' || !(user in MATTERMOST_BOT.users))
    return refused(404, 'app.user.missing_account.const');
  return { refused: { status: 201, body: JSON.stringify({ id: mattermostDirectChannel(user), type: 'D' }) } };
}

const isChannel = (id: string, { removed }: Known): boolean =>
  [...MATTERMOST_BOT.channels, ...Object.keys(MATTERMOST_BOT.users).map(mattermostDirectChannel)].includes(id) &&
  !removed.has(id);

const postAt = (id: string, { taken: calls }: Known): ChatCall | undefined =>
  calls.some((call) => call.kind === 'remove' && call.id === id)
    ? undefined
    : calls.find((call) => call.kind === 'post' && call.id === id);

const MAX_MESSAGE = 16_383;
const MAX_PROPS = 8_000;

/** Why Mattermost takes no post with these fields. */
function faultOf({ message = '', props = {} }: Fields): string | undefined {
  if (typeof message !== 'string' || Array.from(message).length > MAX_MESSAGE)
    return 'model.post.is_valid.message_length.app_error';
  return Array.from(JSON.stringify(props)).length > MAX_PROPS ? 'model.post.is_valid.props.app_error' : undefined;
}
