import type { NotifyType, TeamState } from '@tocsin/events';
import { selectMembers } from '../configuration/snapshot.ts';
import type { Escalation, EscalationRule } from '../escalations/escalation.ts';
import { type Finding, ownedBy, type ReadinessView } from './finding.ts';

/** An escalation that pages one user, whatever happens (S17). */
export function escalationFinding(escalation: Escalation, view: ReadinessView): Finding | undefined {
  const [first, ...others] = escalation.rules;
  if (first === undefined || others.some((rule) => keyOf(rule) !== keyOf(first))) return undefined;
  const user = onlyUser(first, view);
  if (user === undefined) return undefined;
  const { id, name, ownerTeamId } = escalation;
  return {
    kind: 'escalation-of-one',
    severity: 'warning',
    teamIds: ownedBy(ownerTeamId),
    entity: { type: 'escalation', id, name },
    message: `Escalation [${name}] pages ${user} and no other user: where this user does not acknowledge the alert, it ends.`,
    remedy: 'Add a rule that pages another user, schedule or team later.',
    path: `/v2/escalations/${id}`,
  };
}

const keyOf = ({ notifyType, recipient }: EscalationRule): string => `${notifyType}:${recipient.type}:${recipient.id}`;

/** The one user whom the rule pages, in words; undefined where it may page several, or none. */
function onlyUser({ notifyType, recipient: { id, type } }: EscalationRule, view: ReadinessView): string | undefined {
  if (type === 'user') return view.user(id)?.username;
  if (type === 'schedule') return userOnCall(id, view);
  const team = view.team(id);
  return team && notifyType !== 'default' ? onlyMember(team, notifyType, view) : undefined;
}

function onlyMember(team: TeamState, notifyType: NotifyType, view: ReadinessView): string | undefined {
  const members = selectMembers(team, notifyType);
  if (members.length > 0 && notifyType === 'random') return `one member of team [${team.name}]`;
  const [only = ''] = members;
  return members.length === 1 ? view.user(only)?.username : undefined;
}

/** A schedule with one rotation of users has one user on call at a time. */
function userOnCall(id: string, view: ReadinessView): string | undefined {
  const schedule = view.schedule(id);
  const rotations = schedule?.rotations.filter(({ endAt }) => endAt === undefined || endAt.getTime() > view.now) ?? [];
  const isOne = rotations.length === 1 && rotations[0]?.participants.every((one) => one.type === 'user') === true;
  return isOne ? `the one user on call in schedule [${schedule?.name ?? ''}]` : undefined;
}
