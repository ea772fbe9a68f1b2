import { z } from 'zod';
import { alsoTaking } from '../described.ts';
import {
  blankIsAbsent,
  flexibleBoolean,
  listOf,
  oneOf,
  optional,
  Priority,
  requiredText,
  text,
} from '../primitives.ts';
import { wholeNumber } from '../whole-numbers.ts';
import { ALERT_LIMITS, separated } from './alert-fields.ts';
import { OwnerTeam } from './references.ts';
import { NOT_AN_OBJECT } from './refusals.ts';

/** What the interval of a heartbeat is counted in (part 1, 2.6). */
export const IntervalUnit = oneOf(['minutes', 'hours', 'days']);
export type IntervalUnit = z.infer<typeof IntervalUnit>;

/** In code points (part 1, section 8). */
const LONGEST_NAME = 200;
const MOST_INTERVAL = 100_000;

const name = requiredText('Heartbeat name', LONGEST_NAME);

const interval = wholeNumber({
  min: 1,
  max: MOST_INTERVAL,
  refusal: 'should be a whole number of at least 1',
  tooSmall: 'should be at least 1',
  tooLarge: `should be at most ${MOST_INTERVAL}`,
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

/** What a PATCH of a heartbeat may change. Clients repeat the name that stands in the path; whether it is that one is for the owner to say. */
export const UpdateHeartbeatBody = z.object(
  { name: blankIsAbsent(name), interval: optional(interval), intervalUnit: optional(IntervalUnit), ...rest },
  NOT_AN_OBJECT,
);
export type UpdateHeartbeatBody = z.infer<typeof UpdateHeartbeatBody>;
