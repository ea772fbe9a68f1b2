import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import type { Schedule } from './queries.ts';
import {
  movedItem,
  newRotation,
  previewedDays,
  readRotation,
  refusedRotation,
  type Rotation,
  rotationFormOf,
  rotationRequest,
  rotationText,
} from './rotation-form.ts';

const ZONE = 'Europe/Berlin';
const nights: Rotation = {
  id: 'n1',
  name: 'Nights',
  type: 'daily',
  length: 2,
  startDate: '2026-03-02T08:00:00Z',
  endDate: '2026-06-01T07:00:00Z',
  participants: [
    { type: 'user', id: 'u1', username: 'ada@example.com' },
    { type: 'none' },
    { type: 'team', id: 't1', name: 'Database' },
  ],
  timeRestriction: { type: 'time-of-day', restriction: { startHour: 18, startMin: 0, endHour: 8, endMin: 0 } },
};
const days: Rotation = {
  id: 'd1',
  name: 'Days',
  type: 'weekly',
  length: 1,
  startDate: '2026-03-02T08:00:00Z',
  participants: [{ type: 'user', id: 'u2' }],
};
const schedule: Schedule = {
  id: 's1',
  name: 'Ops',
  description: '',
  timezone: ZONE,
  enabled: true,
  rotations: [days, nights],
};
const form = rotationFormOf(nights, ZONE);
const bodyOf = (typed = form, was: Rotation | undefined = nights) => readRotation(typed, ZONE, was).body;

describe('the form of a rotation', () => {
  test('A rotation whose form was not changed means itself, by ids.', () => {
    expect(bodyOf()).toEqual({
      ...nights,
      startDate: '2026-03-02T08:00:00.000Z',
      endDate: '2026-06-01T07:00:00.000Z',
      participants: [{ type: 'user', id: 'u1' }, { type: 'none' }, { type: 'team', id: 't1' }],
    });
  });

  test('A participant that is typed over is named, and times are those of the zone of the schedule.', () => {
    const [ada, ...others] = form.participants;
    const typed = {
      ...form,
      from: { text: '2026-03-30T09:30', showing: 0 },
      participants: [{ to: ' Escalation: Second line', isNoOne: false, was: ada?.was }, ...others],
    };
    expect(bodyOf(typed)).toMatchObject({
      startDate: '2026-03-30T07:30:00.000Z',
      participants: [{ type: 'escalation', name: 'Second line' }, { type: 'none' }, { type: 'team', id: 't1' }],
    });
  });

  test('A new one begins at the hour that has just begun, and has the person who adds it on call.', () => {
    const now = Date.parse('2026-03-02T08:47:00Z');
    expect(readRotation(newRotation(now, ZONE, 'eve@example.com'), ZONE).body).toEqual({
      type: 'weekly',
      length: 1,
      startDate: '2026-03-02T08:00:00.000Z',
      participants: [{ type: 'user', username: 'eve@example.com' }],
    });
  });

  test.each([
    [{ length: '0' }, { length: 'Type a whole number from 1 on.' }],
    [{ from: { text: '', showing: 0 } }, { from: 'Type a date and a time.' }],
    [{ until: { text: '2026-03-01T09:00', showing: 0 } }, { until: 'This is not after the start.' }],
    [
      { from: { text: '2026-03-29T02:30', showing: 0 } },
      { from: 'The clocks of Europe/Berlin skip this time. Type one before or after it.' },
    ],
    [
      { participants: [{ to: ' ', isNoOne: false, was: undefined }] },
      { 'participants[0]': 'Type or choose a participant.' },
    ],
    [
      { participants: [{ to: 'Schedule: Ops', isNoOne: false, was: undefined }] },
      { 'participants[0]': 'A rotation has people, teams and escalations.' },
    ],
  ])('It says at its field what is wrong with %j.', (part, faults) => {
    expect(readRotation({ ...form, ...part }, ZONE, nights).faults).toEqual(faults);
  });
});

describe('what the server refuses of a rotation', () => {
  const refusal = (fields: Readonly<Record<string, string>>) => new CallError({ status: 422, message: 'No.', fields });

  test('It stands at its field, also where the rotation is a part of a schedule.', () => {
    const faults = { endDate: 'should be after startDate', 'participants[2].name': 'should be a text' };
    const expected = {
      until: 'The end should be after startDate.',
      'participants[2]': 'The participant should be a text.',
    };
    expect(refusedRotation(refusal(faults), form)).toEqual(expected);
    const nested = Object.fromEntries(Object.entries(faults).map(([name, fault]) => [`rotations[0].${name}`, fault]));
    expect(refusedRotation(refusal(nested), form, 'rotations[0].')).toEqual(expected);
    expect(refusedRotation(refusal(nested), form)).toEqual({});
  });

  test('A participant who does not exist is said at them.', () => {
    const missing = (message: string) => refusedRotation(new CallError({ status: 404, message }), form);
    expect(missing('User does not exist with id or username: ada@example.com')).toEqual({
      'participants[0]': 'User does not exist with id or username: ada@example.com.',
    });
    expect(missing('Team with name [Database] does not exist.')).toEqual({
      'participants[2]': 'Team with name [Database] does not exist.',
    });
  });
});

describe('the request that writes a rotation', () => {
  test('A new one is created, and a changed one is written alone.', () => {
    const { id, ...rest } = bodyOf() ?? { id: '' };
    expect(rotationRequest(schedule, rest as NonNullable<ReturnType<typeof bodyOf>>)).toMatchObject({
      method: 'POST',
      path: '/v2/schedules/s1/rotations',
    });
    const changed = rotationRequest(schedule, { ...(rest as NonNullable<ReturnType<typeof bodyOf>>), id: 'n1' });
    expect([id, changed]).toEqual(['n1', { method: 'PATCH', path: '/v2/schedules/s1/rotations/n1', body: rest }]);
  });

  test.each([{ hasEnd: false }, { timeRestriction: undefined }])(
    'One that loses an end or a restriction (%j) is written with the schedule, whose other rotations stay.',
    (part) => {
      const body = bodyOf({ ...form, ...part });
      expect(body && rotationRequest(schedule, body)).toEqual({
        method: 'PATCH',
        path: '/v2/schedules/s1',
        body: { rotations: [{ ...days, participants: [{ type: 'user', id: 'u2' }] }, body] },
      });
    },
  );
});

test('A participant moves one place, and not beyond the ends.', () => {
  expect(movedItem(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
  expect(movedItem(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(movedItem(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
  expect(movedItem(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c']);
});

test('A rotation is said in words.', () => {
  const text = rotationText(nights, ZONE);
  expect(text).toMatch(/^Each for 2 days, from .* until .*, from 18:00 to 08:00 each day: ada@example.com, no one, /);
  expect(rotationText(days, ZONE)).toMatch(/^Each for 1 week, from .*: deleted user u2$/);
});

test('The preview begins with the rotation, or today, and has each turn once where that is not too long.', () => {
  const body = bodyOf();
  const now = Date.parse('2026-04-01T12:00:00Z');
  expect(body && previewedDays(body, now, ZONE)).toEqual({ date: '2026-04-01', days: 14 });
  const weekly = body && { ...body, type: 'weekly' as const, startDate: '2026-04-20T22:30:00Z' };
  expect(weekly && previewedDays(weekly, now, ZONE)).toEqual({ date: '2026-04-21', days: 43 });
  expect(weekly && previewedDays({ ...weekly, length: 9 }, now, ZONE).days).toBe(92);
});
