import { z } from 'zod';
import { DOMAINS, type Domain } from '@tocsin/api';
import type { Rate, Rates } from './request-limits.ts';

const RATE = /^(\d{1,6})\/(\d{1,7})$/;
const MAX_RATE = { perSecond: 100_000, burst: 1_000_000 };
const FORM = 'such as 100/1000: how many a second (1 to 100000), and how many at once (no fewer, up to 1000000)';

/** The default rates (F6). */
const DEFAULTS: Readonly<Record<Domain, Rate>> = {
  alert: { perSecond: 100, burst: 1_000 },
  heartbeat: { perSecond: 100, burst: 1_000 },
  integration: { perSecond: 200, burst: 2_000 },
  configuration: { perSecond: 200, burst: 2_000 },
  search: { perSecond: 200, burst: 2_000 },
  'schedule-oncalls': { perSecond: 200, burst: 2_000 },
};

/** The setting of one rate: tokens a second and at once, such as `100/1000`, or `off`. */
export const rateSetting = z.string().transform((written, context): Rate | 'off' => {
  if (written === 'off') return written;
  const rate = rateOf(written);
  if (rate !== undefined) return rate;
  context.addIssue({ code: 'custom', message: `should be off, or ${FORM}` });
  return z.NEVER;
});

/** The setting of the rates of all domains: `off`, or those that differ from the defaults, such as `alert=100/1000,search=50/500`. */
export const ratesSetting = z
  .string()
  .transform((written, context): Rates => {
    if (written === 'off') return written;
    const rates: Partial<Record<Domain, Rate>> = {};
    for (const part of written.split(',')) {
      const [name = '', text = ''] = part.split('=', 2).map((word) => word.trim());
      const domain = DOMAINS.find((each) => each === name);
      const rate = rateOf(text);
      if (domain === undefined || rate === undefined || domain in rates) {
        const known = `each of ${DOMAINS.join(', ')} at most once, with its rate ${FORM}`;
        context.addIssue({ code: 'custom', message: `should be off, or ${known}; not ${JSON.stringify(part)}` });
        return z.NEVER;
      }
      rates[domain] = rate;
    }
    return { ...DEFAULTS, ...rates };
  })
  .default(DEFAULTS);

function rateOf(written: string): Rate | undefined {
  const [perSecond = 0, burst = 0] = (RATE.exec(written) ?? []).slice(1).map(Number);
  const inBounds = perSecond >= 1 && perSecond <= MAX_RATE.perSecond && burst >= perSecond && burst <= MAX_RATE.burst;
  return inBounds ? { perSecond, burst } : undefined;
}
