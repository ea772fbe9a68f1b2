import { describe, expect, it } from '@jest/globals';
import { nextVersion } from '@tocsin/events';
import { Catalogue, applyChange, EMPTY_CONFIGURATION, hasWrites } from './configuration.ts';
import { escalationOf, forwardingOf, scheduleOf } from '../testing/on-call-samples.ts';

const ops = scheduleOf('ops', []);
const later = scheduleOf('later', [], { createdAt: new Date('2026-02-01T00:00:00Z') });

describe('Catalogue', () => {
  it('lists in the order of creation and finds by id and by exact name', () => {
    const catalogue = new Catalogue([later, ops]);
    expect(catalogue.all().map(({ id }) => id)).toEqual(['ops', 'later']);
    expect(catalogue.named('ops')).toBe(ops);
    expect(catalogue.named('Ops')).toBeUndefined();
  });

  it('finds a renamed entry by its new name alone, and does not change the old catalogue', () => {
    const before = new Catalogue([ops]);
    const after = before.after({ put: [{ ...ops, name: 'renamed' }] });
    expect([after.named('ops'), after.named('renamed')?.id, before.named('ops')?.id]).toEqual([
      undefined,
      'ops',
      'ops',
    ]);
  });
});

describe('an entry that is added to a catalogue', () => {
  it('counts as created after all others, also when the clock stops or goes back', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    const rule = forwardingOf('ada', 'bob', { createdAt: new Date('2026-01-01T00:00:05Z') });
    expect(new Catalogue([]).creationAt(now)).toEqual(now);
    expect(new Catalogue([rule]).creationAt(now)).toEqual(new Date('2026-01-01T00:00:05.001Z'));
    expect(new Catalogue([rule]).creationAt(new Date('2026-02-01T00:00:00Z'))).toEqual(
      new Date('2026-02-01T00:00:00Z'),
    );
  });

  it('comes last, whatever its id', () => {
    const ids = ['z', 'a', 'm'];
    const joined = ids.reduce(
      (catalogue, id) =>
        catalogue.after({ put: [scheduleOf(id, [], { createdAt: catalogue.creationAt(ops.createdAt) })] }),
      new Catalogue([ops]),
    );
    expect(joined.all().map(({ id }) => id)).toEqual(['ops', ...ids]);
  });
});

describe('changed', () => {
  it('writes and removes in one step', () => {
    const before = applyChange(EMPTY_CONFIGURATION, { schedules: { put: [ops, later] }, answer: undefined });
    const after = applyChange(before, {
      schedules: { removed: [ops] },
      escalations: { put: [escalationOf('esc', [])] },
      answer: 1,
    });
    expect([after.schedules.all().length, after.escalations.get('esc')?.name]).toEqual([1, 'esc']);
  });

  it('knows a change that writes nothing', () => {
    expect(hasWrites({ schedules: { put: [] }, answer: 1 })).toBe(false);
    expect(hasWrites({ schedules: { removed: [ops] }, answer: 1 })).toBe(true);
    expect(nextVersion({ epoch: 5, n: 1 })).toEqual({ epoch: 5, n: 2 });
  });
});
