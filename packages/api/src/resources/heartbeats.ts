import {
  ALERT_LIMITS,
  alsoTaking,
  blankIsAbsent,
  flexibleBoolean,
  listOf,
  oneOf,
  optional,
  Priority,
  requiredText,
  text,
  wholeNumber,
} from '@tocsin/events';
import { z } from 'zod';
import { Instant, OwnerTeam as OwnerTeamAnswer, Priority as PriorityAnswer, resultOf } from '../answers/shared.ts';
import { separated } from '../bodies/alert-fields.ts';
import { OwnerTeam } from '../bodies/references.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { type Description, MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

/** The units of the interval of a heartbeat (part 1, 2.6). */
export const IntervalUnit = oneOf(['minutes', 'hours', 'days']);
export type IntervalUnit = z.infer<typeof IntervalUnit>;

/** In code points (part 1, section 8). */
const MAX_NAME_LENGTH = 200;
const MAX_INTERVAL = 100_000;

const name = requiredText('Heartbeat name', MAX_NAME_LENGTH);

const interval = wholeNumber({
  min: 1,
  max: MAX_INTERVAL,
  refusal: 'should be a whole number of at least 1',
  tooSmall: 'should be at least 1',
  tooLarge: `should be at most ${MAX_INTERVAL}`,
});

const tags = z
  .preprocess(separated, listOf(text(ALERT_LIMITS.tagLength), ALERT_LIMITS.tags))
  .meta(alsoTaking({ type: 'string', pattern: '^([^,]{0,50},){0,19}[^,]{0,50}$' }));

const rest = {
  description: optional(text(10_000)),
  enabled: optional(flexibleBoolean),
  ownerTeam: OwnerTeam,
  alertMessage: blankIsAbsent(text(ALERT_LIMITS.message)),
  alertTags: optional(tags),
  alertPriority: blankIsAbsent(Priority),
};

/**
 * Part 1, 4.3 and wire facts 5: the body that creates a heartbeat. `enabled` that is left out means false: the Go SDK leaves a
 * false out (H6). `alertTags` may be one text with commas.
 */
export const CreateHeartbeatBody = z.object({ name, interval, intervalUnit: IntervalUnit, ...rest }, NOT_AN_OBJECT);
export type CreateHeartbeatBody = z.infer<typeof CreateHeartbeatBody>;

/** The fields that a PATCH of a heartbeat may change. Clients repeat the name in the path; the owner checks that it is equal. */
export const UpdateHeartbeatBody = z.object(
  { name: blankIsAbsent(name), interval: optional(interval), intervalUnit: optional(IntervalUnit), ...rest },
  NOT_AN_OBJECT,
);
export type UpdateHeartbeatBody = z.infer<typeof UpdateHeartbeatBody>;

/** Part 1, 2.6. */
const Heartbeat = z
  .object({
    name: z.string(),
    description: z.string(),
    interval: z.int().min(1),
    intervalUnit: z.enum(['minutes', 'hours', 'days']),
    enabled: z.boolean(),
    expired: z.boolean().meta({ description: 'Whether its last ping is older than its interval.' }),
    lastPingTime: Instant.optional().meta({ description: 'Absent until the first ping.' }),
    ownerTeam: OwnerTeamAnswer.optional(),
    alertMessage: z.string().optional(),
    alertTags: z.array(z.string()),
    alertPriority: PriorityAnswer.optional(),
  })
  .meta({ id: 'Heartbeat' });

/** The answer to writes of a heartbeat. */
export const HeartbeatStatus = z
  .object({ name: z.string(), enabled: z.boolean(), expired: z.boolean() })
  .meta({ id: 'HeartbeatStatus' });

const read = { right: 'read-configuration', domain: 'heartbeat', owner: 'heartbeat-monitor' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'heartbeat',
  owner: 'heartbeat-monitor',
} as const;
/** The one heartbeat operation for keys without configuration access, with or without write access (K3). */
const pingRoute = {
  right: 'read',
  people: 'user',
  domain: 'heartbeat',
  owner: 'heartbeat-monitor',
  path: '/v2/heartbeats/{heartbeatName}/ping',
  summary: 'Reports that a system is alive',
} as const;
const ALL = '/v2/heartbeats';
const ONE = '/v2/heartbeats/{heartbeatName}';

const written = {
  name: 'nightly-backup',
  interval: 25,
  intervalUnit: 'hours',
  enabled: true,
  alertMessage: 'The nightly backup did not run',
  alertTags: ['backup'],
  alertPriority: 'P2',
};
const heartbeat = {
  ...written,
  description: '',
  expired: false,
  lastPingTime: '2026-01-31T02:14:07Z',
  ownerTeam: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13', name: 'Database' },
};
const status = { name: 'nightly-backup', enabled: true, expired: false };

/** The path of one heartbeat. */
export const HEARTBEAT_PATH = z.object({
  heartbeatName: z
    .string()
    .min(1)
    .meta({ description: 'The name of the heartbeat, in the letter case it was made with.' }),
});

const ping = {
  description:
    'The ping is on disk before the answer, and closes the alert that an expiry opened. A name that is not there, or is disabled, is answered alike, and nothing changes (H2). A body is never read.',
  params: HEARTBEAT_PATH,
  success: {
    status: 202,
    schema: resultOf('PONG - Heartbeat received'),
    example: { result: 'PONG - Heartbeat received' },
  },
} as const satisfies Description;

const writeOf = (result: string, example: z.infer<typeof HeartbeatStatus>) =>
  changedAnswer(result, HeartbeatStatus, example);

const RULES: Rules = {
  H1: [
    'A heartbeat is active from its first ping on, or from the request that enables it; creating it with `enabled: true` is not such a request. It expires when its interval has passed since then, to the millisecond; a monitor notices within a second.',
    'Its alert has the alias `heartbeat:<name>`, the message `alertMessage` or `<name> is expired` (a long name is cut), `alertTags`, `alertPriority` (P3) and the owner team as responder. It counts from the instant at which it was due. The next ping closes it.',
  ],
  H2: [
    "A ping by a team key of another team's heartbeat is 403 (K4). Of two pings the later counts, whichever comes first.",
    'A PATCH that names the interval or its unit begins a new interval of a heartbeat that was pinged before, and closes its alert.',
    'A ping that arrived in time counts, however long MongoDB takes to write it. While a monitor writes a ping, it expires that heartbeat only if it was due before the ping arrived. Because another monitor may be writing a ping, each monitor expires a heartbeat only once it is overdue for as long as the last write of that monitor to MongoDB took.',
    'After an outage of Tocsin nothing expires for one interval: of all monitors, of MongoDB, of the gateway, and after a ping or change that a monitor could not write because of MongoDB ([reasons](subjects/heartbeats.md#outages), also for what is not covered). Where outages come more often than that, a heartbeat expires once Tocsin has accepted pings for one whole interval since it was due.',
  ],
  H3: [
    'A ping is on the disks of the majority of MongoDB before it is answered. Names are compared as written. Enabling, also by PATCH and of an enabled heartbeat, counts as a ping.',
  ],
  H4: [
    'The alert carries the integration whose key created the heartbeat, as it was named then, and its team is the scope of the alias (A16).',
  ],
  H5: ['Neither maintenance nor disabling of that integration drops such an alert.'],
  H6: [
    "`enabled` is false where it is left out of a create: part 1, 4.3 requires it, but the Go SDK, and Terraform and the vendor's command line with it, leave out a false. `alertTags` may be one text with commas. `alertMessage`, `alertPriority`, `lastPingTime` and `ownerTeam` are left out of answers where they were never written. A PATCH with another name is 422.",
  ],
  H7: [
    'A create never overtakes its close, so no alert stays open that should not: the outbox publishes the commands of one heartbeat in the order of the writes that made them ([reasons](subjects/heartbeats.md#expiry-and-alert)). Alerts are not read back: one that a user closes stays closed until the heartbeat expires again.',
  ],
  H8: [
    'A team has at most about 4 MB (4 000 000 bytes) of heartbeats: else 422, whichever key writes them. A team over the limit can still write smaller ones.',
  ],
  H9: [
    'A heartbeat whose team is deleted, or that has none, opens its alert and pages no user; the monitor logs that (S12). The team is left out of answers then.',
  ],
};

/** Part 1, 4.3. */
export const HEARTBEATS = resource('Heartbeats', RULES, {
  'ping-heartbeat': {
    ...pingRoute,
    // A link that a person opens is a GET: it may not hold back an alert.
    people: 'none',
    method: 'GET',
    ...ping,
  },
  'ping-heartbeat-by-post': {
    ...pingRoute,
    ...SMALL_BODY,
    method: 'POST',
    ...ping,
  },
  'ping-heartbeat-by-put': {
    ...pingRoute,
    ...SMALL_BODY,
    method: 'PUT',
    ...ping,
  },
  'ping-heartbeat-by-patch': {
    ...pingRoute,
    ...SMALL_BODY,
    method: 'PATCH',
    ...ping,
  },
  'list-heartbeats': {
    ...read,
    method: 'GET',
    path: ALL,
    summary: 'Lists heartbeats',
    success: dataAnswer(z.object({ heartbeats: z.array(Heartbeat) }), { heartbeats: [heartbeat] }),
  },
  'create-heartbeat': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: ALL,
    summary: 'Creates a heartbeat',
    description: 'It expires for the first time one interval after it was enabled or pinged (H1, H3).',
    body: { schema: CreateHeartbeatBody, example: { ...written, ownerTeam: { name: 'Database' } } },
    success: createdAnswer(Heartbeat, heartbeat),
    refusals: [404, 409],
  },
  'get-heartbeat': {
    ...read,
    method: 'GET',
    path: ONE,
    summary: 'Reads a heartbeat',
    params: HEARTBEAT_PATH,
    success: dataAnswer(Heartbeat, heartbeat),
    refusals: [404],
  },
  'update-heartbeat': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PATCH',
    path: ONE,
    summary: 'Changes a heartbeat',
    description:
      'What the body leaves out stays as it is. A new interval begins anew (H2). The name can not be changed.',
    params: HEARTBEAT_PATH,
    body: { schema: UpdateHeartbeatBody, example: { interval: 2, intervalUnit: 'days' } },
    success: writeOf('Updated', status),
    refusals: [404],
  },
  'delete-heartbeat': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: ONE,
    summary: 'Deletes a heartbeat',
    description: 'Its open alert is closed (H4).',
    params: HEARTBEAT_PATH,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'enable-heartbeat': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${ONE}/enable`,
    summary: 'Enables a heartbeat',
    description: 'The interval begins now (H3).',
    params: HEARTBEAT_PATH,
    success: writeOf('Enabled', status),
    refusals: [404],
  },
  'disable-heartbeat': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${ONE}/disable`,
    summary: 'Disables a heartbeat',
    description: 'It expires no more, and its open alert is closed (H4).',
    params: HEARTBEAT_PATH,
    success: writeOf('Disabled', { ...status, enabled: false }),
    refusals: [404],
  },
});
