import { describe, expect, it } from '@jest/globals';
import { aMaintenance, disabledIntegration } from '../testing/maintenance-samples.ts';
import { type Maintenance, makingRoom, MAX_RULES, MAX_WINDOWS } from './maintenance.ts';

const NOW = new Date('2026-06-15T00:00:00.000Z');
const FORTNIGHT_AGO = new Date('2026-06-01T00:00:00.000Z');
const before = (ms: number) => new Date(FORTNIGHT_AGO.getTime() - ms);
const rulesOf = (count: number) => Array.from({ length: count }, () => disabledIntegration('web'));

const many = (count: number, more: (n: number) => Partial<Maintenance> = () => ({})) =>
  Array.from({ length: count }, (_, n) => aMaintenance({ id: String(n), endsAt: undefined, ...more(n) }));
const idsOf = (removed: readonly Maintenance[] | undefined) => removed?.map(({ id }) => id);
const wanted = aMaintenance({ id: 'wanted', endsAt: undefined, madeBy: 'me' });

describe('windows that are kept', () => {
  it('stay while there is room for one more; a window that is replaced needs no room', () => {
    expect(makingRoom(many(MAX_WINDOWS - 1), wanted, NOW)).toEqual([]);
    expect(makingRoom([...many(MAX_WINDOWS), wanted], { ...wanted, cancelledAt: NOW }, NOW)).toEqual([]);
    expect(
      makingRoom(
        many(MAX_WINDOWS, () => ({ teamId: 'ops' })),
        wanted,
        NOW,
      ),
    ).toEqual([]);
    expect(makingRoom(many(MAX_WINDOWS), wanted, NOW)).toBeUndefined();
  });

  it('are removed, the earliest first, if no command of their time can still come', () => {
    const over = (n: number): Partial<Maintenance> =>
      n === 7 ? { endsAt: before(0) } : n === 9 ? { deletedAt: before(1) } : {};
    expect(idsOf(makingRoom(many(MAX_WINDOWS, over), wanted, NOW))).toEqual(['9']);
    expect(idsOf(makingRoom(many(MAX_WINDOWS + 1, over), wanted, NOW))).toEqual(['9', '7']);
    expect(makingRoom(many(MAX_WINDOWS + 2, over), wanted, NOW)).toBeUndefined();
  });

  it('stay while a command of their time may still come, however many there are', () => {
    const justOver = () => ({ endsAt: new Date(FORTNIGHT_AGO.getTime() + 1) });
    expect(makingRoom(many(MAX_WINDOWS, justOver), wanted, NOW)).toBeUndefined();
  });

  it('leave a maker half of the limit, and are removed for that only where they are the same maker’s', () => {
    const half = (n: number): Partial<Maintenance> => ({
      madeBy: n % 2 ? 'ci' : undefined,
      ...(n < 2 && { endsAt: before(n) }),
    });
    const ofCi = { ...wanted, madeBy: 'ci' };
    const [full, past] = [many(MAX_WINDOWS, half), many(MAX_WINDOWS - 2, half)];
    expect(idsOf(makingRoom(full, ofCi, NOW))).toEqual(['1']);
    expect(idsOf(makingRoom(past, ofCi, NOW))).toEqual([]);
    expect(
      makingRoom(
        many(MAX_WINDOWS / 2, () => ({ madeBy: 'ci' })),
        ofCi,
        NOW,
      ),
    ).toBeUndefined();
    expect(
      makingRoom(
        many(MAX_WINDOWS / 2, () => ({ madeBy: 'ci', teamId: 'ops' })),
        ofCi,
        NOW,
      ),
    ).toEqual([]);
  });

  it('never have more rules together than the limit', () => {
    const rules = rulesOf(1_000);
    const full = many(MAX_RULES / 1_000, (n) => ({ rules, ...(n === 3 && { cancelledAt: before(5) }) }));
    expect(makingRoom(full.slice(1), { ...wanted, rules }, NOW)).toEqual([]);
    expect(idsOf(makingRoom(full, wanted, NOW))).toEqual(['3']);
    expect(makingRoom(full, { ...wanted, rules: rulesOf(1_001) }, NOW)).toBeUndefined();
  });
});
