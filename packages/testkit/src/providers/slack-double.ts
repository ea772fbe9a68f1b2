import { createHmac, randomUUID } from 'node:crypto';
import { type ChatCall, type ChatMessage, fieldsIn, messagesAfter, topicAfter } from './chat-calls.ts';
import { type SlackSockets, startSlackSockets } from './slack-sockets-double.ts';
import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** The app of the double. */
export const SLACK_APP = {
  token: 'xoxb-token-of-the-double',
  signingSecret: 'signing-secret-of-the-double',
  /** For Socket Mode. */
  appToken: 'xapp-token-of-the-double',
  /** Channels with the bot in them, by id. */
  channels: { C0ALERTS: 'alerts', C0OTHER: 'other' },
  workspace: 'T0TOCSIN',
  /** Users by id, with the mail address that Slack shows. */
  users: {
    U0ADA: 'ada@example.com',
    U0BOB: 'bob@example.com',
    U0EVE: 'eve@elsewhere.example',
    U0MAX: 'max@elsewhere.example',
    U0BOT: 'bot@example.com',
    U0HIDDEN: 'hidden@example.com',
  },
  /** User groups. */
  groups: ['S0DATABASE', 'S0OTHER'],
  /** Users of another workspace in a channel that both share. */
  guests: { U0GUEST: 'ada@example.com', U0STRANGER: 'stranger@example.com' },
} as const;

/** A double of the Web API of Slack, whose base URL is `url`. */
export interface SlackDouble extends ProviderDouble<ChatCall> {
  /** The posts that a channel has now, oldest first, with their replies. */
  posts(channel?: string): readonly ChatMessage[];
  /** The topic that was set last. */
  topic(channel?: string): string | undefined;
  /** The members of a user group, by their ids, that were set last. */
  members(group: string): readonly string[] | undefined;
  /** From now on a channel is not known. */
  removeChannel(id: string): void;
  /** The connections of the app. */
  readonly sockets: SlackSockets;
  /** From now on it opens no connection, and says this error; undefined: it opens connections again. */
  refuseSockets(error: string | undefined): void;
}

/** Starts a double of Slack. As Slack does, it answers 200 with `ok: false` and an error to most of what it refuses. */
export async function startSlack(): Promise<SlackDouble> {
  const removed = new Set<string>();
  const taken: { all: () => readonly ChatCall[] } = { all: () => [] };
  const sockets = await startSlackSockets();
  const refusal: { error: string | undefined } = { error: undefined };
  const double = await startDouble<ChatCall>((request, count) =>
    request.path === '/apps.connections.open'
      ? socketFor(request, sockets, refusal.error)
      : reading(request, { count, removed, taken: taken.all() }),
  );
  taken.all = () => double.taken;
  return {
    ...double,
    posts: (channel = 'C0ALERTS') => messagesAfter(double.taken).filter((post) => post.channel === channel),
    topic: (channel = 'C0ALERTS') => topicAfter(double.taken, channel),
    members: (group) =>
      double.taken.findLast((call) => call.kind === 'group' && call.id === group)?.content['users'] as
        readonly string[] | undefined,
    removeChannel: (id) => void removed.add(id),
    sockets,
    refuseSockets: (error) => {
      refusal.error = error;
    },
    stop: async () => {
      await Promise.all([sockets.stop(), double.stop()]);
    },
  };
}

/** An answer that changes no channel is a refusal to the double. */
function socketFor({ headers, method }: SeenRequest, sockets: SlackSockets, error: string | undefined): Reading<never> {
  if (headers.authorization !== `Bearer ${SLACK_APP.appToken}`) return refused('invalid_auth');
  if (method !== 'POST') return refused('insecure_request');
  if (error !== undefined) return refused(error);
  return { refused: { status: 200, body: JSON.stringify({ ok: true, url: sockets.newUrl() }) } };
}

/** The payload by which Slack reports a press of Ada by a connection; `fields` replaces some of it. */
export const slackPress = (token: string, fields: object = {}): object => ({
  type: 'block_actions',
  user: { id: 'U0ADA', team_id: SLACK_APP.workspace },
  actions: [{ action_id: 'acknowledge', type: 'button', value: token }],
  response_url: 'https://hooks.slack.com/actions/T0TOCSIN/1/2',
  ...fields,
});

/** The headers by which Slack signs a request that it sends, `at` in seconds. */
export function slackSignature(
  body: string,
  at: number,
  secret: string = SLACK_APP.signingSecret,
): Record<string, string> {
  const signed = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${signed}` };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The body by which Slack reports a command of Ada; `fields` replaces some of it. Its trigger is another each time. */
export function slackCommand(text: string, fields: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({
    token: 'not-used-any-more',
    team_id: SLACK_APP.workspace,
    channel_id: 'C0OTHER',
    user_id: 'U0ADA',
    command: '/tocsin',
    text: text.replaceAll(/[&<>]/g, (sign) => ENTITIES[sign] ?? ''),
    response_url: 'https://hooks.slack.com/commands/T0TOCSIN/1/2',
    trigger_id: `13345224609.738474920.${randomUUID()}`,
    ...fields,
  }).toString();
}

interface Known {
  readonly count: number;
  readonly removed: ReadonlySet<string>;
  readonly taken: readonly ChatCall[];
}

type Fields = Readonly<Record<string, unknown>>;

const METHODS: Readonly<Record<string, (fields: Fields, known: Known) => Reading<ChatCall>>> = {
  '/chat.postMessage': posted,
  '/chat.update': (fields, known) => changed('edit', fields, known),
  '/chat.delete': (fields, known) => changed('remove', fields, known),
  '/conversations.setTopic': topicSet,
  '/usergroups.users.update': groupSet,
};

const READS: Readonly<Record<string, (query: URLSearchParams) => Reading<never>>> = {
  '/users.info': (query) => userAt(query.get('user') ?? ''),
  '/users.lookupByEmail': (query) => userWith(query.get('email') ?? ''),
};

function reading({ body, headers, method, path, query }: SeenRequest, known: Known): Reading<ChatCall> {
  if (headers.authorization !== `Bearer ${SLACK_APP.token}`) return refused('invalid_auth');
  const read = READS[path];
  if (read !== undefined) return read(query);
  const take = METHODS[path];
  if (take === undefined || method !== 'POST') return refused('unknown_method');
  if (headers['content-type']?.startsWith('application/json') !== true) return refused('invalid_post_type');
  const fields = fieldsIn(body);
  return fields === undefined ? refused('invalid_json') : take(fields, known);
}

function posted(fields: Fields, known: Known): Reading<ChatCall> {
  const { channel: named, thread_ts: parent, ...content } = fields;
  const channel = channelAt(named, known);
  if (channel === undefined) return refused('channel_not_found');
  const fault = faultOf(content);
  if (fault !== undefined) return refused(fault);
  if (parent !== undefined && (typeof parent !== 'string' || !isKnown(known, channel, parent)))
    return refused('thread_not_found');
  const id = `1767225600.${String(known.count).padStart(6, '0')}`;
  const message = {
    kind: 'post' as const,
    channel,
    id,
    content,
    ...(parent !== undefined && { parent }),
  };
  return taken(message);
}

function changed(kind: 'edit' | 'remove', { channel, ts, ...content }: Fields, known: Known): Reading<ChatCall> {
  // An update takes no name of a channel.
  if (typeof channel !== 'string' || !isChannel(channel, known)) return refused('channel_not_found');
  const fault = kind === 'edit' ? faultOf(content) : undefined;
  if (fault !== undefined) return refused(fault);
  if (!isKnown(known, channel, ts)) return refused('message_not_found');
  return taken({ kind, channel, id: String(ts), content });
}

const MAX_TOPIC = 250;

/** Takes no name of a channel. */
function topicSet({ channel, topic }: Fields, known: Known): Reading<ChatCall> {
  if (typeof channel !== 'string' || !isChannel(channel, known)) return refused('channel_not_found');
  if (typeof topic !== 'string' || Array.from(topic).length > MAX_TOPIC) return refused('too_long');
  return taken({ kind: 'topic', channel, id: '', content: { topic } });
}

function groupSet({ usergroup, users }: Fields): Reading<ChatCall> {
  const id = String(usergroup);
  if (!SLACK_APP.groups.some((group) => group === id)) return refused('no_such_subteam');
  const members = typeof users === 'string' && users !== '' ? users.split(',') : [];
  if (members.length === 0) return refused('no_users_provided');
  if (!members.every((member) => member in SLACK_APP.users)) return refused('invalid_users');
  return taken({ kind: 'group', channel: '', id, content: { users: members } });
}

function userWith(mail: string): Reading<never> {
  const id = Object.entries(SLACK_APP.users).find(([, email]) => email === mail)?.[0];
  return id === undefined ? refused('users_not_found') : userAt(id);
}

function taken(call: Omit<ChatCall, 'atMs'>): Reading<ChatCall> {
  const { channel, content, id } = call;
  const body = JSON.stringify({ ok: true, channel, ts: id, message: content });
  return { message: { ...call, atMs: performance.now() }, said: { status: 200, body } };
}

const refused = (error: string): Reading<never> => ({
  refused: { status: 200, body: JSON.stringify({ ok: false, error }) },
});

/** The names that users chose. One has signs that change how the text around it is shown. */
const NAMES: Readonly<Record<string, string>> = { U0MAX: ' \u202Emax\n', U0BOT: 'bot' };

/** An answer that changes no channel is a refusal to the double. */
function userAt(id: string): Reading<never> {
  const email = Object.entries({ ...SLACK_APP.users, ...SLACK_APP.guests }).find(([known]) => known === id)?.[1];
  if (email === undefined) return refused('user_not_found');
  const workspace = id in SLACK_APP.guests ? 'T0OTHER' : SLACK_APP.workspace;
  const user = {
    id,
    team_id: workspace,
    is_bot: id === 'U0BOT',
    is_email_confirmed: id !== 'U0HIDDEN',
    deleted: false,
    profile: { email, display_name: '', real_name: NAMES[id] ?? '' },
  };
  return { refused: { status: 200, body: JSON.stringify({ ok: true, user }) } };
}

const isChannel = (id: string, { removed }: Known): boolean =>
  (id in SLACK_APP.channels || Object.keys(SLACK_APP.users).map(slackDirectChannel).includes(id)) && !removed.has(id);

/** The id of the channel in which the app and a member write to each other in private. */
export const slackDirectChannel = (member: string): string => member.replace(/^./, 'D');

/** A post to a member by their id is a private message. */
function channelAt(named: unknown, known: Known): string | undefined {
  if (typeof named === 'string' && named in SLACK_APP.users) return slackDirectChannel(named);
  const name = String(named).replace(/^#/, '');
  const found = Object.entries(SLACK_APP.channels).find((channel) => channel.includes(name))?.[0];
  return found !== undefined && isChannel(found, known) ? found : undefined;
}

const isKnown = ({ taken: calls }: Known, channel: string, id: unknown): boolean =>
  calls.some((call) => call.kind === 'post' && call.channel === channel && call.id === id) &&
  !calls.some((call) => call.kind === 'remove' && call.id === id);

const MAX_TEXT = 40_000;
const MAX_BLOCKS = 50;
const MAX_SECTION = 3_000;
const MAX_FIELDS = 10;
const MAX_FIELD = 2_000;

interface TextObject {
  readonly type: string;
  readonly text: string;
}

interface Block {
  readonly type: string;
  readonly text?: TextObject;
  readonly fields?: readonly TextObject[];
  readonly elements?: readonly unknown[];
}

/** Why Slack takes no message with these fields. */
function faultOf({ attachments = [], blocks = [], text = '' }: Fields): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_TEXT) return 'msg_too_long';
  const inAttachments = (attachments as readonly { readonly blocks?: readonly Block[] }[]).flatMap(
    (each) => each.blocks ?? [],
  );
  const all = [...(blocks as readonly Block[]), ...inAttachments];
  if (text === '' && all.length === 0) return 'no_text';
  if (all.length > MAX_BLOCKS) return 'invalid_blocks';
  return all.every(isBlock) ? undefined : 'invalid_blocks';
}

function isBlock({ elements, fields, text, type }: Block): boolean {
  if (type === 'actions') return elements !== undefined && elements.length > 0;
  return type === 'section' && (text !== undefined || fields !== undefined) && isSection(text, fields);
}

const isSection = (text: TextObject | undefined, fields: readonly TextObject[] | undefined): boolean =>
  (text === undefined || isText(text, MAX_SECTION)) && (fields === undefined || areFields(fields));

const areFields = (fields: readonly TextObject[]): boolean =>
  fields.length > 0 && fields.length <= MAX_FIELDS && fields.every((field) => isText(field, MAX_FIELD));

const isText = ({ text, type }: TextObject, max: number): boolean =>
  ['mrkdwn', 'plain_text'].includes(type) && text.length > 0 && text.length <= max;
