import { rangeProblem } from '@tocsin/http';
import { z } from 'zod';

/** Addresses, ranges such as `10.1.0.0/16` and the word `private`, separated by commas. None by default. */
export const AddressRangesSetting = z
  .string()
  .default('')
  .transform((written) => written.split(',').flatMap((range) => range.trim() || []))
  .superRefine((each, context) => {
    for (const problem of each.map(rangeProblem)) if (problem !== undefined) context.addIssue(problem);
  });
