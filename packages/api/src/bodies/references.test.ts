import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { createAlertBody } from '../resources/alert-bodies.ts';
import { UpdateEscalationBody } from '../resources/escalations.ts';
import { CreateIntegrationActionBody } from '../resources/integration-actions.ts';
import { integrationBody } from '../resources/integration-bodies.ts';
import { CreateNotificationRuleBody } from '../resources/notification-rule-bodies.ts';
import { CreateOverrideBody } from '../resources/overrides.ts';
import { CreatePolicyBody, CreatePolicyV2Body } from '../resources/policy-bodies.ts';
import { CreateSavedSearchBody, UpdateSavedSearchBody } from '../resources/saved-searches.ts';
import { CreateScheduleBody, UpdateScheduleBody } from '../resources/schedules.ts';
import { AddResponderBody } from './alert-actions.ts';

const ops = { type: 'team', name: 'Ops' };
const emptyTeams = [
  { type: 'team', name: '' },
  { type: 'TEAM', id: '', name: null },
  { type: 'team', username: '', name: ' ' },
  { type: 'team' },
  { type: '', name: '' },
  {},
  null,
  '',
];

const alert = { message: 'Disk full' };
const action = { type: 'create', name: 'Open', alias: '{{alias}}' };
const integration = { type: 'API', name: 'Monitoring' };
const search = { name: 'Mine', query: 'status:open', owner: { username: 'ada@example.com' } };
const modify = { type: 'modify', name: 'Words', enabled: true, message: '{{message}}' };
const rotation = { type: 'daily', startDate: '2026-01-01T00:00:00Z' };
const shiftRule = {
  name: 'Shifts',
  actionType: 'schedule-start',
  notificationTime: ['just-before'],
  enabled: true,
};
const override = {
  alias: 'Leave',
  user: { type: 'none' },
  startDate: '2026-01-01T00:00:00Z',
  endDate: '2026-01-02T00:00:00Z',
};

const lists: [string, z.ZodType, (list: unknown) => Record<string, unknown>][] = [
  ['responders', createAlertBody('reject'), (responders) => ({ ...alert, responders })],
  ['teams', createAlertBody('truncate'), (teams) => ({ ...alert, teams })],
  ['visibleTo', createAlertBody('reject'), (visibleTo) => ({ ...alert, visibleTo })],
  ['recipients of an integration', integrationBody([]), (recipients) => ({ ...integration, recipients })],
  ['responders of an integration', integrationBody([]), (responders) => ({ ...integration, responders })],
  ['recipients of an action', CreateIntegrationActionBody, (recipients) => ({ ...action, recipients })],
  ['recipients of a policy', CreatePolicyBody, (recipients) => ({ ...modify, recipients })],
  ['responders of a policy', CreatePolicyV2Body, (responders) => ({ ...modify, type: 'alert', responders })],
  ['teams of a saved search', CreateSavedSearchBody, (teams) => ({ ...search, teams })],
  ['participants', CreateScheduleBody, (participants) => ({ name: 'Ops', rotations: [{ ...rotation, participants }] })],
  ['rotations of an override', CreateOverrideBody, (rotations) => ({ ...override, rotations })],
];

describe('an empty reference in a list (E12)', () => {
  it.each(lists)('is absent among %s', (_, body, withList) => {
    const read = body.parse(withList([...emptyTeams.slice(0, 4), ops, ...emptyTeams.slice(4)]));
    expect(read).toEqual(body.parse(withList([ops])));
  });

  it('is absent among the schedules of a notification rule', () => {
    const schedules = [{ type: 'schedule', name: '' }, {}, { name: 'Nights' }];
    expect(CreateNotificationRuleBody.parse({ ...shiftRule, schedules }).schedules).toEqual([
      { id: undefined, name: 'Nights' },
    ]);
  });

  it.each([
    ['names something in a field that is not read', { type: 'team', email: 'ops@example.com' }],
    ['is of a type that there is not', { type: 'role', name: '' }],
    ['is of a type that the list does not take', { type: 'all', name: '' }],
  ])('is refused where it %s', (_, responder) => {
    const { error } = createAlertBody('reject').safeParse({ ...alert, responders: [responder] });
    expect(error?.issues[0]?.path.slice(0, 2)).toEqual(['responders', 0]);
  });

  it('leaves the places of the others in a refusal as they were sent', () => {
    const responders = [
      { type: 'team', name: '' },
      { type: 'role', name: 'Ops' },
    ];
    const { error } = createAlertBody('reject').safeParse({ ...alert, responders });
    expect(error?.issues[0]?.path).toEqual(['responders', 1, 'type']);
  });
});

describe('where something is required and only empty references are given (E12)', () => {
  it.each([
    [
      'participants',
      CreateScheduleBody,
      { name: 'Ops', rotations: [{ ...rotation, participants: [{ type: 'user', username: '' }] }] },
      'Participants can not be empty.',
    ],
    ['a responder', AddResponderBody, { responder: { type: 'team', name: '' } }, 'id or name should be provided'],
    [
      'the rotations of an override, as none at all would mean every rotation',
      CreateOverrideBody,
      { ...override, rotations: [{ name: '' }] },
      'id or name should be provided',
    ],
  ])('%s are refused', (_, body: z.ZodType, value, message) => {
    expect(body.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

describe('an empty reference that may be left out (E12)', () => {
  it.each([
    ['the owner team of a schedule', CreateScheduleBody, { name: 'Ops', ownerTeam: { id: '', name: '' } }],
    ['the owner team of a changed schedule', UpdateScheduleBody, { ownerTeam: {} }],
    ['the owner team of a changed escalation', UpdateEscalationBody, { ownerTeam: { name: '' } }],
    ['the owner of a changed saved search', UpdateSavedSearchBody, { owner: { username: '' } }],
  ])('is absent: %s', (_, body: z.ZodType, value) => {
    const read = body.parse(value) as Record<string, unknown>;
    expect([read['ownerTeam'], read['owner']]).toEqual([undefined, undefined]);
  });
});
