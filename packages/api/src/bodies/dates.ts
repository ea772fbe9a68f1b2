import { instant } from '@tocsin/events';
import type { z } from 'zod';

const EARLIEST = new Date('1900-01-01T00:00:00Z');
const LATEST = new Date('9999-01-01T00:00:00Z');

/** An instant that every zone can place on its calendar and every consumer can read. */
export const calendarDate: z.ZodType<Date> = instant
  .refine((value) => value >= EARLIEST && value < LATEST, 'should be a date of the years 1900 to 9998')
  .meta({ pattern: '^(19|[2-8][0-9]|9[0-8]|99(?!99))[0-9]{2}-' });

/** Both ends of a stretch of time, to be checked by `endsAfterItStarts`. */
export const period = { startDate: calendarDate, endDate: calendarDate };

/** Refuses a stretch of time that would be empty. */
export function endsAfterItStarts(
  { startDate, endDate }: { readonly startDate: Date; readonly endDate: Date },
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  if (endDate > startDate) return;
  context.addIssue({ code: 'custom', path: ['endDate'], message: 'should be after startDate' });
}
