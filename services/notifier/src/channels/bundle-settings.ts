import { ContactMethod } from '@tocsin/contracts';
import { z } from 'zod';
import type { BundleLimits } from '../domain/next-message.ts';
import { namedValues } from './named-values.ts';

/** How many messages with pages a contact gets within a minute before the next pages are bundled (U8). */
const DEFAULTS: Readonly<Record<ContactMethod, number>> = { email: 20, mobile: 20, sms: 3, voice: 3 };
/** As many pages as a message of each method can list, whatever they say. */
const SIZES: Readonly<Record<ContactMethod, number>> = { email: 100, mobile: 6, sms: 15, voice: 10 };
const MOST = 100;

const Limit = z.coerce.number().int().min(1).max(MOST);

/** `sms=3,email=off`: a limit for each method, or none; `off` for all. What is not named has its default. */
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
          `[${part}] should be a method (${ContactMethod.options.join(', ')}), = and 1 to ${MOST}, or off`,
        );
    }
    return new Map([...limits].map(([method, most]) => [method, { most, size: SIZES[method] }]));
  });
