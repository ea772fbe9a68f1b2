import { z } from 'zod';
import { CreateScheduleBody, IdentifierQuery, ListSchedulesQuery, UpdateScheduleBody } from '@tocsin/contracts';
import { Schedule, ScheduleParent } from '../answers/schedules.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { EXAMPLES } from './schedule-examples.ts';

const body = {
  name: EXAMPLES.schedule.name,
  timezone: 'Europe/Rome',
  ownerTeam: { name: 'Database' },
  rotations: [EXAMPLES.rotationBody],
};
const schedule = {
  ...EXAMPLES.schedule,
  description: '',
  timezone: 'Europe/Rome',
  enabled: true,
  ownerTeam: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13', name: 'Database' },
  rotations: [EXAMPLES.rotation],
};

/** Part 2, 4.3. */
export const SCHEDULES = area({
  'create-schedule': {
    body: { schema: CreateScheduleBody, example: body },
    success: createdAnswer(ScheduleParent, EXAMPLES.parent),
    refusals: [404, 409],
  },
  'list-schedules': {
    query: ListSchedulesQuery,
    success: {
      status: 200,
      schema: z.object({ expandable: z.array(z.enum(['rotation'])), data: z.array(Schedule) }),
      example: { expandable: ['rotation'], data: [{ ...schedule, rotations: [] }] },
    },
  },
  'get-schedule': {
    query: IdentifierQuery,
    success: dataAnswer(Schedule, schedule),
    refusals: [404],
  },
  'update-schedule': {
    description:
      'What the body leaves out stays as it is. `rotations` replaces all of them; one with its `id` keeps it.',
    query: IdentifierQuery,
    body: { schema: UpdateScheduleBody, example: { timezone: 'Europe/Berlin' } },
    success: changedAnswer('Updated', ScheduleParent, EXAMPLES.parent),
    refusals: [404, 409],
  },
  'delete-schedule': {
    description: 'Its rotations and overrides are deleted with it.',
    query: IdentifierQuery,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
  'export-schedule': {
    description:
      'From a month ago to three months ahead: one event for each period of the final timeline. Where no schedule has that name, ' +
      'but one has it with `.ics`, that schedule is answered as `GET /v2/schedules/{identifier}` does.',
    query: IdentifierQuery,
    success: { mediaType: 'text/calendar', hasTag: true, description: 'The calendar, as iCalendar.' },
    refusals: [404],
  },
});
