import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** A text message or a call that the double of Twilio accepted. */
export interface TwilioMessage {
  readonly kind: 'message' | 'call';
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  /** The text of a message, or the TwiML of a call. */
  readonly content: string;
  /** All parameters of the request. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The account of the double, and the number that it sends from. */
export const TWILIO_ACCOUNT = { sid: `AC${'1'.repeat(32)}`, token: 'a-token-of-twilio', number: '+15550100' } as const;

/** The settings with which notifier sends through the double at `url`. */
export const twilioSettings = (url: string): Readonly<Record<string, string>> => ({
  TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
  TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.token,
  TWILIO_FROM: TWILIO_ACCOUNT.number,
  TWILIO_API_URL: url,
  OUTGOING_ALLOWED_RANGES: '127.0.0.1',
});

const PATH = new RegExp(`^/2010-04-01/Accounts/${TWILIO_ACCOUNT.sid}/(Messages|Calls)[.]json$`);
const LOGIN = `Basic ${Buffer.from(`${TWILIO_ACCOUNT.sid}:${TWILIO_ACCOUNT.token}`).toString('base64')}`;

/** A double of Twilio's REST API: messages and calls of {@link TWILIO_ACCOUNT}, with the same refusals. */
export const startTwilio = (): Promise<ProviderDouble<TwilioMessage>> => startDouble(reading);

function reading(request: SeenRequest, count: number): Reading<TwilioMessage> {
  const resource = PATH.exec(request.path)?.[1];
  if (request.method !== 'POST' || resource === undefined) return refused(404, 20_404, 'The resource was not found');
  if (request.headers.authorization !== LOGIN) return refused(401, 20_003, 'Authenticate');
  const message = messageOf(resource === 'Calls' ? 'call' : 'message', request.body, count);
  const { sid, to, from, content } = message;
  if (!/^\+\d{2,18}$/.test(to)) return refused(400, 21_211, `The 'To' number ${to} is not a valid phone number.`);
  if (from === '') return refused(400, 21_603, "A 'From' phone number is required.");
  if (content === '') return refused(400, 21_602, 'Message body is required.');
  return { message, said: { status: 201, body: JSON.stringify({ sid, status: 'queued', to, from }) } };
}

function messageOf(kind: TwilioMessage['kind'], body: string, count: number): TwilioMessage {
  const parameters = Object.fromEntries(new URLSearchParams(body));
  const { To: to = '', From: from = parameters['MessagingServiceSid'] ?? '' } = parameters;
  const [prefix, content = ''] = kind === 'call' ? ['CA', parameters['Twiml']] : ['SM', parameters['Body']];
  return { kind, sid: `${prefix}${String(count).padStart(32, '0')}`, to, from, content, parameters };
}

const refused = (status: number, code: number, message: string): Reading<never> => ({
  refused: { status, body: JSON.stringify({ code, message, more_info: `https://twilio.example/${code}`, status }) },
});
