import type { TeamState, UserState } from '@tocsin/events';
import type { Snapshot } from '../configuration/snapshot.ts';
import type { Escalation, EscalationRule } from '../escalations/escalation.ts';
import { type ForwardingRule, Forwardings } from '../forwarding/forwarding.ts';
import type { Participant, Rotation, Schedule } from '../schedules/schedule.ts';

const createdAt = new Date('2026-01-01T00:00:00Z');
const version = { epoch: createdAt.getTime(), n: 1 };

/** A daily rotation in UTC from the first of January 2026. */
export const rotationOf = (participants: readonly Participant[], over: Partial<Rotation> = {}): Rotation => ({
  id: 'rotation',
  name: 'Rot1',
  type: 'daily',
  length: 1,
  startAt: createdAt,
  endAt: undefined,
  participants,
  timeRestriction: undefined,
  ...over,
});

export const scheduleOf = (id: string, rotations: readonly Rotation[], over: Partial<Schedule> = {}): Schedule => ({
  id,
  name: id,
  description: '',
  timezone: 'UTC',
  enabled: true,
  ownerTeamId: undefined,
  rotations,
  overrides: [],
  createdAt,
  version,
  ...over,
});

export const ruleFor = (
  recipient: EscalationRule['recipient'],
  over: Partial<EscalationRule> = {},
): EscalationRule => ({ condition: 'if-not-acked', notifyType: 'default', delayMinutes: 0, recipient, ...over });

export const escalationOf = (
  id: string,
  rules: readonly EscalationRule[],
  over: Partial<Escalation> = {},
): Escalation => ({
  id,
  name: id,
  description: '',
  ownerTeamId: undefined,
  rules,
  repeat: undefined,
  createdAt,
  version,
  ...over,
});

/** Forwards for the whole of the year 2026. */
export const forwardingOf = (
  fromUserId: string,
  toUserId: string,
  over: Partial<ForwardingRule> = {},
): ForwardingRule => ({
  id: `${fromUserId}-${toUserId}`,
  alias: undefined,
  fromUserId,
  toUserId,
  startAt: createdAt,
  endAt: new Date('2027-01-01T00:00:00Z'),
  createdAt,
  version,
  ...over,
});

export const userOf = (id: string): UserState => ({
  id,
  username: `${id}@example.com`,
  fullName: id,
  role: 'user',
  timeZone: 'UTC',
  locale: 'en_US',
  blocked: false,
  contacts: [],
  notificationRules: [],
});

type Notify = TeamState['routingRules'][number]['notify'];

export const teamOf = (id: string, members: Readonly<Record<string, string>>, notify: Notify): TeamState => ({
  id,
  name: id,
  description: '',
  members: Object.entries(members).map(([userId, role]) => ({ userId, role })),
  routingRules: [
    {
      id: `${id}-default`,
      name: '',
      isDefault: true,
      order: 0,
      timezone: 'UTC',
      criteria: { type: 'match-all', conditions: [] },
      notify,
    },
  ],
});

interface Things {
  readonly schedules?: readonly Schedule[];
  readonly escalations?: readonly Escalation[];
  readonly teams?: readonly TeamState[];
  readonly users?: readonly UserState[];
  /** In the order of their creation. */
  readonly forwardingRules?: readonly ForwardingRule[];
}

export const snapshotOf = ({
  schedules = [],
  escalations = [],
  teams = [],
  users = [],
  forwardingRules = [],
}: Things): Snapshot => ({
  schedule: (id) => schedules.find((schedule) => schedule.id === id),
  escalation: (id) => escalations.find((escalation) => escalation.id === id),
  team: (id) => teams.find((team) => team.id === id),
  user: (id) => users.find((user) => user.id === id),
  forwardings: new Forwardings(forwardingRules),
});
