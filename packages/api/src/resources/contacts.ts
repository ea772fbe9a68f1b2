import { alsoTaking, isEmailAddress, oneOf, PLAIN_EMAIL_ADDRESS, PushService, requiredText } from '@tocsin/events';
import { z } from 'zod';
import { Id, Instant, resultOf } from '../answers/shared.ts';
import { resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, dataAnswer } from '../successes.ts';
import { OF_USER } from './paths.ts';
import { Contact, ListedContact } from './users.ts';

/** The methods of contacts that callers may add; a mobile contact is a device that was registered (part 3, 2.2; U13). */
export const ContactBodyMethod = oneOf(['email', 'sms', 'voice']);
export type ContactBodyMethod = z.infer<typeof ContactBodyMethod>;

/** A country code of 1 to 3 digits, a hyphen, 1 to 15 digits (U3). */
const PHONE_NUMBER = /^\d{1,3}-\d{1,15}$/;

/** The form of an address of a method, and the text of its refusal (U3). */
const FORMS: Readonly<Record<ContactBodyMethod, readonly [(to: string) => boolean, string]>> = {
  email: [isEmailAddress, 'must be a well-formed email address'],
  sms: [(to) => PHONE_NUMBER.test(to), 'should be a country code, a hyphen and a number, such as 1-5551234567'],
  voice: [(to) => PHONE_NUMBER.test(to), 'should be a country code, a hyphen and a number, such as 1-5551234567'],
};

/** The error in an address of a contact of that method; undefined without one (U3). */
export function contactAddressFault(method: ContactBodyMethod, to: string): string | undefined {
  const [fits, fault] = FORMS[method];
  return fits(to) ? undefined : fault;
}

const address = requiredText('Address').transform((to) => to.trim());

/** The form of an address, as JSON Schema. */
const MAIL = { pattern: PLAIN_EMAIL_ADDRESS };
const PHONE = { pattern: PHONE_NUMBER.source };

/** The fields of a new contact. */
export const NewContactFields = z.object({ method: ContactBodyMethod, to: address });
type NewContact = z.output<typeof NewContactFields>;

/** The body of a contact with the fields of `fields`; the form of `to` is that of the method (U3). */
export const contactBody = <T extends NewContact>(fields: z.ZodType<T>): z.ZodType<T> =>
  fields
    .pipe(
      z.custom<T>().superRefine(({ method, to }, context) => {
        const message = contactAddressFault(method, to);
        if (message !== undefined) context.addIssue({ code: 'custom', path: ['to'], message });
      }),
    )
    .meta({
      anyOf: [
        { properties: { method: { const: 'email' }, to: MAIL } },
        { properties: { method: { enum: ['sms', 'voice'] }, to: PHONE } },
      ],
    });

/** Part 3, 4.2: the body that adds a contact to a user. */
export const CreateContactBody = contactBody(NewContactFields);
export type CreateContactBody = z.infer<typeof CreateContactBody>;

/** Part 3, 4.2: the body that gives a contact another address; which form it must have depends on the contact. */
export const UpdateContactBody = z.object({ to: address.meta({ anyOf: [MAIL, PHONE] }) });
export type UpdateContactBody = z.infer<typeof UpdateContactBody>;

/** A push service at which a user has a key of their own. An account of Telegram is linked instead. */
export type KeyedPushService = Exclude<PushService, 'telegram'>;

/** The form of the key of a user at a push service, and the text of its refusal (U13). */
const DEVICE_KEYS: Readonly<Record<KeyedPushService, readonly [RegExp, string]>> = {
  gotify: [/^[A-Za-z0-9_.-]{15,64}$/, 'should be the token of an application of Gotify'],
  pushover: [/^[a-zA-Z0-9]{30}$/, 'should be the user key of Pushover, 30 letters and digits'],
  slack: [/^[UW][A-Z0-9]{2,20}$/, 'should be the id of a member of Slack, such as U012AB3CD'],
  mattermost: [/^[a-z0-9]{26}$/, 'should be the id of a user of Mattermost, 26 letters and digits'],
};

const NEEDED_KEYS = Object.entries(DEVICE_KEYS).map(([kind, [{ source }]]) => ({
  if: { properties: { kind: { const: kind } }, required: ['kind'] },
  then: { properties: { key: { pattern: source } }, required: ['key'] },
}));

const NewDevice = z
  .object({
    name: requiredText('Name', 100).transform((name) => name.trim()),
    kind: oneOf(['ntfy', ...PushService.options])
      .default('ntfy')
      .meta({ description: 'The service that pushes to the device.' }),
    key: z.string('should be a text').max(100, 'should be at most 100 characters').optional().meta({
      description:
        'Of `gotify` the token of an application, of `pushover` the user key, of `slack` the id of the member, of `mattermost` the id of the user; ignored of `ntfy` and `telegram`.',
    }),
  })
  .meta({ allOf: NEEDED_KEYS });

/** The body that registers a device for push messages: what its owner calls it, and where it gets them (U13). */
export const RegisterDeviceBody = NewDevice.pipe(
  z.custom<z.output<typeof NewDevice>>().superRefine(({ key = '', kind }, context) => {
    if (kind === 'ntfy' || kind === 'telegram') return;
    const [form, message] = DEVICE_KEYS[kind];
    if (!form.test(key)) context.addIssue({ code: 'custom', path: ['key'], message });
  }),
);
export type RegisterDeviceBody = z.infer<typeof RegisterDeviceBody>;

/** As browsers write bytes: base64url without `=`. */
const bytes = (length: number, what: string) =>
  z.string(`should be ${what}`).regex(new RegExp(`^[\\w-]{${Math.ceil((length * 4) / 3)}}$`), `should be ${what}`);

/** The longest address of a push service; those in use have 200 characters or so. */
const MAX_ENDPOINT_LENGTH = 1_000;

/** What a browser calls its subscription: `PushSubscription.toJSON()`. Which addresses are taken is a setting (U22). */
const Subscription = z.object({
  endpoint: z
    .string('should be the address of a push service')
    .max(MAX_ENDPOINT_LENGTH, `should be at most ${MAX_ENDPOINT_LENGTH} characters`)
    .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), 'should be the address of a push service')
    .meta({ format: 'uri' }),
  keys: z.object({
    p256dh: bytes(65, 'the public key of the subscription: 65 bytes as base64url'),
    auth: bytes(16, 'the secret of the subscription: 16 bytes as base64url'),
  }),
});

/** The body that registers a browser for Web Push (U22). */
export const RegisterBrowserBody = z.object({
  name: requiredText('Name', 100).transform((name) => name.trim()),
  subscription: Subscription,
  replaces: Id.optional().meta({
    description:
      'The id of the contact of a browser. It gets the subscription, and the steps that use it go on with it.',
  }),
});
export type RegisterBrowserBody = z.infer<typeof RegisterBrowserBody>;

/** The body that confirms a contact: the six digits that were sent, also as a number (U3). */
export const ConfirmContactBody = z.object({
  code: z
    .preprocess(
      (value) => (typeof value === 'number' ? String(value).padStart(6, '0') : value),
      z
        .string('should be the six digits of the code')
        .trim()
        .regex(/^\d{6}$/, 'should be the six digits of the code'),
    )
    .meta(alsoTaking({ type: 'integer', minimum: 0, maximum: 999_999 })),
});
export type ConfirmContactBody = z.infer<typeof ConfirmContactBody>;

const read = { right: 'read-configuration', domain: 'configuration', owner: 'directory' } as const;
/** People belong to the account, so no team key changes them, their contacts or their rules (K8). */
const write = {
  right: 'write-configuration',
  domain: 'configuration',
  owner: 'directory',
  teamKeys: 'refused',
  people: 'self',
} as const;
const CONTACTS_PATH = '/v2/users/{userIdentifier}/contacts';
const CONTACT = `${CONTACTS_PATH}/{contactId}`;

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e31';
const contact = { id, method: 'sms', to: '44-2079460000', status: { enabled: true } };

const identified = z.object({ id: Id });
const message = z.string().optional().meta({ description: 'What came of it beside, for people to read.' });

const changed = (result: string) => changedAnswer(result, identified, { id });

const RULES: Rules = {
  U3: [
    'A contact is an e-mail address or a phone number (1 to 3 digits, hyphen, 1 to 15 digits), kept as written. The same address twice (mail addresses in any case): 409.',
    'A mail address has no dot first, last or beside another before the `@`. The same holds for user names.',
    '`status.enabled` is the choice of its owner, `disabledReason` the reason why it is not used.',
    'The log too names the rules of the steps that are deleted with a contact.',
    "With `CONTACT_VERIFICATION=required` a contact that is added or moved (a mail contact too, but for the user's own address) is not used until `POST …/contacts/{id}/verification/confirm` has its code of six digits. Contacts from before the setting stay usable.",
    '`POST …/contacts/{id}/verification` sends another code: one a minute and five an hour for an address, twenty an hour for a user, else 429 with `Retry-After`.',
    'As long as no phone channel is configured, the code of a phone contact is not sent, and the log says so.',
  ],
  U13: [
    'Devices: the topic has 144 random bits; a browser subscribes at `url`, the app of ntfy scans `qrText`. Without `PUSH_URL`: 422. Likewise `gotify` without `GOTIFY_URL`, and `pushover` without `PUSHOVER_URL` ([push by Gotify or Pushover](how-to/push-by-gotify-or-pushover.md)), `telegram` without `TELEGRAM_BOT_NAME` ([push by Telegram](how-to/push-by-telegram.md)), `slack` without `SLACK_URL`, and `mattermost` without `MATTERMOST_URL` ([push by Slack or Mattermost](how-to/push-by-slack-or-mattermost.md)). Where the alert of a page is acknowledged or closed and the user has a rule for that, the device shows it in place of the newest page about the alert, without a sound; an ntfy server before 2.16, and an app before 1.22, show one more message.',
    'A device of `telegram` is an account of Telegram. The answer has a `url` and no topic: the account is linked once its owner has opened the `url` and pressed Start, in a private chat with the bot. There is no contact before that; then `id` is its id, and `to` is `telegram:` and the id of the account. The `url` has 144 random bits, of which Tocsin keeps a hash, works once and for one account, until `expiresAt` (15 minutes) or until the user asks for another one. An account is a device of one user at a time: the bot refuses a second one, and says why.',
    'A device of `slack` or `mattermost` is an account there, whose id is the `key`. It is made at once, and is used only after the code that the bot sends to the account in private is entered (`POST …/contacts/{contactId}/verification/confirm`), whatever `CONTACT_VERIFICATION` says; codes and their limits are those of U3. `device.verified` becomes true by the code alone. An account is a device of one user at a time: the code of a second user is refused with 422 until the first one has deleted the device. A device that is not verified keeps no account from another user.',
    '`to` of the contact is the topic; the operations of contacts themselves refuse `mobile`. Devices are listed (with `device.name`) and disabled as contacts, keep their topic, and are in no default rule.',
    'Any other device is used at once, whatever `CONTACT_VERIFICATION` says, because only the user who registered it knows its topic. `device.verified` becomes true with the first push that the server took; a push to a device that was replaced verifies nothing.',
    'Steps may also name a `mobile` contact that is not registered, as rules from other systems do. One that is not a registered device is skipped and logged.',
    'Each key that may read configuration can read a topic; people read `*****` in place of it, unless it is their own or they are admins of the account. A reader who knows a topic can read its pushes, unless the push server has logins.',
  ],
  U22: [
    'Browsers: `to` of the contact is a random name of one subscription, and `device.kind` is `web-push`. No answer has the endpoint or the keys of a subscription.',
    'An endpoint is https. An endpoint that is an address of this machine or of a private network is refused unless `WEB_PUSH_ALLOWED_RANGES` has it; one that is allowed there may also be plain http. A name is checked when a message is sent.',
    'The same endpoint again, or `replaces`, keeps the contact: steps that use it go on with its new name. A user has at most five contacts of method `mobile`, devices and browsers together; 422 to a further one.',
    'A message is encrypted for the browser and signed by `VAPID_PRIVATE_KEY` of notifier. A push service keeps it for an hour at most; a later message about the same alert replaces it. P1 and P2 have the urgency `high`, others `normal`.',
    'After 404 or 410 of the push service the contact is not used (`disabledReason`), and its user gets a mail. A late answer about an older subscription changes nothing.',
    'Signing out does not end a subscription: pages go on until the contact is deleted or disabled, or the browser is unsubscribed.',
  ],
};

/** Part 3, 4.2, the confirmation of contacts (U3), the registration of devices (U13) and of browsers (U22). */
export const CONTACTS = resource('Contacts and devices', RULES, {
  'create-contact': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: CONTACTS_PATH,
    summary: 'Adds a contact to a user',
    description:
      'A user has at most two contacts of each method, of `mobile` five. Where contacts have to be confirmed, a code is sent and the contact is used only after it (U3).',
    params: OF_USER,
    body: { schema: CreateContactBody, example: { method: 'sms', to: '44-2079460000' } },
    success: {
      status: 201,
      schema: resultOf('Created').extend({ data: identified, message }),
      example: { result: 'Created', data: { id } },
    },
    refusals: [404, 409],
  },
  'list-contacts': {
    ...read,
    method: 'GET',
    path: CONTACTS_PATH,
    summary: 'Lists the contacts of a user',
    params: OF_USER,
    success: dataAnswer(z.array(ListedContact), [{ ...contact, applyOrder: 0 }]),
    refusals: [404],
  },
  'get-contact': {
    ...read,
    method: 'GET',
    path: CONTACT,
    summary: 'Reads a contact',
    params: OF_USER,
    success: dataAnswer(Contact, contact),
    refusals: [404],
  },
  'update-contact': {
    ...write,
    ...SMALL_BODY,
    method: 'PATCH',
    path: CONTACT,
    summary: 'Changes the address of a contact',
    description:
      'Notification steps that use the contact move with it (U12). Where contacts have to be confirmed, the new address is (U3).',
    params: OF_USER,
    body: { schema: UpdateContactBody, example: { to: '44-2079460001' } },
    success: {
      status: 200,
      schema: resultOf('Updated').extend({ data: identified, message }),
      example: { result: 'Updated', data: { id } },
    },
    refusals: [404, 409],
  },
  'delete-contact': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: CONTACT,
    summary: 'Deletes a contact',
    description: 'The notification steps that use the contact go with it; the message names their rules.',
    params: OF_USER,
    success: {
      status: 200,
      schema: resultOf('Deleted').extend({ message }),
      example: { result: 'Deleted', message: 'The steps that used the contact were deleted from: New Alert.' },
    },
    refusals: [404],
  },
  'enable-contact': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${CONTACT}/enable`,
    summary: 'Enables a contact',
    params: OF_USER,
    success: changed('Enabled'),
    refusals: [404],
  },
  'disable-contact': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${CONTACT}/disable`,
    summary: 'Disables a contact',
    description: 'A disabled contact is kept and not used.',
    params: OF_USER,
    success: changed('Disabled'),
    refusals: [404],
  },
  'send-contact-verification': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${CONTACT}/verification`,
    summary: 'Sends the code that confirms a contact',
    description:
      'Older codes are not valid from then on. A code is valid for 10 minutes; too many codes in a row are refused with status 429.',
    params: OF_USER,
    success: changed('Requested'),
    refusals: [404],
  },
  'confirm-contact': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${CONTACT}/verification/confirm`,
    summary: 'Confirms a contact by its code',
    description: 'A code can be guessed at five times. A contact that is confirmed stays so, whatever the code.',
    params: OF_USER,
    body: { schema: ConfirmContactBody, example: { code: '042137' } },
    success: changed('Verified'),
    refusals: [404],
  },
  'register-device': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: '/v2/users/{userIdentifier}/devices',
    summary: 'Registers a device for push messages',
    description:
      'The answer has a secret topic of the push server. The device subscribes to it, by scanning `qrText` or opening `url`. It is a contact of method `mobile`, which notification steps may name by the topic, and which is deleted like every contact. A user has at most five devices and browsers. A device of Gotify, Pushover, Slack or Mattermost needs the `key` of its user there; `topic` is then the kind and the key, and there is nothing to subscribe to. To Slack and Mattermost a code is sent, and the device is used only after it. Of Telegram the answer has the link by which its user links their account, and a contact comes to be only then. Refused where the service is not set up.',
    params: OF_USER,
    body: { schema: RegisterDeviceBody, example: { name: 'Phone' } },
    success: {
      status: 201,
      schema: resultOf('Created').extend({
        data: z.object({
          id: Id,
          topic: z.string().optional().meta({ description: 'The address of the contact; absent of `telegram`.' }),
          url: z.url().optional(),
          qrText: z.string().optional(),
          expiresAt: Instant.optional().meta({ description: 'Of `telegram`: until when the link works.' }),
        }),
        message,
      }),
      example: {
        result: 'Created',
        data: {
          id,
          topic: 'tocsin-4fJq0Zr7Yt1nXw9LbC2vHk5M',
          url: 'https://push.example.com/tocsin-4fJq0Zr7Yt1nXw9LbC2vHk5M',
          qrText: 'ntfy://push.example.com/tocsin-4fJq0Zr7Yt1nXw9LbC2vHk5M',
        },
      },
    },
    refusals: [404],
  },
  'register-browser': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: '/v2/users/{userIdentifier}/browsers',
    summary: 'Registers a browser for push messages',
    description:
      'The browser has subscribed at its push service with the key of `GET /v2/web-push`. It becomes a contact of method `mobile`, which notification steps may name by `to`, and which is deleted like every contact. The same subscription again is the same contact.',
    params: OF_USER,
    body: {
      schema: RegisterBrowserBody,
      example: {
        name: 'Firefox on Linux',
        subscription: {
          endpoint: 'https://push.example.net/v1/0c5e9f',
          keys: {
            p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'a1B2c3D4e5F6g7H8i9J0kQ',
          },
        },
      },
    },
    success: {
      status: 201,
      schema: resultOf('Created').extend({ data: z.object({ id: Id, to: z.string() }) }),
      example: { result: 'Created', data: { id, to: 'browser-4fJq0Zr7Yt1nXw9LbC2vHk5M' } },
    },
    refusals: [404],
  },
  'get-web-push': {
    right: 'read-configuration',
    domain: 'configuration',
    owner: 'notifier',
    people: 'every-role',
    method: 'GET',
    path: '/v2/web-push',
    summary: 'Reads the key with which browsers subscribe',
    description: 'The public key of the installation (VAPID, RFC 8292), as `applicationServerKey` of a subscription.',
    success: dataAnswer(
      z.object({
        publicKey: z.string().optional().meta({
          description:
            '65 bytes as base64url. Absent where the installation has no key: then no browser can be registered.',
        }),
      }),
      { publicKey: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4' },
    ),
  },
});
