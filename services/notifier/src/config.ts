import { AddressRangesSetting, AuditResponders, serviceConfig } from '@tocsin/service';
import { z } from 'zod';
import { EMAIL_SETTINGS, isInTheClear } from './channels/email/settings.ts';
import { BundleSetting, ProviderRatesSetting } from './channels/providers/settings.ts';
import { PHONE_SETTINGS, phoneProblems } from './channels/phone/settings.ts';
import { PUSH_SETTINGS } from './channels/push/ntfy.ts';

export const Config = serviceConfig({
  ...EMAIL_SETTINGS,
  ...PHONE_SETTINGS,
  ...PUSH_SETTINGS,
  /**
   * Where providers reach the gateway of the installation, to report receipts and answers of users. Unset: they are not asked
   * to.
   */
  CALLBACK_URL: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://tocsin.example.com' })
    .refine((url) => !/[?#]/.test(url), 'should have neither a query nor a fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Addresses and ranges beside the public internet at which providers may be called, separated by commas. */
  OUTGOING_ALLOWED_RANGES: AddressRangesSetting,
  /** The same for webhooks, whose addresses are chosen by each user who may change an integration. */
  WEBHOOK_ALLOWED_RANGES: AddressRangesSetting,
  /**
   * How many messages with pages a contact gets within a minute, by method, as `sms=3,voice=3,email=20,mobile=20`, which is the
   * default: pages beyond that are bundled, and wait for it for at most a minute (U8). `off` for a method, or for all.
   */
  BUNDLE_LIMITS: BundleSetting,
  /** How many messages a provider takes a second, as `sms/twilio=10,voice/twilio=1`; without a rate, as many as there are. */
  PROVIDER_RATES: ProviderRatesSetting,
  /** Stands under every mail, and says in calls and text messages whose they are. */
  ACCOUNT_NAME: z.string().min(1).max(200).default('Tocsin'),
  /**
   * For how many days it is kept what was sent to whom. At least one day longer than Kafka keeps pages, because a page that
   * comes twice is recognised by these rows.
   */
  NOTIFICATION_RETENTION_DAYS: z.coerce.number().int().min(15).max(3_650).default(90),
  /** Whom the alerts of audits page. */
  AUDIT_RESPONDERS: AuditResponders,
  /** Where people reach the installation: the one address that links in mails lead to. Unset: mails have no links. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://tocsin.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
})
  .refine((config) => !isInTheClear(config), {
    path: ['SMTP_TLS'],
    error: 'cannot be off with SMTP_USERNAME: the password would go over the network in the clear',
  })
  .superRefine((config, context) => {
    for (const { message, variable } of phoneProblems(config))
      context.addIssue({ code: 'custom', path: [variable], message });
  });
export type Config = z.infer<typeof Config>;
