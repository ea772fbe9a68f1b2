import { z } from 'zod';
import { Locale, Username } from '@tocsin/api';
import { oneOf, timeZone } from '@tocsin/events';
import { serviceConfig } from '@tocsin/service';

const isOrigin = (url: string): boolean => URL.parse(url)?.href.replace(/\/$/, '') === URL.parse(url)?.origin;

export const Config = serviceConfig({
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
});
export type Config = z.infer<typeof Config>;
