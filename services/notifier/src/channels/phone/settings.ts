import { z } from 'zod';
import { GatewayTemplates, namesCallback } from '../gateway/settings.ts';

/** The providers of text messages and calls. */
export const PHONE_PROVIDERS = ['twilio', 'http', 'log'] as const;
type PhoneProvider = (typeof PHONE_PROVIDERS)[number];

/** Names in the order in which they are asked, separated by commas. */
const providers = z
  .string()
  .default('')
  .transform((names) => names.split(',').flatMap((name) => name.trim().toLowerCase() || []))
  .refine(
    (names): names is PhoneProvider[] => names.every((name) => PHONE_PROVIDERS.some((known) => known === name)),
    `should be names out of ${PHONE_PROVIDERS.join(', ')}, separated by commas`,
  )
  .refine((names) => new Set(names).size === names.length, 'should name each provider once');

const text = z.string().optional();

/** The settings of text messages and calls. */
export const PHONE_SETTINGS = {
  /** Unset: there are no text messages. */
  SMS_PROVIDERS: providers,
  /** Unset: there are no calls. */
  VOICE_PROVIDERS: providers,
  TWILIO_ACCOUNT_SID: text,
  TWILIO_AUTH_TOKEN: text,
  /** The sender of text messages, and of calls unless `TWILIO_VOICE_FROM` is set. */
  TWILIO_FROM: text,
  TWILIO_VOICE_FROM: text,
  TWILIO_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.twilio.com'),
  /** A gateway with an API of its own: see {@link GatewayTemplates}. */
  SMS_HTTP_URL: text,
  SMS_HTTP_METHOD: text,
  SMS_HTTP_HEADERS: text,
  SMS_HTTP_BODY: text,
  SMS_HTTP_SUCCESS_STATUS: text,
  SMS_HTTP_SUCCESS_BODY: text,
  SMS_HTTP_RECEIPT_FIELD: text,
  SMS_HTTP_RECEIPT_DELIVERED: text,
  SMS_HTTP_RECEIPT_FAILED: text,
  /** The token in the URL at which a gateway reports replies. Users can reply to text messages of the gateway only with it. */
  SMS_HTTP_REPLY_TOKEN: z
    .string()
    .regex(/^[\w-]{16,200}$/, 'should be 16 to 200 letters, digits, `_` and `-`')
    .optional(),
  SMS_HTTP_REPLY_FROM_FIELD: z.string().min(1).max(100).default('from'),
  SMS_HTTP_REPLY_TEXT_FIELD: z.string().min(1).max(100).default('text'),
  VOICE_HTTP_URL: text,
  VOICE_HTTP_METHOD: text,
  VOICE_HTTP_HEADERS: text,
  VOICE_HTTP_BODY: text,
  VOICE_HTTP_SUCCESS_STATUS: text,
  VOICE_HTTP_SUCCESS_BODY: text,
  VOICE_HTTP_RECEIPT_FIELD: text,
  VOICE_HTTP_RECEIPT_DELIVERED: text,
  VOICE_HTTP_RECEIPT_FAILED: text,
} as const;

type Method = 'sms' | 'voice';
const GATEWAY_FIELDS = [
  'Url',
  'Method',
  'Headers',
  'Body',
  'SuccessStatus',
  'SuccessBody',
  'ReceiptField',
  'ReceiptDelivered',
  'ReceiptFailed',
] as const;
type GatewayField = (typeof GATEWAY_FIELDS)[number];

/** The part of the notifier's configuration that is about text messages and calls. */
export interface PhoneConfig extends Readonly<Partial<Record<`${Method}Http${GatewayField}`, string | undefined>>> {
  readonly smsProviders: readonly PhoneProvider[];
  readonly voiceProviders: readonly PhoneProvider[];
  readonly twilioAccountSid?: string | undefined;
  readonly twilioAuthToken?: string | undefined;
  readonly twilioFrom?: string | undefined;
  readonly twilioVoiceFrom?: string | undefined;
  readonly twilioApiUrl: string;
  /** Where providers reach the gateway of the installation; undefined: they get no URL. */
  readonly callbackUrl?: string | undefined;
  readonly smsHttpReplyToken?: string | undefined;
  readonly smsHttpReplyFromField: string;
  readonly smsHttpReplyTextField: string;
}

/** A number, or the sid of a messaging service: names that carriers show instead take no replies. */
const TAKES_REPLIES = /^(?:\+?\d{3,18}|MG[0-9a-f]{32})$/;

/** Whether users can reply to the text messages of a provider, and it reports the replies (U21). */
export function takesReplies(provider: PhoneProvider, config: PhoneConfig): boolean {
  if (config.callbackUrl === undefined) return false;
  switch (provider) {
    case 'twilio':
      return TAKES_REPLIES.test(config.twilioFrom ?? '');
    case 'http':
      return config.smsHttpReplyToken !== undefined;
    case 'log':
      return false;
  }
}

/** How messages of a method go to its HTTP gateway, as the settings say. */
export function gatewayOf(method: Method, config: PhoneConfig): z.ZodSafeParseResult<GatewayTemplates> {
  const field = (name: GatewayField): string | undefined => config[`${method}Http${name}`];
  const named = GATEWAY_FIELDS.map((name) => [name.charAt(0).toLowerCase() + name.slice(1), field(name)]);
  return GatewayTemplates.safeParse({ ...Object.fromEntries(named), url: field('Url') ?? '' });
}

/** The missing settings of the providers of text messages and calls, by variable. */
export function phoneProblems(config: PhoneConfig): readonly { readonly variable: string; readonly message: string }[] {
  return [
    ...(['sms', 'voice'] as const).flatMap((method) => gatewayProblems(method, config)),
    ...replyProblems(config),
    ...twilioProblems(config),
  ];
}

function gatewayProblems(method: Method, config: PhoneConfig) {
  if (!config[`${method}Providers`].includes('http')) return [];
  const { data, error } = gatewayOf(method, config);
  if (data !== undefined && namesCallback(data) && config.callbackUrl === undefined)
    return [{ variable: 'CALLBACK_URL', message: `is needed by {{callbackUrl}} of ${method.toUpperCase()}_HTTP_…` }];
  return (error?.issues ?? []).map(({ message, path }) => ({
    variable: `${method.toUpperCase()}_HTTP_${variableOf(String(path[0]))}`,
    message,
  }));
}

const replyProblems = ({ callbackUrl, smsHttpReplyToken }: PhoneConfig) =>
  smsHttpReplyToken !== undefined && callbackUrl === undefined
    ? [{ variable: 'CALLBACK_URL', message: 'is needed by SMS_HTTP_REPLY_TOKEN' }]
    : [];

const variableOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

function twilioProblems(config: PhoneConfig) {
  const { smsProviders, twilioAccountSid, twilioAuthToken, twilioFrom, twilioVoiceFrom, voiceProviders } = config;
  const [texts, calls] = [smsProviders, voiceProviders].map((names) => names.includes('twilio'));
  if (texts !== true && calls !== true) return [];
  const lacks = (isLacking: boolean, variable: string) =>
    isLacking ? [{ variable, message: 'is needed for the provider twilio' }] : [];
  return [
    ...lacks(twilioAccountSid === undefined, 'TWILIO_ACCOUNT_SID'),
    ...lacks(twilioAuthToken === undefined, 'TWILIO_AUTH_TOKEN'),
    ...lacks(twilioFrom === undefined && (texts === true || twilioVoiceFrom === undefined), 'TWILIO_FROM'),
  ];
}
