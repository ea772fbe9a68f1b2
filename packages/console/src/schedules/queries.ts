import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import type { TimeRestriction } from '../conditions/time-restriction.ts';
import { liveOptions } from '../live/live-queries.ts';
import type { Range } from './range.ts';
import { type CalendarDate, firstInstantOf, midnightOf } from './zone.ts';

export type Schedule = Answer<'get-schedule'>['data'];
export type Timeline = Answer<'get-schedule-timeline'>['data'];
export type Override = Answer<'list-overrides'>['data'][number];

/** An override as the page writes it. */
export interface OverrideBody {
  readonly alias: string;
  readonly user: { readonly type: 'none' } | { readonly type: 'user'; readonly username: string };
  readonly startDate: string;
  readonly endDate: string;
  readonly rotations: readonly { readonly id: string }[];
}

/** A participant as the page writes it: by id where it stays. */
export type WrittenParticipant =
  | { readonly type: 'none' }
  | { readonly type: 'user'; readonly username: string }
  | { readonly type: 'team' | 'escalation' | 'schedule'; readonly name: string }
  | { readonly type: 'user' | 'team' | 'escalation'; readonly id: string };

/** A rotation as the page writes it, as a whole. */
export interface RotationBody {
  readonly id?: string;
  readonly name?: string;
  readonly type: Schedule['rotations'][number]['type'];
  readonly length: number;
  readonly startDate: string;
  readonly endDate?: string | undefined;
  readonly participants: readonly WrittenParticipant[];
  readonly timeRestriction?: TimeRestriction | undefined;
}

/** All schedules, without their rotations. */
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: ({ signal }) => call<Answer<'list-schedules'>>({ path: '/v2/schedules', signal }),
});

export const pathOf = (id: string) => `/v2/schedules/${encodeURIComponent(id)}`;

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedule', id],
    queryFn: ({ signal }) => call<Answer<'get-schedule'>>({ path: pathOf(id), signal }),
    ...liveOptions({ kinds: ['schedules'], id }),
  });

/** The overrides of a schedule, in the order of their creation. */
const overridesQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedule', id, 'overrides'],
    queryFn: ({ signal }) => call<Answer<'list-overrides'>>({ path: `${pathOf(id)}/overrides`, signal }),
  });

const startOf = (date: CalendarDate, zone: string) =>
  new Date(firstInstantOf(midnightOf(date) ?? 0, zone)).toISOString();

/** All layers of a schedule from the midnight of a date on, and its overrides; `zone` is that of the schedule. */
export const planQuery = (id: string, zone: string, date: CalendarDate, { interval, key, unit }: Range) =>
  queryOptions({
    queryKey: ['schedule', id, 'plan', zone, date, key],
    queryFn: async ({ client, signal }) => {
      const query = { interval, intervalUnit: unit, expand: 'base,forwarding,override', date: startOf(date, zone) };
      const [timeline, overrides] = await Promise.all([
        call<Answer<'get-schedule-timeline'>>({ path: `${pathOf(id)}/timeline`, query, signal }),
        client.query({ ...overridesQuery(id), staleTime: 0 }),
      ]);
      return { timeline: timeline.data, overrides: overrides.data };
    },
    placeholderData: keepPreviousData,
    ...liveOptions({ kinds: ['schedules'], id }),
  });

/** Some days of a schedule as they are, and as they would be after a change, which `operation` simulates. */
const simulationQuery = (
  { id, zone }: SimulatedSchedule,
  { date, days }: PreviewedDays,
  operation: 'simulate' | 'simulate-rotation',
  body: object,
) =>
  queryOptions({
    queryKey: ['schedule', id, 'preview', zone, date, days, operation, body],
    queryFn: async ({ signal }) => {
      const query = { interval: days, intervalUnit: 'days', expand: 'override', date: startOf(date, zone) };
      const path = `${pathOf(id)}/timeline`;
      const [before, after] = await Promise.all([
        call<Answer<'get-schedule-timeline'>>({ path, query, signal }),
        call<Answer<'get-schedule-timeline'>>({ method: 'POST', path: `${path}/${operation}`, query, body, signal }),
      ]);
      return { before: before.data, after: after.data };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

/** Some days of a schedule as they are, and as they would be with an override. */
export const previewQuery = (schedule: SimulatedSchedule, days: PreviewedDays, body: OverrideBody) =>
  simulationQuery(schedule, days, 'simulate', body);

/** Some days of a schedule as they are, and as they would be with a rotation: a new one, or one in the place of that with its id. */
export const rotationPreviewQuery = (schedule: SimulatedSchedule, days: PreviewedDays, body: RotationBody) =>
  simulationQuery(schedule, days, 'simulate-rotation', body);

interface SimulatedSchedule {
  readonly id: string;
  readonly zone: string;
}

interface PreviewedDays {
  readonly date: CalendarDate;
  readonly days: number;
}
