import { optional, wholeNumber } from '@tocsin/events';
import { z } from 'zod';
import { NOT_AN_OBJECT } from './refusals.ts';

const REFUSAL = 'should be a whole number of at least 0';

/** A place among others, counted from 0. */
export const place = wholeNumber({ min: 0, refusal: REFUSAL });

/** The place that a thing is moved to; clients leave a zero out (P8). */
export const NewPlaceBody = z
  .object({ order: optional(place) }, NOT_AN_OBJECT)
  .transform(({ order = 0 }) => ({ order }));
