import { z } from 'zod';
import type { Rate } from '@tocsin/core';
import { ContactMethod } from '@tocsin/events';
import type { BundleLimits } from '../../queue/next-message.ts';
import { PHONE_PROVIDERS } from '../phone/settings.ts';

/** `<method>/<provider>` -> how many messages it takes. */
export type ProviderRates = ReadonlyMap<string, Rate>;

const PROVIDERS: Readonly<Record<ContactMethod, readonly string[]>> = {
  email: ['smtp'],
  mobile: ['ntfy', 'gotify', 'pushover', 'telegram', 'slack', 'mattermost', 'web-push'],
  sms: PHONE_PROVIDERS,
  voice: PHONE_PROVIDERS,
};
const NAMES = Object.entries(PROVIDERS).flatMap(([method, names]) => names.map((name) => `${method}/${name}`));
const [LEAST, MOST] = [0.1, 10_000];

const PerSecond = z.coerce.number().min(LEAST).max(MOST);

/** `sms/twilio=10,voice/twilio=1`: messages a second. At most so many go out at once, and at least one. */
export const ProviderRatesSetting = z
  .string()
  .default('')
  .transform((written, context): ProviderRates => {
    const rates = new Map<string, Rate>();
    for (const { name, part, value } of namedValues(written)) {
      const perSecond = PerSecond.safeParse(value);
      if (NAMES.includes(name) && perSecond.success)
        rates.set(name, { perSecond: perSecond.data, burst: Math.max(1, Math.ceil(perSecond.data)) });
      else
        context.addIssue(`[${part}] should be one of ${NAMES.join(', ')}, = and ${LEAST} to ${MOST} messages a second`);
    }
    return rates;
  });

/** How many messages with pages a contact gets within a minute before the next pages are bundled (U8). */
const DEFAULTS: Readonly<Record<ContactMethod, number>> = { email: 20, mobile: 20, sms: 3, voice: 3 };
/** How many pages a message of each method can list, whatever their texts are. */
const SIZES: Readonly<Record<ContactMethod, number>> = { email: 100, mobile: 6, sms: 15, voice: 10 };
const MAX_LIMIT = 100;

const Limit = z.coerce.number().int().min(1).max(MAX_LIMIT);

/** `sms=3,email=off`: a limit for each method, or none; `off` for all. Methods that are not named have their default. */
export const BundleSetting = z
  .string()
  .default('')
  .transform((written, context): BundleLimits => {
    if (written.trim().toLowerCase() === 'off') return new Map();
    const limits = new Map(Object.entries(DEFAULTS).map(([method, most]) => [ContactMethod.parse(method), most]));
    for (const { name, part, value } of namedValues(written)) {
      const [method, limit] = [ContactMethod.safeParse(name), Limit.safeParse(value)];
      if (method.success && value === 'off') limits.delete(method.data);
      else if (method.success && limit.success) limits.set(method.data, limit.data);
      else
        context.addIssue(
          `[${part}] should be a method (${ContactMethod.options.join(', ')}), = and 1 to ${MAX_LIMIT}, or off`,
        );
    }
    return new Map([...limits].map(([method, most]) => [method, { most, size: SIZES[method] }]));
  });

/** One part of a setting such as `sms=3,email=off`. */
interface NamedValue {
  /** As it is written, to be named where it is wrong. */
  readonly part: string;
  /** In lower case, as `value` is; empty where there is none. */
  readonly name: string;
  readonly value: string;
}

/** The parts of a setting that gives values to names, separated by commas. */
const namedValues = (written: string): readonly NamedValue[] =>
  written
    .split(',')
    .flatMap((each) => each.trim() || [])
    .map((part) => {
      const [name = '', value = ''] = part.split('=', 2).map((each) => each.trim().toLowerCase());
      return { part, name, value };
    });
