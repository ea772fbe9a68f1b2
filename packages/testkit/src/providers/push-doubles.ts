import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** A message that the double of Gotify accepted. */
export interface GotifyMessage {
  /** The token of the application. */
  readonly token: string;
  readonly title?: string;
  readonly message: string;
  readonly priority?: number;
  readonly extras?: unknown;
}

/** A double of a server of Gotify with the applications of these tokens. */
export const startGotify = (...tokens: readonly string[]): Promise<ProviderDouble<GotifyMessage>> =>
  startDouble<GotifyMessage>((request, count) => {
    if (request.method !== 'POST' || request.path !== '/message') return ofGotify(404, 'page not found');
    const token = String(request.headers['x-gotify-key']);
    if (!tokens.includes(token)) return ofGotify(401, 'you need to provide a valid access token or user credentials');
    const message = jsonOf(request) as GotifyMessage | undefined;
    if (message === undefined || message.message === '') return ofGotify(400, 'Field message is required');
    return {
      message: { ...message, token },
      said: { status: 200, body: JSON.stringify({ id: count, appid: 1, ...message }) },
    };
  });

const ofGotify = (status: number, errorDescription: string): Reading<never> => ({
  refused: { status, body: JSON.stringify({ error: 'refused', errorCode: status, errorDescription }) },
});

/** A request that the double of Pushover accepted: a message, or the end of its emergencies. */
export interface PushoverMessage {
  /** The tag whose emergencies were ended; undefined of a message. */
  readonly cancelled?: string;
  readonly user?: string;
  readonly title?: string;
  readonly message?: string;
  readonly priority?: number;
  readonly retry?: number;
  readonly expire?: number;
  readonly url?: string;
  readonly callback?: string;
  readonly tags?: string;
}

/** A double of Pushover with one application and the users of these keys. */
export const startPushover = (token: string, ...users: readonly string[]): Promise<ProviderDouble<PushoverMessage>> =>
  startDouble<PushoverMessage>((request, count) => {
    const sent = jsonOf(request) as (PushoverMessage & { readonly token?: string }) | undefined;
    if (sent?.token !== token) return ofPushover('application token is invalid');
    const { token: _, ...message } = sent;
    const [, cancelled] = /^\/1\/receipts\/cancel_by_tag\/([\w-]+)\.json$/.exec(request.path) ?? [];
    const said = { status: 200, body: JSON.stringify({ status: 1, request: `request${count}` }) };
    if (cancelled !== undefined) return { message: { cancelled }, said };
    const fault = request.path === '/1/messages.json' ? faultOf(message, users) : 'not found';
    return fault === undefined ? { message, said } : ofPushover(fault);
  });

/** The limits of the API: whether a message is within each, and the text of its refusal. */
const LIMITS: readonly (readonly [(message: PushoverMessage) => boolean, string])[] = [
  [({ message = '' }) => message !== '', 'message cannot be blank'],
  [({ message }) => lengthOf(message) <= 1_024, 'message is too long'],
  [({ title }) => lengthOf(title) <= 250, 'title is too long'],
  [({ url }) => lengthOf(url) <= 512, 'url is too long'],
  [({ priority = 0 }) => Math.abs(priority) <= 2, 'priority is invalid'],
  [({ priority, retry = 0 }) => priority !== 2 || retry >= 30, 'retry must be at least 30'],
  [({ expire = 0, priority }) => priority !== 2 || (expire > 0 && expire <= 10_800), 'expire is invalid'],
];

function faultOf(message: PushoverMessage, users: readonly string[]): string | undefined {
  if (!users.includes(message.user ?? '')) return 'user identifier is not a valid user, group, or subscribed user key';
  return LIMITS.find(([isWithin]) => !isWithin(message))?.[1];
}

/** In characters. */
const lengthOf = (text = ''): number => Array.from(text).length;

const ofPushover = (error: string): Reading<never> => ({
  refused: { status: 400, body: JSON.stringify({ status: 0, request: 'r', errors: [error] }) },
});

/** The fields of a body of JSON, as its provider names them. */
function jsonOf({ body }: SeenRequest): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
