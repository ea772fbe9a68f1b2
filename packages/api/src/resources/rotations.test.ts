import { describe, expect, it } from '@jest/globals';
import { CreateRotationBody, SchedulePartQuery, UpdateRotationBody } from './rotations.ts';
import { CreateScheduleBody, UpdateScheduleBody } from './schedules.ts';

const none = { type: 'none' };
const least = { startDate: '2026-01-01T00:00:00+01:00', type: 'DAILY', participants: [none] };

describe('CreateRotationBody', () => {
  it('reads the least that there may be, and ignores an id and unknown fields', () => {
    expect(CreateRotationBody.parse({ ...least, id: 'x', colour: 'red' })).toEqual({
      type: 'daily',
      startDate: new Date('2025-12-31T23:00:00Z'),
      participants: [none],
    });
  });

  it.each(['startDate', 'type', 'participants'])('demands %s, also where it is null', (field) => {
    for (const value of [undefined, null]) {
      const { error } = CreateRotationBody.safeParse({ ...least, [field]: value });
      expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
    }
  });
});

describe('UpdateRotationBody', () => {
  it('takes null for absent in every field, and an empty name too', () => {
    const fields = ['name', 'startDate', 'endDate', 'type', 'length', 'participants', 'timeRestriction'];
    expect(UpdateRotationBody.parse(Object.fromEntries(fields.map((field) => [field, null])))).toEqual({});
    expect(UpdateRotationBody.parse({ name: '' }).name).toBeUndefined();
  });

  it.each([[[]], ['x'], [null], [{ participants: [] }], [{ length: 0 }], [{ type: '' }]])('refuses %j', (body) => {
    expect(UpdateRotationBody.safeParse(body).success).toBe(false);
  });
});

describe('the rotations of a schedule', () => {
  it('may have an empty name in a PATCH, where it changes nothing, and not in a POST (E12)', () => {
    const rotations = [{ ...least, name: '' }];
    expect(UpdateScheduleBody.parse({ rotations }).rotations?.[0]?.name).toBeUndefined();
    expect(CreateScheduleBody.safeParse({ name: 'Ops', rotations }).error?.issues[0]?.path).toEqual([
      'rotations',
      0,
      'name',
    ]);
  });
});

describe('SchedulePartQuery', () => {
  it.each([
    [{}, 'id'],
    [{ scheduleIdentifierType: 'NAME' }, 'name'],
    [{ identifierType: 'name' }, 'name'],
    [{ scheduleIdentifierType: 'id', identifierType: 'name' }, 'id'],
    [{ scheduleIdentifierType: '', identifierType: 'name' }, 'name'],
  ])('reads %j as %s', (query, type) => {
    expect(SchedulePartQuery.parse(query)).toBe(type);
  });

  it('refuses any other word', () => {
    expect(SchedulePartQuery.safeParse({ scheduleIdentifierType: 'alias' }).success).toBe(false);
  });
});
