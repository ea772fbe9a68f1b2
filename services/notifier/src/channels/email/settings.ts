import { z } from 'zod';

/** Without an address mails would have no sender at all, and servers refuse them. */
const SENDER =
  /^(?:(?:"[^"]*"\s*|[^<>]*)<\s*[^\s<>@,]+@[^\s<>@,]+\s*>|(?:[^<>@,]*\s)?[^\s<>@,]+@[^\s<>@,]+(?:\s+\([^()]*\))?)$/;

/** The settings of mail. */
export const EMAIL_SETTINGS = {
  /** `smtp://host:port` or `smtps://host:port`. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'is needed: smtp://host:port or smtps://host:port' }),
  SMTP_USERNAME: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  /**
   * `auto` upgrades where the server offers it, `required` refuses to go on without, `off` never does. With a user name `auto`
   * is `required`, and `off` is refused, unless the server is on this machine.
   */
  SMTP_TLS: z.enum(['auto', 'required', 'off']).default('auto'),
  /** `false` accepts a certificate without a trusted signature. */
  SMTP_TLS_VERIFY: z.stringbool().default(true),
  /** How many messages may be sent at once, each mail over a connection of its own. */
  SMTP_MAX_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(50),
  MAIL_FROM: z
    .string()
    .trim()
    .regex(SENDER, 'should be an address, or a name with one: Tocsin <tocsin@example.com>')
    .default('Tocsin <tocsin@localhost>'),
  /** The right side of message ids. */
  MESSAGE_ID_HOST: z.string().min(1).default('tocsin.invalid'),
} as const;

interface SmtpAccess {
  readonly smtpUrl: string;
  readonly smtpUsername?: string | undefined;
  readonly smtpTls: 'auto' | 'required' | 'off';
}

/** Whether a connection to this host stays on this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** Whether the settings send a login over the network without TLS. */
export function isInTheClear({ smtpTls, smtpUrl, smtpUsername }: SmtpAccess): boolean {
  const { hostname, protocol } = new URL(smtpUrl);
  return smtpUsername !== undefined && smtpTls === 'off' && protocol === 'smtp:' && !isLoopback(hostname);
}
