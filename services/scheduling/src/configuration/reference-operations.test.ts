import { describe, expect, it } from '@jest/globals';
import { escalationOf, rotationOf, ruleFor, scheduleOf } from '../testing/on-call-samples.ts';
import { accessTo } from './reference-operations.ts';

describe('accessTo', () => {
  it('lets a team write its own things, read those that name it, and see no other', () => {
    const sre = { teamId: 'sre' };
    const ops = scheduleOf('ops', []);
    const named = scheduleOf('s', [rotationOf([{ type: 'team', id: 'sre' }])]);
    const reached = escalationOf('e', [ruleFor({ type: 'team', id: 'sre' })]);
    expect(accessTo(ops, { teamId: undefined })).toBe('write');
    expect(accessTo({ ...ops, ownerTeamId: 'sre' }, sre)).toBe('write');
    expect(accessTo({ ...named, ownerTeamId: 'other' }, sre)).toBe('read');
    expect(accessTo(reached, sre)).toBe('read');
    expect(accessTo(ops, sre)).toBe('none');
  });
});
