import { describe, expect, test } from '@jest/globals';
import { changesBetween, type SeenSchedule } from './changes.ts';
import type { Override, Schedule } from './queries.ts';

const override = (alias: string, name: string, rotations?: Override['rotations']): Override => ({
  alias,
  user: { type: 'user', id: name, username: name },
  startDate: '2026-03-02T08:00:00Z',
  endDate: '2026-03-02T20:00:00Z',
  ...(rotations && { rotations }),
});
const rotation = (id: string, name: string): Schedule['rotations'][number] => ({
  id,
  name,
  startDate: '2026-03-01T00:00:00Z',
  type: 'daily',
  length: 1,
  participants: [{ type: 'none' }],
});
const schedule: Schedule = {
  id: 's1',
  name: 'Ops',
  description: '',
  timezone: 'UTC',
  enabled: true,
  rotations: [rotation('r1', 'Days')],
};
const before: SeenSchedule = { schedule, overrides: [override('swap', 'ada')] };

describe('what another person changed', () => {
  test('Nothing is nothing, also where it was read again.', () => {
    expect(changesBetween(before, structuredClone(before))).toEqual([]);
  });

  test('Overrides that were added, changed and deleted are said with who and when.', () => {
    const [added] = changesBetween(before, { schedule, overrides: [...before.overrides, override('new', 'eve')] });
    expect(added).toMatch(/^The override “new” was added: eve, .*08:00 to .*20:00\.$/);
    const [changed] = changesBetween(before, { schedule, overrides: [override('swap', 'kim')] });
    expect(changed).toMatch(/^The override “swap” was changed\. It was: ada, .* It is: kim, /);
    const [deleted, ...others] = changesBetween(before, { schedule, overrides: [] });
    expect(deleted).toMatch(/^The override “swap” was deleted: ada, /);
    expect(others).toEqual([]);
  });

  test('Its rotations, its zone and whether it is enabled are said too.', () => {
    const now: Schedule = {
      ...schedule,
      timezone: 'Europe/Berlin',
      enabled: false,
      rotations: [{ ...rotation('r1', 'Days'), length: 2 }, rotation('r2', 'Nights')],
    };
    expect(changesBetween(before, { ...before, schedule: now })).toEqual([
      'The zone of the schedule is Europe/Berlin now.',
      'The schedule is disabled now.',
      'The rotation “Days” was changed.',
      'The rotation “Nights” was added.',
    ]);
    expect(changesBetween(before, { ...before, schedule: { ...schedule, rotations: [] } })).toEqual([
      'The rotation “Days” was deleted.',
    ]);
  });
});
