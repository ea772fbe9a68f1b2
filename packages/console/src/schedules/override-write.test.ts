import { describe, expect, test } from '@jest/globals';
import type { SeenSchedule } from './changes.ts';
import { type OverrideWrite, writeUnlessChanged } from './override-write.ts';
import type { Override, OverrideBody, Schedule } from './queries.ts';

const body: OverrideBody = {
  alias: 'swap',
  user: { type: 'user', username: 'Ada@example.com' },
  startDate: '2026-03-02T08:00:00.000Z',
  endDate: '2026-03-02T20:00:00.000Z',
  rotations: [{ id: 'r1' }, { id: 'r2' }],
};
/** The override that the body makes, as the API answers it. */
const stored: Override = {
  alias: 'swap',
  user: { type: 'user', id: 'u1', username: 'ada@example.com' },
  startDate: '2026-03-02T08:00:00Z',
  endDate: '2026-03-02T20:00:00Z',
  rotations: [
    { id: 'r2', name: 'Nights' },
    { id: 'r1', name: 'Days' },
  ],
};
const schedule: Schedule = {
  id: 's1',
  name: 'Ops',
  description: '',
  timezone: 'UTC',
  enabled: true,
  rotations: [],
};
const eve: Override['user'] = { type: 'user', id: 'u2', username: 'eve@example.com' };
const other: Override = { ...stored, alias: 'other', user: eve };

/** Writes where the schedule has the overrides of `now`, and those of `before` when the person saw it. */
async function written(
  change: { readonly kind: 'create' | 'replace'; readonly body: OverrideBody } | { readonly kind: 'delete' },
  before: readonly Override[],
  now: readonly Override[],
) {
  const calls: string[] = [];
  const seen: SeenSchedule = { schedule, overrides: before };
  const write: OverrideWrite = change.kind === 'delete' ? { kind: 'delete', alias: 'swap', seen } : { ...change, seen };
  const result = await writeUnlessChanged(write, {
    read: () => {
      calls.push('read');
      return Promise.resolve({ schedule, overrides: now });
    },
    send: () => {
      calls.push('send');
      return Promise.resolve();
    },
  });
  return { calls, changes: result.changes, seen: result.seen.overrides };
}

describe('a write of an override', () => {
  test('It is sent after a read of its own, where the schedule is as its person saw it.', async () => {
    expect(await written({ kind: 'create', body }, [other], [other])).toMatchObject({
      calls: ['read', 'send'],
      changes: [],
    });
    expect(await written({ kind: 'delete' }, [stored], [stored])).toMatchObject({
      calls: ['read', 'send'],
      changes: [],
    });
  });

  test('It is not sent where another person changed the schedule, and the result says what.', async () => {
    const taken = { ...stored, user: eve };
    const result = await written({ kind: 'replace', body: { ...body, user: { type: 'none' } } }, [stored], [taken]);
    expect(result).toMatchObject({ calls: ['read'], seen: [taken] });
    expect(result.changes).toEqual([expect.stringMatching(/^The override “swap” was changed\. .*eve@example\.com/)]);
    expect(await written({ kind: 'create', body }, [], [other])).toMatchObject({
      calls: ['read'],
      changes: [expect.stringContaining('“other” was added')],
    });
  });
});

describe('a write whose answer was lost', () => {
  test.each(['create', 'replace'] as const)('To %s again what is stored already is done.', async (kind) => {
    expect(await written({ kind, body }, [], [other, stored])).toMatchObject({ calls: ['read'], changes: [] });
  });

  test('An override of all rotations with no user is found again too.', async () => {
    const all: OverrideBody = { ...body, user: { type: 'none' }, rotations: [] };
    const { rotations: _, ...times } = stored;
    const now = [{ ...times, user: { type: 'none' } } as const];
    expect(await written({ kind: 'create', body: all }, [], now)).toMatchObject({ calls: ['read'], changes: [] });
  });

  test('To delete again what is gone is done, also where the schedule was changed since.', async () => {
    expect(await written({ kind: 'delete' }, [stored], [other])).toMatchObject({ calls: ['read'], changes: [] });
  });

  test.each<Partial<Override>>([
    { alias: 'swap 2' },
    { user: eve },
    { user: { type: 'none' } },
    { startDate: '2026-03-02T09:00:00Z' },
    { endDate: '2026-03-02T21:00:00Z' },
    { rotations: [{ id: 'r1', name: 'Days' }] },
    { rotations: undefined },
  ])('An override that differs in %p is not the one that was sent.', async (difference) => {
    const { changes } = await written({ kind: 'create', body }, [], [{ ...stored, ...difference }]);
    expect(changes).toHaveLength(1);
  });
});
