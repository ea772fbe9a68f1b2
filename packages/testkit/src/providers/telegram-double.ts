import { isDeepStrictEqual } from 'node:util';
import { type ChatCall, type ChatMessage, fieldsIn, messagesAfter } from './chat-calls.ts';
import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';
import { TelegramUpdates } from './telegram-updates.ts';

/** The bot of the double. */
export const TELEGRAM_BOT = {
  token: '123456789:AA-token_of-the-double',
  /** Its user name. */
  bot: 'tocsin_bot',
  /** The supergroup of alerts, with its public name. */
  chat: '-1001000000001',
  name: '@tocsin_alerts',
  /** A topic of it. */
  topic: '17',
  /** All chats with the bot in them, by id, with their public names. */
  chats: { '-1001000000001': '@tocsin_alerts', '-1001000000002': '' },
} as const;

/** A message below which a button is pressed. */
interface PressedMessage extends Pick<ChatCall, 'channel' | 'id'> {
  /** In seconds; by default after each edit that the double took another. */
  readonly editedAt?: number;
}

/** An answer to a press of a button. */
interface PressAnswer {
  readonly account: string;
  readonly text: string;
  readonly isAlert: boolean;
}

/** A double of the Bot API of Telegram, whose base URL is `url`. */
export interface TelegramDouble extends ProviderDouble<ChatCall> {
  /** The messages that a chat has now, oldest first, with their replies. */
  posts(chat?: string): readonly ChatMessage[];
  /** From now on the bot is not in a chat. */
  removeChannel(id: string): void;
  /** An account writes to the bot: in their private chat, or in the group. */
  says(account: string, text: string, where?: 'group'): void;
  /** An account presses a button below a message of the bot. */
  presses(account: string, message: PressedMessage, action: string): void;
  /** The answers to presses, for their pressers alone. */
  readonly answers: readonly PressAnswer[];
  /** From now on an account has blocked the bot. */
  block(account: string): void;
  /** How many updates no program has confirmed. */
  pending(): number;
  /** From now on no message can be deleted, as those that are older than 48 hours. */
  keepMessages(): void;
}

/** In seconds. */
const SENT_AT = 1_767_600_000;

/**
 * Starts a double of Telegram: sends, edits and deletes a message, and tells what people write to the bot. It refuses texts whose markup or
 * length Telegram refuses.
 */
export async function startTelegram(): Promise<TelegramDouble> {
  const removed = new Set<string>();
  const people = new Map<string, 'started' | 'blocked'>();
  const updates = new TelegramUpdates();
  const pressers = new Map<string, string>();
  const answers: PressAnswer[] = [];
  const state: { all: () => readonly ChatCall[]; deletes: boolean } = { all: () => [], deletes: true };
  const double = await startDouble<ChatCall>((request, count) =>
    reading(request, {
      count,
      removed,
      people,
      updates,
      pressers,
      answers,
      taken: state.all(),
      deletes: state.deletes,
    }),
  );
  state.all = () => double.taken;
  return {
    ...double,
    posts: (chat = TELEGRAM_BOT.chat) => messagesAfter(double.taken).filter((post) => post.channel === chat),
    says: (account, text, where) => {
      people.set(account, 'started');
      const group = { id: Number(TELEGRAM_BOT.chat), type: 'supergroup' };
      const chat = where === 'group' ? group : { id: Number(account), type: 'private' };
      updates.add({ message: { message_id: 1, from: { id: Number(account), is_bot: false }, chat, text } });
    },
    presses: (account, { channel, editedAt, id }, action) => {
      const edits = double.taken.filter((call) => call.kind === 'edit' && call.channel === channel && call.id === id);
      const pressId = `press-${pressers.size}`;
      pressers.set(pressId, account);
      const chat = { id: Number(channel), type: channel === account ? 'private' : 'supergroup' };
      updates.add({
        callback_query: {
          id: pressId,
          from: { id: Number(account), is_bot: false },
          message: { message_id: Number(id), chat, date: SENT_AT, edit_date: editedAt ?? SENT_AT + edits.length },
          data: action,
        },
      });
    },
    answers,
    block: (account) => void people.set(account, 'blocked'),
    pending: () => updates.pending,
    stop: () => {
      updates.stop();
      return double.stop();
    },
    removeChannel: (id) => void removed.add(id),
    keepMessages: () => {
      state.deletes = false;
    },
  };
}

interface Known {
  readonly count: number;
  readonly removed: ReadonlySet<string>;
  /** The accounts that have written to the bot. */
  readonly people: ReadonlyMap<string, 'started' | 'blocked'>;
  readonly updates: TelegramUpdates;
  /** By the ids of presses. */
  readonly pressers: ReadonlyMap<string, string>;
  readonly answers: PressAnswer[];
  readonly taken: readonly ChatCall[];
  readonly deletes: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const METHODS: Readonly<Record<string, (fields: Fields, known: Known) => Reading<ChatCall>>> = {
  sendMessage: sent,
  editMessageText: edited,
  editMessageReplyMarkup: markedUp,
  deleteMessage: deleted,
};

function reading(
  { body, headers, method, path }: SeenRequest,
  known: Known,
): Reading<ChatCall> | Promise<Reading<ChatCall>> {
  const [, token, name = ''] = /^\/bot(\d+:[\w-]+)\/(\w+)$/.exec(path) ?? [];
  if (token === undefined) return refused(404, 'Not Found');
  if (token !== TELEGRAM_BOT.token) return refused(401, 'Unauthorized');
  const fields = fieldsIn(body);
  if (method !== 'POST') return NO_METHOD;
  if (headers['content-type'] !== 'application/json' || fields === undefined)
    return refused(400, "Bad Request: can't parse JSON object");
  return called(name, fields, known);
}

function called(name: string, fields: Fields, known: Known): Reading<ChatCall> | Promise<Reading<ChatCall>> {
  if (name === 'getUpdates') return known.updates.read(fields);
  if (name === 'answerCallbackQuery') return answeredPress(fields, known);
  const take = METHODS[name];
  return take === undefined ? NO_METHOD : (chatFault(fields, known) ?? take(fields, known));
}

function answeredPress(
  { callback_query_id: id, show_alert: isAlert, text }: Fields,
  { answers, pressers }: Known,
): Reading<never> {
  const account = pressers.get(String(id));
  if (account === undefined || typeof text !== 'string' || text.length > 200)
    return refused(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid');
  answers.push({ account, text, isAlert: isAlert === true });
  return { refused: { status: 200, body: JSON.stringify({ ok: true, result: true }) } };
}

/** Why a request about a chat is refused before all else. */
function chatFault({ chat_id: named }: Fields, { people, removed }: Known): Reading<ChatCall> | undefined {
  const person = people.get(String(named));
  if (person === 'blocked') return refused(403, 'Forbidden: bot was blocked by the user');
  if (person === 'started') return undefined;
  const chat = chatAt(named);
  if (chat === undefined) return refused(400, 'Bad Request: chat not found');
  return removed.has(chat) ? refused(403, 'Forbidden: bot was kicked from the supergroup chat') : undefined;
}

/** The chat of a name or an id. That of a person has their id. */
const placeAt = (named: unknown): string => chatAt(named) ?? String(named);

const chatAt = (named: unknown): string | undefined =>
  Object.entries(TELEGRAM_BOT.chats).find(([id, name]) => String(named) === id || named === name)?.[0];

function sent(fields: Fields, known: Known): Reading<ChatCall> {
  const { chat_id: named, reply_parameters: reply, ...content } = fields;
  const channel = placeAt(named);
  const { message_thread_id: topic } = content;
  if (topic !== undefined && topic !== Number(TELEGRAM_BOT.topic))
    return refused(400, 'Bad Request: message thread not found');
  const fault = faultOf(content);
  if (fault !== undefined) return refused(400, `Bad Request: ${fault}`);
  const parent = reply === undefined ? undefined : String((reply as { readonly message_id?: unknown }).message_id);
  if (parent !== undefined && !isKnown(known, channel, parent))
    return refused(400, 'Bad Request: message to be replied not found');
  const id = String(known.count);
  return taken({ kind: 'post', channel, id, content, ...(parent !== undefined && { parent }) });
}

function edited({ chat_id: named, message_id: id, ...content }: Fields, known: Known): Reading<ChatCall> {
  const channel = placeAt(named);
  if (!isKnown(known, channel, String(id))) return refused(400, 'Bad Request: message to edit not found');
  const fault = faultOf(content);
  if (fault !== undefined) return refused(400, `Bad Request: ${fault}`);
  const shown = known.taken.findLast((call) => call.id === String(id))?.content;
  const parts = (fields: Fields = {}) => [fields['text'], fields['reply_markup']];
  if (isDeepStrictEqual(parts(shown), parts(content))) return refused(400, NOT_MODIFIED);
  return taken({ kind: 'edit', channel, id: String(id), content });
}

/** The text stays, and the buttons are replaced. */
function markedUp(fields: Fields, known: Known): Reading<ChatCall> {
  const { text, parse_mode } = known.taken.findLast((call) => call.id === String(fields['message_id']))?.content ?? {};
  return edited({ ...fields, text, parse_mode }, known);
}

const NOT_MODIFIED =
  'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';

function deleted({ chat_id: named, message_id: id }: Fields, known: Known): Reading<ChatCall> {
  const channel = placeAt(named);
  if (!isKnown(known, channel, String(id))) return refused(400, 'Bad Request: message to delete not found');
  if (!known.deletes) return refused(400, "Bad Request: message can't be deleted");
  return taken({ kind: 'remove', channel, id: String(id), content: {} });
}

function taken(call: Omit<ChatCall, 'atMs'>): Reading<ChatCall> {
  const { channel, content, id, kind } = call;
  const message = {
    message_id: Number(id),
    chat: { id: Number(channel), type: channel.startsWith('-') ? 'supergroup' : 'private' },
    text: content['text'],
  };
  const body = JSON.stringify({ ok: true, result: kind === 'remove' ? true : message });
  return { message: { ...call, atMs: performance.now() }, said: { status: 200, body } };
}

const refused = (status: number, description: string): Reading<never> => ({
  refused: { status, body: JSON.stringify({ ok: false, error_code: status, description }) },
});

const NO_METHOD = refused(404, 'Not Found: method not found');

const isKnown = ({ taken: calls }: Known, channel: string, id: string): boolean =>
  calls.some((call) => call.kind === 'post' && call.channel === channel && call.id === id) &&
  !calls.some((call) => call.kind === 'remove' && call.id === id);

/** Whether each button has a text, and at most 64 bytes of data. */
const isKeyboard = (markup: unknown): boolean =>
  ((markup as { inline_keyboard?: readonly (readonly Fields[])[] }).inline_keyboard ?? [])
    .flat()
    .every(({ callback_data: data, text }) => typeof text === 'string' && Buffer.byteLength(String(data)) <= 64);

const MAX_TEXT = 4_096;
/** The tags and entities that Telegram knows, of those that Tocsin may write. */
const TAG = /<b>|<\/b>|<a href="[^"<>]*">|<\/a>/g;
const ENTITY = /&(?:lt|gt|amp|quot);/g;

/** Why Telegram takes no message with these fields. */
function faultOf({ parse_mode: mode, reply_markup: markup, text = '' }: Fields): string | undefined {
  if (markup !== undefined && !isKeyboard(markup)) return 'BUTTON_DATA_INVALID';
  if (typeof text !== 'string' || text.trim() === '') return 'message text is empty';
  if (mode !== 'HTML') return "can't parse entities: unsupported parse_mode";
  const shown = text.replaceAll(TAG, '');
  if (/[<>]/.test(shown)) return "can't parse entities: Unsupported start tag";
  return shown.replaceAll(ENTITY, 'x').length > MAX_TEXT ? 'message is too long' : undefined;
}
