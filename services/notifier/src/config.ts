import { AddressRangesSetting, AuditResponders, serviceConfig } from '@tocsin/service';
import { z } from 'zod';
import { EMAIL_SETTINGS, isInTheClear } from './channels/email/settings.ts';
import { BundleSetting, ProviderRatesSetting } from './channels/providers/settings.ts';
import { PHONE_SETTINGS, phoneProblems } from './channels/phone/settings.ts';
import { GOTIFY_SETTINGS } from './channels/push/gotify.ts';
import { MATTERMOST_SETTINGS } from './channels/push/mattermost.ts';
import { PUSH_SETTINGS } from './channels/push/ntfy.ts';
import { PUSHOVER_SETTINGS } from './channels/push/pushover.ts';
import { SLACK_SETTINGS } from './channels/push/slack.ts';
import { TELEGRAM_SETTINGS } from './channels/push/telegram.ts';
import { WEB_PUSH_SETTINGS } from './channels/push/vapid.ts';
import { isTrustable } from './chat/trusted-accounts.ts';

export const Config = serviceConfig({
  ...EMAIL_SETTINGS,
  ...PHONE_SETTINGS,
  ...PUSH_SETTINGS,
  ...GOTIFY_SETTINGS,
  ...PUSHOVER_SETTINGS,
  ...TELEGRAM_SETTINGS,
  ...SLACK_SETTINGS,
  ...MATTERMOST_SETTINGS,
  ...WEB_PUSH_SETTINGS,
  /**
   * Where providers reach the gateway of the installation, to report receipts and answers of users. Unset: they report none.
   */
  CALLBACK_URL: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://tocsin.example.com' })
    .refine((url) => !/[?#]/.test(url), 'should have neither a query nor a fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Addresses and ranges beside the public internet at which providers may be called, separated by commas. */
  OUTGOING_ALLOWED_RANGES: AddressRangesSetting,
  /** The same for webhooks, whose URLs users with the right to configure choose. */
  WEBHOOK_ALLOWED_RANGES: AddressRangesSetting,
  /** The same for the push services of browsers, which any user names. */
  WEB_PUSH_ALLOWED_RANGES: AddressRangesSetting,
  /**
   * How many messages with pages a contact gets within a minute, by method, as `sms=3,voice=3,email=20,mobile=20`, which is the
   * default: further pages are bundled, and wait for a minute at most (U8). `off` for a method, or for all.
   */
  BUNDLE_LIMITS: BundleSetting,
  /**
   * The accounts of chat that act as users by buttons and commands: ids of workspaces of Slack, and URLs of servers of Mattermost, whose mail
   * addresses of accounts belong to their owners, separated by commas. Empty: posts have no buttons, and no command is taken (C7, C9).
   */
  CHAT_ACCOUNTS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    )
    .refine(
      (words) => words.every(isTrustable),
      'should be ids of workspaces such as T0123456789, and URLs of servers',
    ),
  /** Whether a press of a button acts also where the account of that workspace or server has no user: in the name of the account (C7). */
  CHAT_UNKNOWN_MAY_ACT: z.stringbool().default(false),
  /** How many new posts a channel of chat gets within a minute; further alerts are listed in one (C6). */
  CHAT_LIMIT: z.coerce.number().int().min(1).max(50).default(20),
  /** How many messages a provider gets a second, as `sms/twilio=10,voice/twilio=1`; without a rate there is no limit. */
  PROVIDER_RATES: ProviderRatesSetting,
  /** The name of the installation, at the end of every mail and in calls and text messages. */
  ACCOUNT_NAME: z.string().min(1).max(200).default('Tocsin'),
  /**
   * For how many days sent messages are kept. At least one day longer than Kafka keeps pages, because these rows recognise a page
   * that comes twice.
   */
  NOTIFICATION_RETENTION_DAYS: z.coerce.number().int().min(15).max(3_650).default(90),
  /** The responders of the alerts of audits. */
  AUDIT_RESPONDERS: AuditResponders,
  /** The address of the installation for users, to which all links in mails lead. Unset: mails have no links. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://tocsin.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
})
  .refine((config) => !isInTheClear(config), {
    path: ['SMTP_TLS'],
    error: 'cannot be off with SMTP_USERNAME: the password would go over the network in the clear',
  })
  .refine((config) => (config.pushoverUrl === undefined) === (config.pushoverToken === undefined), {
    path: ['PUSHOVER_TOKEN'],
    error: 'is needed with PUSHOVER_URL, and has no use without it',
  })
  .refine((config) => (config.slackUrl === undefined) === (config.slackBotToken === undefined), {
    path: ['SLACK_BOT_TOKEN'],
    error: 'is needed with SLACK_URL, and has no use without it',
  })
  .refine((config) => (config.mattermostUrl === undefined) === (config.mattermostBotToken === undefined), {
    path: ['MATTERMOST_BOT_TOKEN'],
    error: 'is needed with MATTERMOST_URL, and has no use without it',
  })
  .superRefine((config, context) => {
    for (const { message, variable } of phoneProblems(config))
      context.addIssue({ code: 'custom', path: [variable], message });
  });
export type Config = z.infer<typeof Config>;
