import { mayName, type NotifyType, type Responder, type TeamState, type UserState } from '@tocsin/events';
import type { Escalation } from '../escalations/escalation.ts';
import type { Exists, Mention } from './mentions.ts';
import type { Forwardings } from '../forwarding/forwarding.ts';
import type { Schedule } from '../schedules/schedule.ts';

/** Schedules, escalations, teams and users at one moment: the input of on-call answers. */
export interface Snapshot {
  schedule(id: string): Schedule | undefined;
  escalation(id: string): Escalation | undefined;
  team(id: string): TeamState | undefined;
  user(id: string): UserState | undefined;
  /** Which user is forwarded to which. */
  readonly forwardings: Forwardings;
  /** Whether directory did not answer for an unknown user or team, or had no request for it: then it may exist. */
  isUnanswered?(mention: Mention): boolean;
}

/**
 * The part of `snapshot` that a key of team `teamId` may read (K9): of other teams, and of their schedules and escalations, only
 * the names. A key without team reads everything.
 */
export function readableBy(teamId: string | undefined, snapshot: Snapshot): Snapshot {
  if (teamId === undefined) return snapshot;
  return {
    schedule: (id) => {
      const found = snapshot.schedule(id);
      return found === undefined || mayName(found, teamId) ? found : { ...found, rotations: [], overrides: [] };
    },
    escalation: (id) => {
      const found = snapshot.escalation(id);
      return found === undefined || mayName(found, teamId) ? found : { ...found, rules: [] };
    },
    team: (id) => {
      const found = snapshot.team(id);
      return found === undefined || id === teamId ? found : { ...found, members: [], routingRules: [] };
    },
    user: (id) => snapshot.user(id),
    forwardings: snapshot.forwardings,
  };
}

/** A snapshot that records the users and teams that were looked for and not found: directory may have them. */
export class TrackedSnapshot implements Snapshot {
  readonly #snapshot: Snapshot;
  readonly #unknown = new Map<string, Mention>();
  readonly exists: Exists = ({ id, type }) => this[type](id) !== undefined;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  get forwardings(): Forwardings {
    return this.#snapshot.forwardings;
  }

  /** Each once. */
  get unknown(): readonly Mention[] {
    return [...this.#unknown.values()];
  }

  schedule(id: string): Schedule | undefined {
    return this.#snapshot.schedule(id);
  }

  escalation(id: string): Escalation | undefined {
    return this.#snapshot.escalation(id);
  }

  team(id: string): TeamState | undefined {
    return this.#found(this.#snapshot.team(id), { type: 'team', id });
  }

  user(id: string): UserState | undefined {
    return this.#found(this.#snapshot.user(id), { type: 'user', id });
  }

  #found<T>(found: T | undefined, mention: Mention): T | undefined {
    if (found === undefined) this.#unknown.set(`${mention.type}:${mention.id}`, mention);
    return found;
  }
}

/** The name of a responder, user name for users, where it is known. */
export function nameIn(snapshot: Snapshot, { id, type }: Responder): string | undefined {
  return type === 'user' ? snapshot.user(id)?.username : snapshot[type](id)?.name;
}

/** The ids of the members of `team` that a notify type selects, in the order of the team; none for `default`, where routing decides. */
export function selectMembers(team: TeamState, notifyType: NotifyType): readonly string[] {
  switch (notifyType) {
    case 'users':
      return team.members.filter(({ role }) => role === 'user').map(({ userId }) => userId);
    case 'admins':
      return team.members.filter(({ role }) => role === 'admin').map(({ userId }) => userId);
    case 'all':
    case 'random':
      return team.members.map(({ userId }) => userId);
    case 'default':
    case 'next':
    case 'previous':
      return [];
  }
}

/** The target of the default routing rule of `team`; `none` without such a rule. */
export function defaultTarget(team: TeamState): TeamState['routingRules'][number]['notify'] {
  return team.routingRules.find(({ isDefault }) => isDefault)?.notify ?? { type: 'none' };
}
