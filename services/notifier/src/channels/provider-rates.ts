import type { ContactMethod } from '@tocsin/contracts';
import type { Rate } from '@tocsin/clock';
import { z } from 'zod';
import { namedValues } from './named-values.ts';
import { PHONE_PROVIDERS } from './phone-settings.ts';

/** `<method>/<provider>` -> how many messages it takes. */
export type ProviderRates = ReadonlyMap<string, Rate>;

const PROVIDERS: Readonly<Record<ContactMethod, readonly string[]>> = {
  email: ['smtp'],
  mobile: ['ntfy'],
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
