import { describe, expect, it } from '@jest/globals';
import { sampleTeam } from '../testing/team-samples.ts';
import { editRole, findRole, withRole } from './team-role.ts';

const night = { id: 'night', name: 'Night', rights: [{ right: 'edit-schedules', granted: true }] };
const day = { id: 'day', name: 'Day', rights: [] };
const ops = sampleTeam({ roles: [night, day] });

describe('findRole', () => {
  it('finds a role by its id and by its exact name', () => {
    expect(findRole(ops, { id: 'night' })).toBe(night);
    expect(findRole(ops, { name: 'Day' })).toBe(day);
    expect(findRole(ops, { name: 'night' })).toBeUndefined();
  });
});

describe('editRole', () => {
  it('is the very same role where nothing differs', () => {
    expect(editRole(night, {})).toBe(night);
    expect(editRole(night, { name: 'Night', rights: [{ right: 'edit-schedules', granted: true }] })).toBe(night);
  });

  it.each([
    [{ name: 'Late' }, { ...night, name: 'Late' }],
    [{ rights: [] }, { ...night, rights: [] }],
    [
      { rights: [{ right: 'edit-schedules', granted: false }] },
      { ...night, rights: [{ right: 'edit-schedules', granted: false }] },
    ],
  ])('takes %j', (edit, next) => {
    expect(editRole(night, edit)).toEqual(next);
  });
});

describe('withRole', () => {
  it('keeps the order of the roles, and the very same team where the role is the same', () => {
    const late = { ...night, name: 'Late' };
    expect(withRole(ops, late).roles).toEqual([late, day]);
    expect(withRole(ops, night)).toBe(ops);
  });
});
