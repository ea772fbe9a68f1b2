import {
  type AnswerOf,
  GetOnCallsQuery,
  ListOnCallsQuery,
  RotationBody,
  SimulateOverrideBody,
  TimelineQuery,
} from '@tocsin/api';
import { type Clock, longWork } from '@tocsin/core';
import { formatInstant, listOf } from '@tocsin/events';
import {
  type Admission,
  defineInternalRoute,
  defineRoute,
  type InternalRoute,
  type Principal,
  type ReplyOf,
  type Route,
} from '@tocsin/http';
import { z } from 'zod';
import { identifierOf } from '../configuration/reference-operations.ts';
import { nameIn, type Snapshot } from '../configuration/snapshot.ts';
import type { Overrides } from '../schedules/override-operations.ts';
import type { Rotations } from '../schedules/rotation-operations.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';
import { parentView } from '../schedules/views.ts';
import { userNamesOf, type OnCallNode } from './on-call-tree.ts';
import type {
  DrawnRange,
  DrawnSchedule,
  NextOnCallOfSchedule,
  OnCallOfSchedule,
  OnCallResolver,
} from './operations.ts';
import type { DrawnShift } from './schedule-timeline.ts';

/** The operations that know what a schedule would be after a change. */
interface Simulations {
  readonly overrides: Pick<Overrides, 'simulate'>;
  readonly rotations: Pick<Rotations, 'simulate'>;
}

/** Part 2, 4.6, and the timeline of 4.3. */
export function onCallRoutes(
  onCalls: OnCallResolver,
  simulations: Simulations,
  clock: Clock,
  pool: Admission,
): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-on-calls',
      query: GetOnCallsQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = identifierOf(params['scheduleIdentifier'], query.identifierType);
        const found = await onCalls.ofSchedule(identifier, query.at ?? clock.now(), principal);
        await longWork.pause();
        return { body: { data: onCallView(found, query.flat) } };
      },
    }),
    defineRoute({
      operation: 'list-on-calls',
      pool,
      query: ListOnCallsQuery,
      handle: async ({ query, principal }) => {
        const found = await onCalls.ofAll(query.at ?? clock.now(), principal);
        return { body: { data: found.values().map((each) => onCallView(each, query.flat)) } };
      },
    }),
    defineRoute({
      operation: 'get-next-on-calls',
      pool,
      query: GetOnCallsQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = identifierOf(params['scheduleIdentifier'], query.identifierType);
        const found = await onCalls.next(identifier, query.at ?? clock.now(), principal);
        await longWork.pause();
        return { body: { data: nextOnCallView(found, query.flat) } };
      },
    }),
    defineRoute({
      operation: 'get-schedule-timeline',
      pool,
      query: TimelineQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = identifierOf(params['identifier'], query.identifierType);
        const now = clock.now();
        return timelineAnswer(await onCalls.timeline(identifier, drawnRange(query, now), now, principal), query);
      },
    }),
    ...simulationRoutes(onCalls, simulations, clock, pool),
  ];
}

/** Up to 100 schedules. */
const WantedOnCalls = z.object({
  schedules: listOf(z.object({ scheduleId: z.string(), teamId: z.string().optional() }), 100),
  withEnd: z.boolean(),
});

/** Who is on call in some schedules, for other services: in the first of those that were asked for, where all would take too long. */
export const usersOnCallRoute = (onCalls: Pick<OnCallResolver, 'usersOf'>, clock: Clock): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/on-calls',
    body: WantedOnCalls,
    handle: async ({ body: { schedules, withEnd } }) => ({
      body: { data: await onCalls.usersOf(schedules, clock.now(), { withEnd }) },
    }),
  });

function simulationRoutes(
  onCalls: OnCallResolver,
  { overrides, rotations }: Simulations,
  clock: Clock,
  pool: Admission,
): readonly Route[] {
  const simulated = async (schedule: Schedule, query: TimelineQuery, principal: Principal) => {
    const now = clock.now();
    return timelineAnswer(await onCalls.timelineOf(schedule, drawnRange(query, now), now, principal), query);
  };
  return [
    defineRoute({
      operation: 'simulate-override',
      pool,
      query: TimelineQuery,
      body: SimulateOverrideBody,
      handle: async ({ params, query, body, principal }) => {
        const identifier = identifierOf(params['identifier'], query.identifierType);
        return simulated(await overrides.simulate(identifier, body, principal), query, principal);
      },
    }),
    defineRoute({
      operation: 'simulate-rotation',
      pool,
      query: TimelineQuery,
      body: RotationBody,
      handle: async ({ params, query, body, principal }) => {
        const identifier = identifierOf(params['identifier'], query.identifierType);
        return simulated(await rotations.simulate(identifier, body, principal), query, principal);
      },
    }),
  ];
}

const drawnRange = ({ date, expand, interval, unit }: TimelineQuery, now: Date): DrawnRange => ({
  date: date ?? now,
  interval,
  unit,
  layers: 1 + expand.length,
});

async function timelineAnswer(
  drawn: DrawnSchedule,
  { expand }: TimelineQuery,
): Promise<ReplyOf<'get-schedule-timeline'>> {
  await longWork.pause();
  return { body: { expandable: ['base', 'forwarding', 'override'], data: timelineView(drawn, expand) } };
}

/** The users on call in one schedule, as a list of user names or as a tree (part 2, 2.8; S7). */
function onCallView({ schedule, participants }: OnCallOfSchedule, flat: boolean): AnswerOf<'get-on-calls'>['data'] {
  const answer = flat
    ? { onCallRecipients: userNamesOf(participants) }
    : { onCallParticipants: participants.map(nodeView) };
  return { _parent: parentView(schedule), ...answer };
}

/** The next users on call in one schedule, with the documented meaning of recipients and participants (part 2, 2.8; S6). */
function nextOnCallView(
  { schedule, byTurn, exact }: NextOnCallOfSchedule,
  flat: boolean,
): AnswerOf<'get-next-on-calls'>['data'] {
  const answer = flat
    ? { nextOnCallParticipants: userNamesOf(byTurn), exactNextOnCallParticipants: userNamesOf(exact) }
    : { nextOnCallRecipients: byTurn.map(nodeView), exactNextOnCallRecipients: exact.map(nodeView) };
  return { _parent: parentView(schedule), ...answer };
}

type OnCallNodeView = Omit<OnCallNode, 'participants'> & { readonly onCallParticipants?: readonly OnCallNodeView[] };

function nodeView({ participants, ...node }: OnCallNode): OnCallNodeView {
  return node.type === 'user' ? node : { ...node, onCallParticipants: participants.map(nodeView) };
}

/** A timeline as GET shows it: the final layer, and the other layers of the request (part 2, 2.7). */
function timelineView(
  { schedule, range, layers, snapshot }: DrawnSchedule,
  expand: readonly ('base' | 'override' | 'forwarding')[],
): AnswerOf<'get-schedule-timeline'>['data'] {
  const layer = (name: keyof typeof layers) => ({
    rotations: layers[name]
      .map(({ rotation: { id, name: called }, shifts }, index) => ({
        id,
        name: called,
        order: index + 1,
        periods: shifts.map((shift) => periodView(shift, snapshot)),
      }))
      // The unnamed rotation of a schedule without rotations has overrides only.
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

function periodView({ from, until, type, recipient, fromUserId, users }: DrawnShift, snapshot: Snapshot) {
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
function recipientView(recipient: Participant, snapshot: Snapshot) {
  if (recipient.type === 'none') return recipient;
  const { type, id } = recipient;
  const name = nameIn(snapshot, recipient);
  return { id, type, ...(name !== undefined && { name }) };
}
