import { OnExcess } from '@tocsin/contracts';
import { isKeyShaped } from '@tocsin/key-auth';
import { serviceConfig } from '@tocsin/service-kit';
import { z } from 'zod';

export const Config = serviceConfig({
  /** The key of `Default API` at the first start; without one a key is made and told once (K5). */
  BOOTSTRAP_API_KEY: z.string().trim().refine(isKeyShaped, 'should be a UUID').optional(),
  /** What becomes of lists and details over their limit (E8). */
  INGEST_ON_EXCESS: OnExcess.default('reject'),
  /** Integration types to accept besides the known ones, separated by commas (P12). */
  EXTRA_INTEGRATION_TYPES: z
    .string()
    .default('')
    .transform((types) =>
      types
        .split(',')
        .map((type) => type.trim())
        .filter((type) => type !== ''),
    ),
});
export type Config = z.infer<typeof Config>;
