import { z } from 'zod';
import { Instant } from '../answers/shared.ts';
import { resource, type Rules, SMALL_BODY } from '../operation.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

const LINK = '/v2/users/{identifier}/calendar-link';
const common = { domain: 'configuration', owner: 'scheduling', path: LINK } as const;
const write = { ...common, ...SMALL_BODY, right: 'write-configuration', people: 'self', teamKeys: 'refused' } as const;

const createdAt = '2026-01-05T08:00:00Z';
const url = 'https://tocsin.example.com/v2/calendars/o3Zk1cVw8sTqYv0hN5b2rJx7LmUeGdPa9fKiQtWzXyE.ics';

const RULES: Rules = {
  S16: [
    'A user has one calendar link at most (operations of Tocsin). It has 256 random bits, of which Tocsin keeps the SHA-256 alone: the link is shown once.',
    'It opens the calendar of S8 with the shifts of its user in all schedules, and nothing else. It works until its user, or an owner or admin of the account, renews or removes it; all may read whether there is one, and none reads the link; while the user is blocked it opens nothing. The link of a deleted user opens nothing.',
    'Requests are limited by address, like links to files (F6). One calendar of a link is made at a time, and they take no place from other reads (F5).',
  ],
};

/** Links by which calendar programs read the shifts of a user (S16). */
export const CALENDAR_LINKS = resource('Calendar links', RULES, {
  'create-calendar-link': {
    ...write,
    method: 'POST',
    summary: 'Makes or renews the calendar link of a user',
    description: 'The link before it opens nothing from then on.',
    success: createdAnswer(
      z.object({ url: z.string().meta({ description: 'Shown this once.' }), createdAt: Instant }),
      { url, createdAt },
    ),
    refusals: [404],
  },
  'get-calendar-link': {
    ...common,
    right: 'read-configuration',
    method: 'GET',
    summary: 'Says whether a user has a calendar link',
    success: dataAnswer(
      z.object({ isActive: z.boolean(), createdAt: Instant.optional().meta({ description: 'Where there is one.' }) }),
      { isActive: true, createdAt },
    ),
    refusals: [404],
  },
  'delete-calendar-link': {
    ...write,
    method: 'DELETE',
    summary: 'Removes the calendar link of a user',
    description: 'Where there is none, nothing changes.',
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'open-calendar-link': {
    right: 'link',
    domain: 'schedule-oncalls',
    owner: 'scheduling',
    method: 'GET',
    path: '/v2/calendars/{token}.ics',
    passedHeaders: ['if-none-match'],
    summary: 'Gives the on-call shifts of the user of a link as a calendar',
    description: 'The path is the key: it is for calendar programs, which cannot sign in.',
    success: { mediaType: 'text/calendar', hasTag: true, description: 'The calendar, as iCalendar.' },
    refusals: [404],
  },
});
