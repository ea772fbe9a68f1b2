import { describe, expect, it } from '@jest/globals';
import { accountKey } from '@tocsin/testkit';
import { escalationOf, rotationOf, ruleFor, scheduleOf } from '../testing/on-call-samples.ts';
import { accessToThing } from './reference-operations.ts';

describe('accessToThing', () => {
  it('lets a team write its own entities, read those that name it, and see no other', () => {
    const sre = { ...accountKey, teamId: 'sre' };
    const ops = scheduleOf('ops', []);
    const named = scheduleOf('s', [rotationOf([{ type: 'team', id: 'sre' }])]);
    const reached = escalationOf('e', [ruleFor({ type: 'team', id: 'sre' })]);
    expect(accessToThing(ops, accountKey)).toBe('write');
    expect(accessToThing({ ...ops, ownerTeamId: 'sre' }, sre)).toBe('write');
    expect(accessToThing({ ...named, ownerTeamId: 'other' }, sre)).toBe('read');
    expect(accessToThing(reached, sre)).toBe('read');
    expect(accessToThing(ops, sre)).toBe('none');
  });
});
