import { optional, optionalReference } from '@tocsin/events';
import { z } from 'zod';
import { UpdatePolicyBody, UpdatePolicyV2Body, type WrittenPolicy } from '../resources/policy-bodies.ts';
import { place } from './places.ts';
import { NOT_AN_OBJECT } from './refusals.ts';

/** A policy of another account. */
export interface ImportPolicyBody extends WrittenPolicy {
  /** The team that owns it; the account by default. */
  readonly teamId?: string | undefined;
  /** Its place among the policies of its kind and owner in that account, from 0 and perhaps with gaps. */
  readonly order?: number | undefined;
}

const order = optional(place).meta({
  description: 'Its place in the account from which it comes, from 0; gaps do no harm. By default it comes last.',
});
const teamId = optionalReference().meta({ description: 'The team that owns it; the account by default.' });

/** The body of an import of a policy in the form of version 2. */
export const ImportPolicyV2Body: z.ZodType<ImportPolicyBody> = z.intersection(
  UpdatePolicyV2Body,
  z.object({ teamId, order }, NOT_AN_OBJECT),
);

/** The body of an import of a policy of the account in the form of version 1. */
export const ImportPolicyV1Body: z.ZodType<ImportPolicyBody> = z.intersection(
  UpdatePolicyBody,
  z.object({ order }, NOT_AN_OBJECT),
);
