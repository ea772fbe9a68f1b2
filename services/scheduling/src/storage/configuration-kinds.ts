import type { EscalationState, ScheduleState } from '@tocsin/contracts';
import { withMissing, type AnnouncedKind, type ConfigurationKind, type IndexPlan } from '@tocsin/persistence';
import type { Escalation } from '../domain/escalation.ts';
import type { ForwardingRule } from '../domain/forwarding.ts';
import type { Schedule } from '../domain/schedule.ts';
import { escalationMessage, scheduleMessage } from '../domain/states.ts';

// No kind has `conflict`: a decision on the snapshot finds a name that is taken before the index does.

export const SCHEDULES: AnnouncedKind<Schedule, ScheduleState> = {
  collection: 'schedules',
  read: ({ _id: id, rotations, overrides, ...rest }) => ({
    ...withMissing({ ownerTeamId: undefined }, rest),
    id,
    rotations: rotations.map((rotation) => withMissing({ endAt: undefined, timeRestriction: undefined }, rotation)),
    overrides: overrides.map((override) => withMissing({ rotationIds: undefined }, override)),
  }),
  message: scheduleMessage,
};

export const ESCALATIONS: AnnouncedKind<Escalation, EscalationState> = {
  collection: 'escalations',
  read: ({ _id: id, ...rest }) => ({ ...withMissing({ ownerTeamId: undefined, repeat: undefined }, rest), id }),
  message: escalationMessage,
};

export const FORWARDING_RULES: ConfigurationKind<ForwardingRule> = {
  collection: 'forwarding_rules',
  read: ({ _id: id, ...rest }) => ({ ...withMissing({ alias: undefined }, rest), id }),
};

/** The indexes that the service's configuration needs. */
export const configurationIndexes: readonly IndexPlan[] = [
  ...['schedules', 'escalations', 'forwarding_rules'].map((collection) => ({
    collection,
    keys: { createdAt: 1, _id: 1 } as const,
    serves: 'all of them in the order of their creation, without a sort in memory',
  })),
  { collection: 'schedules', keys: { name: 1 }, options: { unique: true }, serves: 'no two schedules of one name' },
  { collection: 'escalations', keys: { name: 1 }, options: { unique: true }, serves: 'no two escalations of one name' },
  {
    collection: 'forwarding_rules',
    keys: { alias: 1 },
    options: { unique: true, partialFilterExpression: { alias: { $type: 'string' } } },
    serves: 'no two forwarding rules of one alias; most have none',
  },
];
