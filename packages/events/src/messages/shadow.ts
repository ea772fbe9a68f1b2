import { z } from 'zod';
import { id } from '../primitives.ts';
import { Version } from './shared.ts';

/** The answer of notifier to directory, which has sent it the state of the switch: what notifier keeps of it now (M3). */
export const KeptShadow = z.object({
  enabled: z.boolean(),
  periodId: id.optional(),
  version: Version,
  /** Whether each process of notifier knows it, or sends nothing, and no message is being handed over that it keeps back. */
  isEffective: z.boolean(),
});
export type KeptShadow = z.infer<typeof KeptShadow>;
