import { serviceConfig } from '@tocsin/service-kit';
import { z } from 'zod';
import { isInTheClear } from './providers/smtp-security.ts';

export const Config = serviceConfig({
  /** `smtp://host:port` or `smtps://host:port`. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'is needed: smtp://host:port or smtps://host:port' }),
  SMTP_USERNAME: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  /**
   * `auto` upgrades where the server offers it, `required` refuses to go on without, `off` never does. With a user name `auto`
   * is `required`, and `off` is refused, unless the server is on this machine.
   */
  SMTP_TLS: z.enum(['auto', 'required', 'off']).default('auto'),
  /** `false` accepts a certificate that nobody has signed. */
  SMTP_TLS_VERIFY: z.stringbool().default(true),
  /** The window: how many mails may be handed over at once, each over a connection of its own. */
  SMTP_MAX_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(50),
  MAIL_FROM: z.string().min(3).default('Tocsin <tocsin@localhost>'),
  /** Stands under every mail. */
  ACCOUNT_NAME: z.string().min(1).max(200).default('Tocsin'),
  /** The right side of message ids. */
  MESSAGE_ID_HOST: z.string().min(1).default('tocsin.invalid'),
  /**
   * For how many days it is kept what was sent to whom. At least one day longer than Kafka keeps pages, because a page that
   * comes twice is recognised by these rows.
   */
  NOTIFICATION_RETENTION_DAYS: z.coerce.number().int().min(15).max(3_650).default(90),
  /** Where people reach the installation: the one address that links in mails lead to. Unset: mails have no links. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://tocsin.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
}).refine((config) => !isInTheClear(config), {
  path: ['SMTP_TLS'],
  error: 'cannot be off with SMTP_USERNAME: the password would go over the network in the clear',
});
export type Config = z.infer<typeof Config>;
