import { z } from 'zod';
import { Locale, Username } from '@tocsin/api';
import { oneOf, timeZone } from '@tocsin/events';
import { isLoopback } from '@tocsin/http';
import { AddressRangesSetting, serviceConfig } from '@tocsin/service';

const isOrigin = (url: string): boolean => URL.parse(url)?.href.replace(/\/$/, '') === URL.parse(url)?.origin;

/** Others on the network can read plain HTTP. */
function isSafeIssuer(issuer: string): boolean {
  const url = URL.parse(issuer);
  // A text that is not a URL is refused by the next check.
  if (url === null) return true;
  if (url.hash !== '' || url.search !== '' || url.pathname.includes('/.well-known/')) return false;
  return url.protocol !== 'http:' || isLoopback(url.hostname);
}

/** The settings of OpenID Connect: all of them, or none. */
const OPENID_SETTINGS = {
  /** By which a provider calls itself, in the very characters. */
  OPENID_ISSUER: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://login.example.com' })
    .refine(isSafeIssuer, 'should be https, without a query, a fragment and /.well-known/')
    .optional(),
  OPENID_CLIENT_ID: z.string().optional(),
  OPENID_CLIENT_SECRET: z.string().optional(),
  /** Domains of the mail addresses that may sign in, separated by commas. */
  OPENID_DOMAINS: z
    .string()
    .transform((written) => written.split(',').flatMap((domain) => domain.trim().toLowerCase() || []))
    .refine(
      (domains) => domains.length > 0 && domains.every((domain) => DOMAIN.test(domain)),
      'should be domains of mail addresses with commas, such as example.com,example.org',
    )
    .optional(),
} as const;
const DOMAIN = /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

export const Config = serviceConfig({
  ...OPENID_SETTINGS,
  /** Addresses and ranges beside the public internet at which the OpenID provider may be, separated by commas. */
  OUTGOING_ALLOWED_RANGES: AddressRangesSetting,
  /** The same for the push services of browsers, which any user names (U22). */
  WEB_PUSH_ALLOWED_RANGES: AddressRangesSetting,
  /** The mail address of the first owner of the account; without it there is none (K5). */
  OWNER_EMAIL: Username.optional(),
  /** Whether new contacts are used only after a code (U3). */
  CONTACT_VERIFICATION: oneOf(['off', 'required']).default('off'),
  /** The account as its users and invitations name it. */
  ACCOUNT_NAME: z.string().min(1).max(200).default('Tocsin'),
  ACCOUNT_TIMEZONE: timeZone.default('UTC'),
  ACCOUNT_LOCALE: Locale.default('en_US'),
  /** The push server to which devices subscribe; without it none can be registered (U13). */
  PUSH_URL: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://push.example.com' })
    .refine(isOrigin, 'should be scheme, host and port alone, such as https://push.example.com')
    .optional(),
  /** The server of Gotify at which users have applications; without it no device of Gotify can be registered. */
  GOTIFY_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://gotify.example.com' }).optional(),
  /** The API of Pushover; without it no device of Pushover can be registered. */
  PUSHOVER_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://api.pushover.net' }).optional(),
  /** The Web API of Slack; without it no account of Slack can be a device. */
  SLACK_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://slack.com/api' }).optional(),
  /** The server of Mattermost; without it no account of Mattermost can be a device. */
  MATTERMOST_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://chat.example.com' }).optional(),
  /** The user name of the bot of this installation in Telegram; without it no account of Telegram can be linked (U13). */
  TELEGRAM_BOT_NAME: z
    .string()
    .regex(/^@?[A-Za-z]\w{3,31}$/, 'should be the user name of a bot such as tocsin_bot')
    .transform((name) => name.replace('@', ''))
    .optional(),
}).superRefine((config, context) => {
  const given = {
    OPENID_ISSUER: config.openidIssuer,
    OPENID_CLIENT_ID: config.openidClientId,
    OPENID_CLIENT_SECRET: config.openidClientSecret,
    OPENID_DOMAINS: config.openidDomains,
  };
  const missing = Object.entries(given).filter(([, value]) => value === undefined);
  if (missing.length === Object.keys(given).length) return;
  for (const [name] of missing)
    context.addIssue({ code: 'custom', path: [name], message: 'is needed with the other settings OPENID_…' });
});
export type Config = z.infer<typeof Config>;
