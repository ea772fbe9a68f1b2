import { blankIsAbsent, oneOf } from '@tocsin/events';
import { z } from 'zod';
import { Id, Instant } from '../answers/shared.ts';
import { wholeNumber } from '../bodies/query-values.ts';
import { resource, type Rules } from '../operation.ts';

/** The kinds of findings, the most severe first. Stable: callers and metrics name them. */
export const READINESS_KINDS = [
  'user-without-contact',
  'user-without-rule',
  'schedule-gap',
  'routing-without-recipient',
  'rule-never-matches',
  'escalation-of-one',
  'rotation-of-one',
  'clock-change',
] as const;
export type ReadinessKind = (typeof READINESS_KINDS)[number];

/** `error`: a page will reach no user. `warning`: it depends on one user, or on one setting. `information`: it is good to know. */
export const READINESS_SEVERITIES = ['error', 'warning', 'information'] as const;
export type ReadinessSeverity = (typeof READINESS_SEVERITIES)[number];

const kinds = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(',').filter((word) => word.trim() !== '') : value),
    z.array(oneOf(READINESS_KINDS), 'should be a list of kinds').default([]),
  )
  .meta({ description: 'The kinds to list; all by default.', param: { explode: false } });

/** Which findings are listed: those of a team, those of some kinds, and one page of them. */
export const ReadinessQuery = z.object({
  team: blankIsAbsent(z.string('should be the id or the name of a team')).meta({
    description: 'The id or the name of a team: its findings alone.',
  }),
  kind: kinds,
  limit: wholeNumber(1, 100, 100),
  offset: wholeNumber(0, 999_999_999, 0),
});
export type ReadinessQuery = z.infer<typeof ReadinessQuery>;

const Finding = z
  .object({
    id: z.string().meta({ description: 'The same for the same finding in later answers.' }),
    kind: z.enum(READINESS_KINDS),
    severity: z.enum(READINESS_SEVERITIES),
    teams: z
      .array(z.object({ id: Id, name: z.string().optional() }))
      .meta({ description: 'The teams that it concerns, 20 at most; none where no team owns the entity.' }),
    entity: z.object({ type: z.enum(['user', 'schedule', 'escalation', 'team']), id: Id, name: z.string() }),
    part: z
      .object({ type: z.enum(['rotation', 'routing-rule']), id: Id, name: z.string() })
      .optional()
      .meta({ description: 'The part of the entity that it is about.' }),
    message: z.string().meta({ description: 'What will happen, in one sentence.' }),
    remedy: z.string().meta({ description: 'What mends it.' }),
    path: z.string().meta({ description: 'The path of the API under which it is mended.' }),
    periods: z
      .array(z.object({ startDate: Instant, endDate: Instant }))
      .optional()
      .meta({ description: 'When it happens: the first 10 periods. Absent where it happens at any time.' }),
  })
  .meta({ id: 'ReadinessFinding' });

const example = {
  id: 'rotation-of-one:0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14:0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e15',
  kind: 'rotation-of-one',
  severity: 'warning',
  teams: [{ id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13', name: 'Database' }],
  entity: { type: 'schedule', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14', name: 'Database nights' },
  part: { type: 'rotation', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e15', name: 'Rot1' },
  message:
    'Rotation [Rot1] of schedule [Database nights] has one user: while ada@example.com does not answer, it pages no other user.',
  remedy: 'Add a second user to the rotation.',
  path: '/v2/schedules/0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14/rotations/0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e15',
};
const page = 'https://tocsin.example.com/v2/readiness?offset=0&limit=100';

const RULES: Rules = {
  S17: [
    'Readiness names what will go wrong when an alert comes, from the configuration of now and for the next 14 days. It names only what is certain.',
    '`user-without-contact`: no contact of a user is enabled and verified, or the user is blocked. An error where a schedule, an override, an escalation or a forwarding rule leads to the user; else a warning, not for observers and stakeholders.',
    '`user-without-rule`: a user to whom one of these leads has no enabled rule for `create-alert` that may hold for a P1 alert and has an enabled step to a usable contact. A warning where there are such rules, but their time restrictions leave times without one.',
    '`schedule-gap`: an enabled schedule has times without a user, team or escalation on call. A time at which an override asks for no user is none.',
    '`routing-without-recipient`: a routing rule of a team leads to a schedule or an escalation that does not exist or reaches no user, or the default rule notifies `none`.',
    '`rule-never-matches`: the conditions of a routing rule contradict each other, or earlier rules take each alert for which they hold, at all times at which it holds. The default rule is not named. Sets of more than 50 conditions are not decided, nor which rules match after the first 200 of a team.',
    '`escalation-of-one`: all rules of an escalation page the same user, or the one user on call of the same schedule. `rotation-of-one`: a rotation has one user.',
    '`clock-change`: a change of the clocks makes a shift of up to a day longer or shorter.',
    'An answer has every schedule, escalation and forwarding rule that was written before, and users and teams as they were at `computedAt`, 5 s before at most; without a change it is computed again after 30 s. Of schedules with more than about 10 000 shifts in 14 days, and beyond 500 000 shifts in all, gaps are not looked for; `uncheckedSchedules` counts them.',
    'A team key gets the findings of its team. It reads which schedule or escalation of its team leads to a user, and of others only that one does (K4).',
  ],
};

const count = z.int().min(0);

const counts = z
  .object({
    'user-without-contact': count,
    'user-without-rule': count,
    'schedule-gap': count,
    'routing-without-recipient': count,
    'rule-never-matches': count,
    'escalation-of-one': count,
    'rotation-of-one': count,
    'clock-change': count,
  } satisfies Readonly<Record<ReadinessKind, z.ZodType>>)
  .meta({ description: 'How many findings there are of each kind, whatever `kind` asks for.' });

/** What will go wrong when an alert comes; an operation of Tocsin. */
export const READINESS = resource('Readiness', RULES, {
  'list-readiness': {
    right: 'read-configuration',
    domain: 'configuration',
    owner: 'scheduling',
    method: 'GET',
    path: '/v2/readiness',
    summary: 'Lists what will go wrong when an alert comes',
    description: 'Findings are sorted by severity, kind and name of the entity. Nothing is written.',
    query: ReadinessQuery,
    success: {
      status: 200,
      schema: z.object({
        computedAt: Instant,
        totalCount: z.int().min(0),
        errorCount: z.int().min(0).meta({ description: 'How many of `totalCount` are errors.' }),
        counts,
        uncheckedSchedules: z.int().min(0),
        data: z.array(Finding),
        paging: z.object({ first: z.url(), last: z.url(), prev: z.url().optional(), next: z.url().optional() }),
      }),
      example: {
        computedAt: '2026-01-05T08:00:00Z',
        totalCount: 1,
        errorCount: 0,
        counts: Object.fromEntries(READINESS_KINDS.map((kind) => [kind, Number(kind === 'rotation-of-one')])),
        uncheckedSchedules: 0,
        data: [example],
        paging: { first: page, last: page },
      },
    },
    refusals: [404],
  },
});
