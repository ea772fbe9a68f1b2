import { LARGE_BODY, MEDIUM_BODY, SMALL_BODY, type Operation } from './operation.ts';

const read = { right: 'read-configuration', domain: 'configuration', owner: 'scheduling' } as const;
const write = { right: 'write-configuration', domain: 'configuration', owner: 'scheduling' } as const;
/** Who is on call, which is asked more often than anything that is configured (wire facts 1.4). */
const readOnCalls = { ...read, domain: 'schedule-oncalls' } as const;
/** A rule passes on whatever reaches its user, for whichever team: no team key writes it (K8). */
const writeOfUser = { ...write, teamKeys: 'refused' } as const;

/** By which a calendar program asks only for what has changed. */
const CONDITIONS = ['if-none-match'] as const;

const SCHEDULE = '/v2/schedules/{identifier}';
const ROTATIONS = '/v2/schedules/{scheduleIdentifier}/rotations';
const OVERRIDES = '/v2/schedules/{scheduleIdentifier}/overrides';
const ESCALATION = '/v2/escalations/{identifier}';
const FORWARDING = '/v2/forwarding-rules/{identifier}';

/** Part 2, 4.3 to 4.6. */
export const SCHEDULE_OPERATIONS = [
  {
    ...write,
    ...LARGE_BODY,
    id: 'create-schedule',
    method: 'POST',
    path: '/v2/schedules',
    summary: 'Creates a schedule',
  },
  { ...read, id: 'list-schedules', method: 'GET', path: '/v2/schedules', summary: 'Lists schedules' },
  { ...read, id: 'get-schedule', method: 'GET', path: SCHEDULE, summary: 'Reads a schedule with its rotations' },
  { ...write, ...LARGE_BODY, id: 'update-schedule', method: 'PATCH', path: SCHEDULE, summary: 'Changes a schedule' },
  { ...write, ...SMALL_BODY, id: 'delete-schedule', method: 'DELETE', path: SCHEDULE, summary: 'Deletes a schedule' },
  {
    ...read,
    id: 'get-schedule-timeline',
    method: 'GET',
    path: `${SCHEDULE}/timeline`,
    summary: 'Shows who is on call over a range',
  },
  {
    ...read,
    id: 'export-schedule',
    method: 'GET',
    path: `${SCHEDULE}.ics`,
    passedHeaders: CONDITIONS,
    summary: 'Gives a schedule as a calendar',
  },

  { ...write, ...MEDIUM_BODY, id: 'create-rotation', method: 'POST', path: ROTATIONS, summary: 'Creates a rotation' },
  { ...read, id: 'list-rotations', method: 'GET', path: ROTATIONS, summary: 'Lists the rotations of a schedule' },
  { ...read, id: 'get-rotation', method: 'GET', path: `${ROTATIONS}/{id}`, summary: 'Reads a rotation' },
  {
    ...write,
    ...MEDIUM_BODY,
    id: 'update-rotation',
    method: 'PATCH',
    path: `${ROTATIONS}/{id}`,
    summary: 'Changes a rotation',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'delete-rotation',
    method: 'DELETE',
    path: `${ROTATIONS}/{id}`,
    summary: 'Deletes a rotation',
  },

  {
    ...write,
    ...MEDIUM_BODY,
    id: 'create-override',
    method: 'POST',
    path: OVERRIDES,
    summary: 'Puts another user on call for a time',
  },
  { ...read, id: 'list-overrides', method: 'GET', path: OVERRIDES, summary: 'Lists the overrides of a schedule' },
  { ...read, id: 'get-override', method: 'GET', path: `${OVERRIDES}/{alias}`, summary: 'Reads an override' },
  {
    ...write,
    ...MEDIUM_BODY,
    id: 'update-override',
    method: 'PUT',
    path: `${OVERRIDES}/{alias}`,
    summary: 'Replaces an override',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'delete-override',
    method: 'DELETE',
    path: `${OVERRIDES}/{alias}`,
    summary: 'Deletes an override',
  },

  {
    ...readOnCalls,
    id: 'list-on-calls',
    method: 'GET',
    path: '/v2/schedules/on-calls',
    summary: 'Lists who is on call in all schedules',
  },
  {
    ...readOnCalls,
    id: 'get-on-calls',
    method: 'GET',
    path: '/v2/schedules/{scheduleIdentifier}/on-calls',
    summary: 'Shows who is on call in a schedule',
  },
  {
    ...readOnCalls,
    id: 'get-next-on-calls',
    method: 'GET',
    path: '/v2/schedules/{scheduleIdentifier}/next-on-calls',
    summary: 'Shows who is on call next in a schedule',
  },
  {
    ...readOnCalls,
    id: 'export-on-calls',
    method: 'GET',
    path: '/v2/schedules/on-calls/{identifier}.ics',
    passedHeaders: CONDITIONS,
    summary: 'Gives the duties of a user as a calendar',
  },
] as const satisfies readonly Operation[];

/** Part 2, 4.6a. */
export const ESCALATION_OPERATIONS = [
  {
    ...write,
    ...MEDIUM_BODY,
    id: 'create-escalation',
    method: 'POST',
    path: '/v2/escalations',
    summary: 'Creates an escalation',
  },
  { ...read, id: 'list-escalations', method: 'GET', path: '/v2/escalations', summary: 'Lists escalations' },
  { ...read, id: 'get-escalation', method: 'GET', path: ESCALATION, summary: 'Reads an escalation' },
  {
    ...write,
    ...MEDIUM_BODY,
    id: 'update-escalation',
    method: 'PATCH',
    path: ESCALATION,
    summary: 'Changes an escalation',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'delete-escalation',
    method: 'DELETE',
    path: ESCALATION,
    summary: 'Deletes an escalation',
  },
] as const satisfies readonly Operation[];

/** Part 2, 4.7. */
export const FORWARDING_OPERATIONS = [
  {
    ...writeOfUser,
    ...MEDIUM_BODY,
    id: 'create-forwarding-rule',
    method: 'POST',
    path: '/v2/forwarding-rules',
    summary: 'Passes the duty of one user to another for a while',
  },
  {
    ...read,
    id: 'list-forwarding-rules',
    method: 'GET',
    path: '/v2/forwarding-rules',
    summary: 'Lists forwarding rules',
  },
  { ...read, id: 'get-forwarding-rule', method: 'GET', path: FORWARDING, summary: 'Reads a forwarding rule' },
  {
    ...writeOfUser,
    ...MEDIUM_BODY,
    id: 'update-forwarding-rule',
    method: 'PUT',
    path: FORWARDING,
    summary: 'Replaces a forwarding rule',
  },
  {
    ...writeOfUser,
    ...SMALL_BODY,
    id: 'delete-forwarding-rule',
    method: 'DELETE',
    path: FORWARDING,
    summary: 'Deletes a forwarding rule',
  },
] as const satisfies readonly Operation[];
