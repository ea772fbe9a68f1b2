import type { NotifyType, Responder, TeamState, UserState } from '@tocsin/contracts';
import type { Escalation } from './escalation.ts';
import type { Mention } from './mentions.ts';
import type { Forwardings } from './on-call/forwardings.ts';
import type { Schedule } from './schedule.ts';

/** Schedules, escalations, teams and users as they are known at one moment: what on-call answers are made from. */
export interface Snapshot {
  schedule(id: string): Schedule | undefined;
  escalation(id: string): Escalation | undefined;
  team(id: string): TeamState | undefined;
  user(id: string): UserState | undefined;
  /** Who has taken over whose duty. */
  readonly forwardings: Forwardings;
  /** Whether the owner of somebody unknown did not answer: then they may exist. */
  isUnanswered?(mention: Mention): boolean;
}

/** The name of a responder, user name for users, where it is known. */
export function nameIn(snapshot: Snapshot, { id, type }: Responder): string | undefined {
  return type === 'user' ? snapshot.user(id)?.username : snapshot[type](id)?.name;
}

/** The member ids of `team` that a notify type means, in the order of the team; for `default`, none: routing decides. */
export function membersMeantBy(team: TeamState, notifyType: NotifyType): readonly string[] {
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

/** What the default routing rule of `team` notifies; `none` where it has no such rule. */
export function defaultTarget(team: TeamState): TeamState['routingRules'][number]['notify'] {
  return team.routingRules.find(({ isDefault }) => isDefault)?.notify ?? { type: 'none' };
}

/** The notify type as a schedule understands it; those of teams mean the default there. */
export function ofSchedule(notifyType: NotifyType): 'default' | 'next' | 'previous' {
  return notifyType === 'next' || notifyType === 'previous' ? notifyType : 'default';
}
