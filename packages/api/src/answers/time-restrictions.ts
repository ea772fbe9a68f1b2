import { WEEKDAYS } from '@tocsin/events';
import { z } from 'zod';

const timeOfDay = {
  startHour: z.int().min(0).max(23),
  startMin: z.int().min(0).max(59),
  endHour: z.int().min(0).max(23),
  endMin: z.int().min(0).max(59),
};
const weekday = z.enum(WEEKDAYS);

/** When something holds, on the wall clock of a zone (part 1, 2.9; S3). */
export const TimeRestriction = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('time-of-day'), restriction: z.object(timeOfDay) }),
    z.object({
      type: z.literal('weekday-and-time-of-day'),
      restrictions: z.array(z.object({ startDay: weekday, endDay: weekday, ...timeOfDay })),
    }),
  ])
  .meta({ id: 'TimeRestriction' });
