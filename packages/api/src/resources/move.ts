import { listOf, oneOf, optional, requiredText, text } from '@tocsin/events';
import { z } from 'zod';
import { Instant } from '../answers/shared.ts';
import { calendarDate } from '../bodies/dates.ts';
import { eachOnce } from '../bodies/import-ids.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { LARGE_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, dataAnswer, doneAnswer } from '../successes.ts';

/** What a move from another product depends on, in the order in which it is shown. */
export const MOVE_CONDITIONS = ['imported', 'on-call', 'duration', 'alerts', 'differences'] as const;
const STATES = ['met', 'unmet', 'unknown'] as const;

const MAX_TEXT = 500;
const MAX_MISSING = 100;
const MAX_MISSING_COUNT = 1_000_000_000;
const ALL = `should have each of [ ${MOVE_CONDITIONS.join(', ')} ] once`;
const WHOLE = `should be a whole number from 0 to ${MAX_MISSING_COUNT}`;

const ConditionBody = z
  .object(
    {
      name: oneOf(MOVE_CONDITIONS),
      state: oneOf(STATES),
      summary: requiredText('summary', MAX_TEXT),
      missing: listOf(requiredText('missing', MAX_TEXT), MAX_MISSING),
      missingCount: optional(z.int(WHOLE).min(0, WHOLE).max(MAX_MISSING_COUNT, WHOLE)),
    },
    NOT_AN_OBJECT,
  )
  .superRefine(({ missing, missingCount = missing.length }, context) => {
    if (missingCount >= missing.length) return;
    context.addIssue({
      code: 'custom',
      path: ['missingCount'],
      message: `should be at least ${missing.length}, because missing has as many texts`,
    });
  });

/** The address of an installation alone: what follows the host could be a key. */
const ORIGIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?\/?$/i;

/** A check of a move. */
export const MoveBody = z.object({
  from: text()
    .refine((url) => ORIGIN.test(url) && URL.canParse(url), 'should be a URL such as https://api.opsgenie.com')
    .meta({
      format: 'uri',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?/?$',
      description: 'Where the account moves from: an address without a path.',
    }),
  checkedAt: calendarDate,
  conditions: listOf(ConditionBody, MOVE_CONDITIONS.length)
    .min(MOVE_CONDITIONS.length, ALL)
    .superRefine(eachOnce('name')),
});
export type MoveBody = z.infer<typeof MoveBody>;

const Move = z
  .object({
    from: z.string(),
    checkedAt: Instant,
    conditions: z.array(
      z.object({
        name: z.enum(MOVE_CONDITIONS),
        state: z.enum(STATES),
        summary: z.string(),
        missing: z.array(z.string()),
        missingCount: z.int().min(0).optional().meta({ description: 'Where more is missing than is listed.' }),
      }),
    ),
    publishedBy: z.string().meta({ description: 'The integration or the user that published the check.' }),
    publishedAt: Instant,
  })
  .meta({ id: 'Move' });

const common = { domain: 'configuration', owner: 'directory', path: '/v2/account/move', teamKeys: 'refused' } as const;
const checked = {
  from: 'https://api.opsgenie.com',
  checkedAt: '2026-12-14T10:00:00Z',
  conditions: [
    { name: 'imported', state: 'met', summary: '29 of 29 things are as in the snapshot.', missing: [] },
    {
      name: 'on-call',
      state: 'unmet',
      summary: '1 of 3 schedules differs.',
      missing: ['Nights differs for 114 h: the rotation [Rot1] differs in timeRestriction.'],
    },
    { name: 'duration', state: 'unmet', summary: 'Shadow has been on for 6 of 14 days.', missing: [] },
    { name: 'alerts', state: 'met', summary: '214 of 200 alerts were compared.', missing: [] },
    { name: 'differences', state: 'unknown', summary: 'The alerts of Opsgenie could not be read.', missing: [] },
  ],
};
const example = { ...checked, publishedBy: 'Default API', publishedAt: '2026-12-14T10:00:02Z' };

const RULES: Rules = {
  M6: [
    'The last check of a move from another product says which conditions of the switch are met. `tocsin cutover check --publish` stores it, and the console shows it ([M7](behaviour.md#m-shadow)). Operations of Tocsin.',
    'Keys with configuration and read access, and people of every role, read it. Keys with configuration and write access, owners and admins publish and delete it. Keys of a team are refused, because the texts name things of all teams.',
    'A check replaces the one before as a whole, and an answer has the conditions in one order. A repeat is stored again, with a later `publishedAt`. A check that is older than the stored one is refused with 409.',
    '`checkedAt` may be 5 minutes ahead of the clock of Tocsin, not more: 422.',
    '404 where no check is stored. Tocsin decides nothing by it.',
  ],
};

/** The last check of a move (M6). */
export const MOVE = resource('Move', RULES, {
  'get-move': {
    ...common,
    right: 'read-configuration',
    method: 'GET',
    summary: 'Reads where the account stands in its move',
    success: dataAnswer(Move, example),
    refusals: [404],
  },
  'publish-move': {
    ...common,
    ...LARGE_BODY,
    right: 'write-configuration',
    method: 'PUT',
    summary: 'Publishes a check of the move',
    body: { schema: MoveBody, example: checked },
    success: changedAnswer('Updated', Move, example),
    refusals: [409],
  },
  'delete-move': {
    ...common,
    ...SMALL_BODY,
    right: 'write-configuration',
    method: 'DELETE',
    summary: 'Deletes the last check, once the move is over',
    description: 'Where there is none, nothing changes.',
    success: doneAnswer('Deleted'),
  },
});
