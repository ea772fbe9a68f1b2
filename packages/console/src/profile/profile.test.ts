import { describe, expect, test } from '@jest/globals';
import { changedProfile, profileChanges, profileRefused } from './profile.ts';

const seen = { fullName: 'Ada', timeZone: 'Europe/London' };

describe('the name and time zone of a person', () => {
  test('Only what they changed is written.', () => {
    expect(changedProfile(seen, { ...seen, fullName: ' Ada King ' })).toEqual({ fullName: 'Ada King' });
    expect(changedProfile(seen, { ...seen, timeZone: 'Europe/Paris' })).toEqual({ timeZone: 'Europe/Paris' });
  });

  test('A blank field, which the server would pass over, and no change are not sent.', () => {
    expect(profileRefused(seen, { ...seen, fullName: ' ' })).toBe('Type a name first.');
    expect(profileRefused(seen, { ...seen, timeZone: '' })).toBe('Type a time zone first.');
    expect(profileRefused(seen, { ...seen, fullName: 'Ada ' })).toBe('Nothing was changed.');
    expect(profileRefused(seen, { ...seen, fullName: 'Ada King' })).toBeUndefined();
  });

  test('What another person changed is said where it would be overwritten with something else.', () => {
    const now = { fullName: 'Ada Byron', timeZone: 'Europe/Rome' };

    expect(profileChanges({ fullName: 'Ada King' }, seen, now)).toEqual([
      'Another person changed the name to “Ada Byron”.',
    ]);
    expect(profileChanges({ fullName: 'Ada Byron' }, seen, now)).toEqual([]);
    expect(profileChanges({ fullName: 'Ada King' }, seen, seen)).toEqual([]);
  });
});
