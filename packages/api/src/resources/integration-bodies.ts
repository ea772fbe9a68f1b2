import {
  ALERT_ACTIONS,
  ALERT_LIMITS,
  blankIsAbsent,
  CHAT_MENTIONS,
  CHAT_THREADS,
  type ChatProvider,
  DEFAULT_LIMIT,
  given,
  isPostedByUrl,
  listOf,
  oneOf,
  optional,
  optionalReference,
  Priority,
  requiredText,
  text,
  tooMany,
} from '@tocsin/events';
import { z } from 'zod';
import { type Criteria, FilterBody } from '../bodies/conditions.ts';
import {
  extraProperties,
  flag,
  ignoreFlags,
  type IgnoreFlags,
  type Optional,
  recipientList,
  type RecipientReference,
  teamReference,
  type TeamReference,
  template,
  templates,
} from '../bodies/integration-fields.ts';
import {
  CHAT_TYPES,
  chatProviderOf,
  integrationFilterType,
  integrationKind,
  integrationType,
  isUsedWithoutUrl,
} from '../bodies/integration-types.ts';
import {
  isRead,
  MAX_FIELD_OF_TOOL,
  refuseWork,
  workOfSet,
  workOfTemplate,
  workOfTemplates,
} from '../bodies/pattern-steps.ts';

/** An action that an outgoing webhook may select (P12), in any letter case. */
export const AlertAction = oneOf(ALERT_ACTIONS);
export type AlertAction = z.infer<typeof AlertAction>;

const EMAIL_USERNAME = /^[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*$/;

/** The part before the `@` of an address that can be mailed to; compared without regard to case. */
const emailUsername = blankIsAbsent(
  text(64)
    .refine(
      (name) => EMAIL_USERNAME.test(name),
      'should be the part of a mail address before the @: letters, digits, dots, hyphens, plus signs and underscores',
    )
    .meta({ pattern: EMAIL_USERNAME.source }),
);

/** Replaces secrets of an integration, such as the values of headers, for a key that may not write (K10). */
export const HIDDEN = '*****';

const NOT_HIDDEN = 'is hidden from the key that read it, and is to be sent as it is';

const WITHOUT_LOGIN = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#@\\]*([/?#\\][\s\S]*)?$/;

const webAddress = blankIsAbsent(
  text()
    .refine(isWebAddress, 'should be a URL that begins with http:// or https://')
    .refine(hasNoLogin, 'should have no user name and no password: send them in a header')
    .refine((url) => !url.endsWith(`/${HIDDEN}`), NOT_HIDDEN)
    .meta({ format: 'uri', pattern: WITHOUT_LOGIN.source }),
);

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** A URL with a login is never called: logs and answers would show the password. */
function hasNoLogin(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null) return true;
  return WITHOUT_LOGIN.test(url) && parsed.username === '' && parsed.password === '';
}

const MAX_HEADERS = 50;
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Header fields by name: what breaks a request's head is refused. */
const headers = optional(
  z
    .record(
      z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
      text()
        .refine((value) => HEADER_VALUE.test(value), 'should have no line breaks')
        .refine((value) => value !== HIDDEN, NOT_HIDDEN)
        .meta({ pattern: HEADER_VALUE.source }),
      'should be a map of strings, named by letters, digits, hyphens and underscores',
    )
    .refine((map) => Object.keys(map).length <= MAX_HEADERS, tooMany(MAX_HEADERS))
    .meta({ maxProperties: MAX_HEADERS }),
);

const MAX_SECRET = 500;
const SECRET = /^[\u0021-\u007e]*$/;

/** A secret of a chat, as its header or its check takes it. */
const chatSecret = blankIsAbsent(
  text(MAX_SECRET)
    .refine((value) => SECRET.test(value), 'should have no spaces and be of ASCII')
    .refine((value) => value !== HIDDEN, NOT_HIDDEN)
    .meta({ pattern: SECRET.source }),
);

/** An app-level token of Slack. */
const APP_TOKEN = /^(?:\s*|xapp-[!-~]*)$/;
const appToken = blankIsAbsent(
  text(MAX_SECRET)
    .refine((value) => value !== HIDDEN, NOT_HIDDEN)
    .refine(
      (value) => value === HIDDEN || APP_TOKEN.test(value),
      'should be an app-level token of Slack, which begins with xapp-',
    )
    .meta({ pattern: APP_TOKEN.source }),
);

const MAX_CHANNEL = 200;
const CHANNEL = /^\S*$/;

const channel = blankIsAbsent(
  text(MAX_CHANNEL)
    .refine((value) => CHANNEL.test(value), 'should have no spaces')
    .meta({ pattern: CHANNEL.source }),
);

/** Schedules of which the channel of one integration shows who is on call. */
const MAX_ON_CALL = 10;
const USER_GROUP = /^S[A-Z0-9]{2,30}$/;
const CHANNEL_ID = /^[CDG][A-Z0-9]{2,30}$/;

const OnCallBody = z
  .object(
    {
      schedule: z.object(
        { id: optionalReference(100), name: optionalReference() },
        'should be an object with id or name',
      ),
      userGroup: blankIsAbsent(
        text()
          .refine((group) => USER_GROUP.test(group), 'should be the id of a user group of Slack, such as S0123456789')
          .meta({ pattern: USER_GROUP.source }),
      ),
      topic: flag,
      announce: flag,
    },
    'should be an object with a schedule',
  )
  .superRefine(({ announce, schedule, topic, userGroup }, context) => {
    if (!isRead(context)) return;
    if (schedule.id === undefined && schedule.name === undefined)
      context.addIssue({ code: 'custom', path: ['schedule'], message: 'should have id or name' });
    if (userGroup === undefined && topic !== true && announce !== true)
      context.addIssue({ code: 'custom', message: 'should have userGroup, topic or announce' });
  });
type OnCallBody = z.infer<typeof OnCallBody>;

/** What is wrong with `onCall` for the product of the integration. */
function onCallProblems({ channel: posts, onCall = [], type }: IntegrationBody) {
  const provider = chatProviderOf(type);
  const groups =
    provider === 'mattermost'
      ? onCall.flatMap(({ userGroup }, index) =>
          userGroup === undefined
            ? []
            : [
                {
                  field: `onCall[${index}].userGroup`,
                  message: 'is of Slack alone: Mattermost has no such user groups',
                },
              ],
        )
      : [];
  const needsId = provider === 'slack' && posts !== undefined && onCall.some(({ topic }) => topic === true);
  return needsId && !CHANNEL_ID.test(posts)
    ? [{ field: 'channel', message: 'should be the id of the channel, such as C0123456789, where its topic is set' }]
    : groups;
}

/** Names and forms of fields of Telegram: a chat by its id or its name, perhaps with the id of a topic; a token as BotFather writes it. */
const TELEGRAM_FIELDS = {
  channel: {
    pattern: /^(?:-?\d{1,16}|@\w{4,32})(?::\d{1,10})?$/,
    message: 'should be the id of a chat such as -1001234567890, or @name, with the id of a topic after a colon',
  },
  token: { pattern: /^\d{1,20}:[\w-]{1,100}$/, message: 'should be the token of a bot, such as 123456:ABC-DEF' },
} as const;

const TELEGRAM_SCHEMA = {
  if: { properties: { type: { const: 'Telegram' } } },
  then: {
    properties: Object.fromEntries(
      Object.entries(TELEGRAM_FIELDS).map(([field, { pattern }]) => [field, { pattern: `${pattern.source}|^$` }]),
    ),
  },
};

/** What is wrong with the fields of Telegram, which are a part of each URL. */
const telegramProblems = (body: IntegrationBody) =>
  chatProviderOf(body.type) === 'telegram'
    ? Object.entries(TELEGRAM_FIELDS).flatMap(([field, { message, pattern }]) => {
        const value = body[field as keyof typeof TELEGRAM_FIELDS];
        return value === undefined || pattern.test(value) ? [] : [{ field, message }];
      })
    : [];

/** Which fields a kind of integration cannot be without (part 1, 4.2; P22). */
const missing = (body: IntegrationBody) =>
  neededFields(body).flatMap((field) =>
    body[field] === undefined ? [{ field, message: `Property [${field}] cannot be empty.` }] : [],
  );

function neededFields(body: IntegrationBody): readonly (keyof IntegrationBody)[] {
  switch (integrationKind(body.type)) {
    case 'email':
      return ['emailUsername'];
    case 'webhook':
      return ['url'];
    case 'chat':
      return neededByChat(body);
    case 'api':
      return [];
  }
}

/** Whether a field is given that needs the channel, or is a part of it. */
function usesChannel(
  provider: ChatProvider | undefined,
  { appToken, channel: posts, onCall = [], token }: IntegrationBody,
): boolean {
  const showsOnCall = provider !== 'telegram' && onCall.length > 0;
  const hasSocket = provider === 'slack' && appToken !== undefined;
  return posts !== undefined || token !== undefined || showsOnCall || hasSocket;
}

function neededByChat(body: IntegrationBody): readonly (keyof IntegrationBody)[] {
  const provider = chatProviderOf(body.type);
  if (provider !== undefined && isPostedByUrl(provider)) return isUsedWithoutUrl(body.type) ? [] : ['url'];
  if (!usesChannel(provider, body)) return [];
  return provider === 'mattermost' ? ['channel', 'token', 'url'] : ['channel', 'token'];
}

const typesOfChat = (byUrl: boolean): readonly string[] =>
  Object.entries(CHAT_TYPES).flatMap(([type, provider]) => (isPostedByUrl(provider) === byUrl ? [type] : []));

/**
 * The body of an integration create or replacement (part 1, 4.2; wire facts 5, 10.7), whatever its type: fields of another
 * type than its own are read and have no effect. One that takes mail needs `emailUsername`, a Webhook one `url`; a chat that posts needs
 * `channel` and `token`, also where it has only `appToken`, and of Mattermost `url`; one that is posted to by a webhook needs `url` alone. Of Telegram `channel` and `token` have
 * a form of their own.
 */
export function integrationBody(extraTypes: readonly string[]): z.ZodType<IntegrationBody> {
  return z
    .object(
      {
        type: integrationType(extraTypes),
        name: requiredText('Name'),
        enabled: flag,
        ownerTeam: teamReference,
        assignedTeam: teamReference,
        allowReadAccess: flag,
        allowWriteAccess: flag,
        allowConfigurationAccess: flag,
        ...ignoreFlags,
        suppressNotifications: flag,
        keepSamples: flag,
        priority: blankIsAbsent(Priority),
        customPriority: template(DEFAULT_LIMIT),
        tags: templates(DEFAULT_LIMIT, ALERT_LIMITS.tags),
        extraProperties,
        recipients: recipientList(),
        responders: recipientList(),
        sendAlertActions: flag,
        alertActions: optional(listOf(AlertAction)),
        alertFilter: optional(FilterBody),
        emailUsername,
        url: webAddress,
        headers,
        addAlertDetails: flag,
        addAlertDescription: flag,
        channel,
        token: chatSecret,
        thread: optional(oneOf(CHAT_THREADS)),
        mention: optional(oneOf(CHAT_MENTIONS)),
        signingSecret: chatSecret,
        commandToken: chatSecret,
        onCall: optional(listOf(OnCallBody, MAX_ON_CALL)),
        appToken,
      },
      'should be a JSON object',
    )
    .superRefine((body, context) => {
      if (!isRead(context)) return;
      for (const { field, message } of [...missing(body), ...telegramProblems(body), ...onCallProblems(body)])
        context.addIssue({ code: 'custom', path: [field], message });
      const { alertFilter, customPriority, tags, extraProperties: properties } = body;
      const patterns = [
        ...(alertFilter === undefined ? [] : workOfSet(alertFilter.set, ['alertFilter'])),
        ...workOfTemplate(customPriority, ['customPriority'], MAX_FIELD_OF_TOOL),
        ...workOfTemplates(tags, ['tags'], MAX_FIELD_OF_TOOL),
        ...workOfTemplates(properties, ['extraProperties'], MAX_FIELD_OF_TOOL),
      ];
      refuseWork(patterns, context);
    })
    .meta({
      allOf: [
        needing({ pattern: '[Ee][Mm][Aa][Ii][Ll]$' }, 'emailUsername'),
        needing({ const: 'Webhook' }, 'url'),
        needing({ enum: typesOfChat(false) }, 'token', 'channel'),
        needing({ enum: typesOfChat(false) }, 'channel', 'token'),
        needing({ enum: typesOfChat(true).filter((type) => !isUsedWithoutUrl(type)) }, 'url'),
        needing({ const: 'Mattermost' }, 'url', 'channel'),
        needing({ enum: typesOfChat(false).filter((type) => chatProviderOf(type) === 'slack') }, 'token', 'appToken'),
        TELEGRAM_SCHEMA,
      ],
    });
}

/** The JSON Schema that requires a field for integrations of some types, if they have `present`. */
const needing = (type: object, field: string, present?: string) => ({
  if: { properties: { type }, ...(present !== undefined && given(present)) },
  then: given(field),
});

/** The body of an integration, within every limit. Absent fields have their defaults. */
export interface IntegrationBody extends Optional<
  IgnoreFlags & {
    enabled: boolean;
    ownerTeam: TeamReference;
    assignedTeam: TeamReference;
    allowReadAccess: boolean;
    allowWriteAccess: boolean;
    allowConfigurationAccess: boolean;
    suppressNotifications: boolean;
    keepSamples: boolean;
    priority: Priority;
    customPriority: string;
    tags: readonly string[];
    extraProperties: Readonly<Record<string, string>>;
    recipients: readonly RecipientReference[];
    responders: readonly RecipientReference[];
    sendAlertActions: boolean;
    alertActions: readonly AlertAction[];
    alertFilter: Criteria;
    emailUsername: string;
    url: string;
    headers: Readonly<Record<string, string>>;
    addAlertDetails: boolean;
    addAlertDescription: boolean;
    /** Of a chat, as in `ChatSettings`. */
    channel: string;
    token: string;
    thread: (typeof CHAT_THREADS)[number];
    mention: (typeof CHAT_MENTIONS)[number];
    signingSecret: string;
    commandToken: string;
    onCall: readonly OnCallBody[];
    appToken: string;
  }
> {
  readonly type: string;
  readonly name: string;
}

/** The filters of the integration list; an empty value filters nothing. */
export function integrationListQuery(extraTypes: readonly string[]): z.ZodType<IntegrationListQuery> {
  const type = integrationFilterType(extraTypes);
  return z.object({ type, teamId: optionalReference(), teamName: optionalReference() });
}

/** The filters of a list of integrations; an absent one excludes nothing. */
export interface IntegrationListQuery {
  readonly type?: string | undefined;
  readonly teamId?: string | undefined;
  readonly teamName?: string | undefined;
}

/** The body by which a client asks whether its key belongs to an integration of a type (wire facts 5). */
export const AuthenticateIntegrationBody = z.object({ type: requiredText('Type') }, 'should be a JSON object');
export type AuthenticateIntegrationBody = z.infer<typeof AuthenticateIntegrationBody>;
