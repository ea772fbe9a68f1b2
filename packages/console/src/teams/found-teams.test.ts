import { describe, expect, test } from '@jest/globals';
import { foundTeams } from './found-teams.ts';

const team = (name: string, description = '') => ({ id: name.toLowerCase(), name, description });
const all = [team('Web', 'Shop and search'), team('SRE'), team('Database', 'Disks')];
const names = (text: string, ...own: readonly string[]) =>
  foundTeams(
    all,
    text,
    own.map((id) => ({ id, role: 'user' as const })),
  ).map(({ name }) => name);

describe('the list of teams', () => {
  test('It is by name, first the teams of the person.', () => {
    expect(names('')).toEqual(['Database', 'SRE', 'Web']);
    expect(names('', 'web')).toEqual(['Web', 'Database', 'SRE']);
  });

  test('A part of the name or of the description finds a team, in any letter case.', () => {
    expect(names(' sr')).toEqual(['SRE']);
    expect(names('DISK')).toEqual(['Database']);
    expect(names('nothing')).toEqual([]);
  });

  test('It has the role of the person in each team.', () => {
    expect(foundTeams(all, 'sre', [{ id: 'sre', role: 'admin' }])[0]?.own).toBe('admin');
    expect(foundTeams(all, 'sre', [])[0]?.own).toBeUndefined();
  });
});
