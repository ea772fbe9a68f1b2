import type { NextOnCallOfSchedule, OnCallOfSchedule } from '../application/on-call-resolver.ts';
import { flattened } from '../domain/on-call-tree.ts';
import type { OnCallNode } from '../domain/on-call/expansion.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { Json } from './views.ts';

/** The schedule to which an answer belongs (part 2, 2.5 to 2.8). */
export const parentView = ({ id, name, enabled }: Schedule): Json => ({ id, name, enabled });

/** Who is on call in one schedule, as a list of user names or as the tree in which they were found (part 2, 2.8; S7). */
export function onCallView({ schedule, participants }: OnCallOfSchedule, flat: boolean): Json {
  const answer = flat
    ? { onCallRecipients: flattened(participants) }
    : { onCallParticipants: participants.map(nodeView) };
  return { _parent: parentView(schedule), ...answer };
}

/** Who comes next in one schedule; what is called recipients and what participants is as documented (part 2, 2.8; S6). */
export function nextOnCallView({ schedule, byTurn, exact }: NextOnCallOfSchedule, flat: boolean): Json {
  const answer = flat
    ? { nextOnCallParticipants: flattened(byTurn), exactNextOnCallParticipants: flattened(exact) }
    : { nextOnCallRecipients: byTurn.map(nodeView), exactNextOnCallRecipients: exact.map(nodeView) };
  return { _parent: parentView(schedule), ...answer };
}

function nodeView({ participants, ...node }: OnCallNode): Json {
  return node.type === 'user' ? node : { ...node, onCallParticipants: participants.map(nodeView) };
}
