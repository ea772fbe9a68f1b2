import type { AnswerAction } from '../answers/answer.ts';

/** What an account does in a chat with the bot of the installation. */
export type Update =
  /** A user pressed Start in the private chat, or wrote `/start`. `code`: that of the link they opened. */
  | { readonly kind: 'start'; readonly id: number; readonly account: string; readonly code: string | undefined }
  /** A user wrote `/stop` in the private chat. */
  | { readonly kind: 'stop'; readonly id: number; readonly account: string }
  /** `/start` in a group. */
  | { readonly kind: 'group-start'; readonly id: number; readonly chat: string; readonly account: string }
  | {
      readonly kind: 'press';
      readonly id: number;
      /** By which the press is answered. */
      readonly pressId: string;
      readonly account: string;
      /** When the message was sent, or edited before the press, in seconds since 1970. */
      readonly editedAt: number;
      readonly chat: string;
      /** Of a forum. */
      readonly topic: string | undefined;
      /** The message below which the button is. */
      readonly message: string;
      readonly action: AnswerAction;
    }
  | { readonly kind: 'other'; readonly id: number };

/** The updates that Telegram reports. */
export const UPDATE_KINDS = ['message', 'callback_query'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** A longer text is no command. */
const MAX_TEXT = 200;
/** The code of a link may follow `/start`. */
const COMMAND = /^\/(start|stop)(?:@\w{1,40})?(?:\s+(\S+))?\s*$/;
const CODE = /^[\w-]{1,64}$/;

/** The updates in an answer to `getUpdates`, oldest first. Undefined where it is none. */
export function updatesIn({ ok, result }: Fields): readonly Update[] | undefined {
  if (ok !== true || !Array.isArray(result)) return undefined;
  return result.flatMap((each: unknown) => {
    const update = fieldsIn(each);
    const id = update['update_id'];
    if (typeof id !== 'number') return [];
    const press = pressIn(id, fieldsIn(update['callback_query']));
    return [press ?? messageIn(id, fieldsIn(update['message']))];
  });
}

function messageIn(id: number, { chat, from, text }: Fields): Update {
  const [{ id: chatId, type }, { id: account, is_bot: isBot }] = [fieldsIn(chat), fieldsIn(from)];
  const [, command, code = ''] = commandIn(text);
  if (command === undefined || !isId(chatId) || !isId(account) || isBot === true) return { kind: 'other', id };
  if (command === 'stop')
    return type === 'private' ? { kind: 'stop', id, account: String(account) } : { kind: 'other', id };
  if (type !== 'private') return { kind: 'group-start', id, chat: String(chatId), account: String(account) };
  return { kind: 'start', id, account: String(account), code: CODE.test(code) ? code : undefined };
}

/** Undefined where there is no press of a button of Tocsin. */
function pressIn(id: number, { data, from, id: pressId, message }: Fields): Update | undefined {
  const { chat, date, edit_date: editedAt = date, message_id: messageId, message_thread_id: topic } = fieldsIn(message);
  const [{ id: account }, { id: chatId }] = [fieldsIn(from), fieldsIn(chat)];
  if (typeof pressId !== 'string' || !isId(account) || !isId(chatId) || !isId(messageId)) return undefined;
  if (!isAction(data)) return undefined;
  const place = { chat: String(chatId), topic: isId(topic) ? String(topic) : undefined, message: String(messageId) };
  const shown = { ...place, editedAt: isId(editedAt) ? editedAt : 0 };
  return { kind: 'press', id, pressId, account: String(account), ...shown, action: data };
}

const isAction = (data: unknown): data is AnswerAction =>
  data === 'acknowledge' || data === 'close' || data === 'snooze';

const commandIn = (text: unknown): readonly string[] =>
  typeof text === 'string' && text.length <= MAX_TEXT ? (COMMAND.exec(text) ?? []) : [];

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

const fieldsIn = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
