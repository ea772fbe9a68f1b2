import { blankIsAbsent, oneOf, ReadinessSeverity } from '@tocsin/events';
import { z } from 'zod';
import { Id, Instant } from '../answers/shared.ts';
import { wholeNumber } from '../bodies/query-values.ts';
import { resource, type Rules, SMALL_BODY } from '../operation.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

/** The kinds of findings, the most severe first. Stable: callers and metrics name them. */
export const READINESS_KINDS = [
  'user-without-contact',
  'user-without-rule',
  'schedule-gap',
  'routing-without-recipient',
  'rule-never-matches',
  'integration-refused',
  'post-refused',
  'bot-unread',
  'socket-closed',
  'policy-suppresses-all',
  'policy-never-matches',
  'integration-unused',
  'escalation-of-one',
  'rotation-of-one',
  'clock-change',
] as const;
export type ReadinessKind = (typeof READINESS_KINDS)[number];

/** `error`: a page will reach no user. `warning`: it depends on one user, or on one setting. `information`: it is good to know. */
export const READINESS_SEVERITIES = ReadinessSeverity.options;

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
    severity: ReadinessSeverity,
    teams: z
      .array(z.object({ id: Id, name: z.string().optional() }))
      .meta({ description: 'The teams that it concerns, 20 at most; none where no team owns the entity.' }),
    entity: z.object({
      type: z.enum(['user', 'schedule', 'escalation', 'team', 'integration', 'policy', 'account']),
      id: Id,
      name: z.string(),
    }),
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

/** The most findings that a service gives to scheduling, which lists them with its own. */
const MAX_SERVICE_FINDINGS = 1_000;

/** The answer of a service to scheduling: what its own configuration will make go wrong (S17). */
export const ServiceFindings = z.object({
  data: z
    .array(
      z.object({
        kind: z.enum(READINESS_KINDS),
        severity: ReadinessSeverity,
        teamIds: z.array(Id),
        entity: z.object({ type: z.enum(['integration', 'policy', 'account']), id: Id, name: z.string() }),
        message: z.string(),
        remedy: z.string(),
        path: z.string(),
      }),
    )
    .max(MAX_SERVICE_FINDINGS),
  /** Whether there are no more. */
  isComplete: z.boolean(),
});
export type ServiceFindings = z.infer<typeof ServiceFindings>;
export type ServiceFinding = ServiceFindings['data'][number];

/** The answer with as many of `findings` as it may have, errors first. */
export function serviceFindings(findings: readonly ServiceFinding[]): ServiceFindings {
  const data = findings.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  return { data: data.slice(0, MAX_SERVICE_FINDINGS), isComplete: data.length <= MAX_SERVICE_FINDINGS };
}

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
    '`integration-refused`: the last alert that came with the key of an enabled integration was refused within the last 14 days, with another status than 429 and below 500; none was accepted since. `integration-unused`: an enabled integration that takes alerts is 90 days old, and no request with its key and no mail to it came in that time (P21).',
    '`post-refused`: the last post of an enabled webhook or chat about an alert failed within the last 14 days, after all tries, or a chat does not take one for 15 minutes; none was accepted since (P12, P22). Also: a chat did not take the deletion of an alert within the last 14 days (C4), or does not show who is on call (C10).',
    '`bot-unread`: the updates of the bot of the installation in Telegram cannot be read for 5 minutes, such as where its token was revoked, or another program reads them (U13). The entity is of type `account`.',
    '`socket-closed`: an enabled integration of Slack with an `appToken` has no connection to Slack for 5 minutes, such as where the token was revoked or lacks the scope `connections:write`, or Socket Mode is off (C7).',
    '`policy-suppresses-all`: an enabled notification policy matches every alert at all times and suppresses its notifications. `policy-never-matches`: the conditions of an enabled policy contradict each other.',
    '`escalation-of-one`: all rules of an escalation page the same user, or the one user on call of the same schedule. `rotation-of-one`: a rotation has one user.',
    '`clock-change`: a change of the clocks makes a shift of up to a day longer or shorter.',
    'An answer has every schedule, escalation and forwarding rule that was written before, and users and teams as they were at `computedAt`, 5 s before at most; without a change it is computed again after 30 s. Of schedules with more than about 10 000 shifts in 14 days, and beyond 500 000 shifts in all, gaps are not looked for; `uncheckedSchedules` counts them.',
    'Findings about integrations are those that alert-ingest knew at `computedAt`, those about policies that alert-processor knew, those about posts that notifier knew. `incompleteServices` names a service of which findings are missing, because it did not answer within 2 s or has more than 1000.',
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
    'integration-refused': count,
    'post-refused': count,
    'bot-unread': count,
    'socket-closed': count,
    'policy-suppresses-all': count,
    'policy-never-matches': count,
    'integration-unused': count,
    'escalation-of-one': count,
    'rotation-of-one': count,
    'clock-change': count,
  } satisfies Readonly<Record<ReadinessKind, z.ZodType>>)
  .meta({ description: 'How many findings there are of each kind, whatever `kind` asks for.' });

const mail = { domain: 'configuration', owner: 'scheduling', path: '/v2/users/{identifier}/readiness-mail' } as const;
const mailWrite = {
  ...mail,
  ...SMALL_BODY,
  right: 'write-configuration',
  people: 'self',
  teamKeys: 'refused',
} as const;

const nextAt = Instant.meta({ description: 'When the next mail is due.' });
const monday = '2026-01-12T08:00:00Z';

/** What will go wrong when an alert comes, and the weekly mail of it; operations of Tocsin. */
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
        incompleteServices: z
          .array(z.string())
          .meta({ description: 'The services of which findings are missing; none: the answer is complete.' }),
        data: z.array(Finding),
        paging: z.object({ first: z.url(), last: z.url(), prev: z.url().optional(), next: z.url().optional() }),
      }),
      example: {
        computedAt: '2026-01-05T08:00:00Z',
        totalCount: 1,
        errorCount: 0,
        counts: Object.fromEntries(READINESS_KINDS.map((kind) => [kind, Number(kind === 'rotation-of-one')])),
        uncheckedSchedules: 0,
        incompleteServices: [],
        data: [example],
        paging: { first: page, last: page },
      },
    },
    refusals: [404],
  },
  'create-readiness-mail': {
    ...mailWrite,
    method: 'POST',
    summary: 'Orders the weekly mail of readiness for a user',
    description:
      'Where the user has ordered it before, nothing changes. Which findings it lists, and when it is sent: U23.',
    success: createdAnswer(z.object({ nextAt }), { nextAt: monday }),
    refusals: [404],
  },
  'get-readiness-mail': {
    ...mail,
    right: 'read-configuration',
    method: 'GET',
    summary: 'Says whether a user gets the weekly mail of readiness',
    success: dataAnswer(z.object({ isActive: z.boolean(), nextAt: nextAt.optional() }), {
      isActive: true,
      nextAt: monday,
    }),
    refusals: [404],
  },
  'delete-readiness-mail': {
    ...mailWrite,
    method: 'DELETE',
    summary: 'Ends the weekly mail of readiness of a user',
    description: 'Where there is none, nothing changes.',
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
