import { z } from 'zod';

/** A condition as its caller spelled it (P2, E10). */
export const WrittenCondition = z.object({
  field: z.string(),
  key: z.string().optional(),
  not: z.boolean().optional(),
  isNot: z.boolean().optional(),
  operation: z.string(),
  expectedValue: z.string(),
  order: z.int().min(0).optional(),
});

/** A condition set as its caller spelled it (P2, E10). */
export const WrittenConditions = z
  .object({
    type: z.string().optional(),
    conditionMatchType: z.string().optional(),
    conditions: z.array(WrittenCondition).optional(),
  })
  .meta({ id: 'Conditions', description: 'In the spelling in which they were written.' });
