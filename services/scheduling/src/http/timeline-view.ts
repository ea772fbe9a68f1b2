import { formatInstant } from '@tocsin/contracts';
import type { DrawnSchedule } from '../application/on-call-resolver.ts';
import type { PastOrComingPeriod } from '../domain/schedule-timeline.ts';
import type { Participant } from '../domain/schedule.ts';
import { nameIn, type Snapshot } from '../domain/snapshot.ts';
import { parentView } from './on-call-views.ts';
import type { Json } from './views.ts';

/** A timeline as GET shows it: the final layer, and the other layers of the request (part 2, 2.7). */
export function timelineView(
  { schedule, range, layers, snapshot }: DrawnSchedule,
  expand: readonly ('base' | 'override' | 'forwarding')[],
): Json {
  const layer = (name: keyof typeof layers): Json => ({
    rotations: layers[name]
      .map(({ rotation: { id, name: called }, periods }, index) => ({
        id,
        name: called,
        order: index + 1,
        periods: periods.map((period) => periodView(period, snapshot)),
      }))
      // The unnamed rotation of a schedule without any is there for overrides alone.
      .filter(({ id, periods }) => id !== schedule.id || periods.length > 0),
  });
  return {
    _parent: parentView(schedule),
    startDate: formatInstant(new Date(range.from)),
    endDate: formatInstant(new Date(range.until)),
    finalTimeline: layer('final'),
    ...(expand.includes('base') && { baseTimeline: layer('base') }),
    ...(expand.includes('override') && { overrideTimeline: layer('override') }),
    ...(expand.includes('forwarding') && { forwardingTimeline: layer('forwarding') }),
  };
}

function periodView({ from, until, type, recipient, fromUserId, users }: PastOrComingPeriod, snapshot: Snapshot): Json {
  return {
    startDate: formatInstant(new Date(from)),
    endDate: formatInstant(new Date(until)),
    type,
    recipient: recipientView(recipient, snapshot),
    ...(fromUserId !== undefined && { fromUser: fromUserId }),
    ...(users && {
      flattenedRecipients: users.map(({ id, name, type: kind, forwardedFrom }) => ({
        id,
        name,
        type: kind,
        ...(forwardedFrom && { forwardedFrom }),
      })),
    }),
  };
}

/** Under `name`, users too; left out where it is not known any more. */
function recipientView(recipient: Participant, snapshot: Snapshot): Json {
  if (recipient.type === 'none') return { type: 'none' };
  const { type, id } = recipient;
  const name = nameIn(snapshot, recipient);
  return { id, type, ...(name !== undefined && { name }) };
}
