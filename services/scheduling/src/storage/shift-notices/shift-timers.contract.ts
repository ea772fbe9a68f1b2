import { describe, expect, it } from '@jest/globals';
import type { Decision, ShiftNotice } from '@tocsin/contracts';
import type { TouchedSchedules } from '../../domain/shift-notices/touched-schedules.ts';
import type { ShiftClaim, ShiftsTold, ShiftTimers } from '../../ports/shift-timers.ts';

/** Timers of schedules, and what the outbox does with what they write. */
export interface ShiftTimersUnderTest<C extends ShiftClaim> {
  readonly timers: ShiftTimers<C>;
  /** What a change of the configuration at `now` does. */
  readonly touch: (touched: TouchedSchedules, now: Date) => Promise<void>;
  /** Claims what is due at `at` or before. */
  readonly claim: (at: Date) => Promise<readonly C[]>;
  readonly notices: () => Promise<readonly ShiftNotice[]>;
  readonly decisions: () => Promise<readonly Decision[]>;
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 8, minute));

const noticeFor = (scheduleId: string): ShiftNotice => ({
  noticeId: `shift:${scheduleId}`,
  userId: 'ada',
  actionType: 'schedule-start',
  leadTime: '15-minutes-ago',
  schedule: { id: scheduleId, name: scheduleId, timezone: 'UTC' },
  rotations: ['Rot1'],
  changesAt: at(15).toISOString(),
  dueAt: at(0).toISOString(),
  at: at(0).toISOString(),
});

const decisionFor = (scheduleId: string): Decision => ({
  decisionId: `route:shift:${scheduleId}`,
  userId: 'ada',
  stage: 'route',
  at: at(0).toISOString(),
  verdicts: [{ subject: 'shift', outcome: 'told', text: 'ada is told.' }],
});

const toldOf = <C extends ShiftClaim>(claim: C, nextAt: Date | undefined): ShiftsTold<C> => ({
  claim,
  notices: [noticeFor(claim.id)],
  decisions: [decisionFor(claim.id)],
  nextAt,
});

/** The promises of {@link ShiftTimers}. */
export function describeShiftTimers<C extends ShiftClaim>(
  name: string,
  create: () => Promise<ShiftTimersUnderTest<C>>,
): void {
  describe(`${name}: timers of schedules`, () => {
    const idsAt = async ({ claim }: ShiftTimersUnderTest<C>, now: Date) =>
      (await claim(now)).map(({ id, dueAt }) => [id, dueAt]).toSorted();

    it('publish and move on together, and then fire at their next instant', async () => {
      const under = await create();
      await under.touch({ kept: ['one', 'two'], removed: [] }, at(0));
      const claims = await under.claim(at(0));
      expect(await under.timers.moveOn(claims.map((claim) => toldOf(claim, at(20))))).toBe(true);
      expect(await under.timers.moveOn(claims.map((claim) => toldOf(claim, at(20))))).toBe(false);
      expect((await under.notices()).map(({ noticeId }) => noticeId).toSorted()).toEqual(['shift:one', 'shift:two']);
      expect((await under.decisions()).map(({ decisionId }) => decisionId)).toHaveLength(2);
      expect(await idsAt(under, at(19))).toEqual([]);
      expect(await idsAt(under, at(20))).toEqual([
        ['one', at(20)],
        ['two', at(20)],
      ]);
    });

    it('end where nothing is to come, until their schedule is changed', async () => {
      const under = await create();
      await under.touch({ kept: ['one'], removed: [] }, at(0));
      const claims = await under.claim(at(0));
      await under.timers.moveOn(claims.map((claim) => toldOf(claim, undefined)));
      expect(await idsAt(under, at(59))).toEqual([]);
      await under.touch({ kept: ['one'], removed: [] }, at(59));
      expect(await idsAt(under, at(59))).toEqual([['one', at(59)]]);
    });

    it('fire at once when their schedule is changed, and never when it is deleted', async () => {
      const under = await create();
      await under.touch({ kept: ['changed', 'deleted'], removed: [] }, at(0));
      const claims = await under.claim(at(0));
      await under.timers.moveOn(claims.map((claim) => toldOf(claim, at(30))));
      await under.touch({ kept: ['changed'], removed: ['deleted'] }, at(10));
      expect(await idsAt(under, at(40))).toEqual([['changed', at(10)]]);
    });

    it('publish nothing of what was decided before their schedule was changed, and are due from the same instant still', async () => {
      const under = await create();
      await under.touch({ kept: ['changed', 'same'], removed: [] }, at(0));
      const claims = await under.claim(at(1));
      await under.touch({ kept: ['changed'], removed: [] }, at(1));
      expect(await under.timers.moveOn(claims.map((claim) => toldOf(claim, at(30))))).toBe(false);
      expect(await under.notices()).toEqual([]);
      const same = claims.filter(({ id }) => id === 'same');
      expect(await under.timers.moveOn(same.map((claim) => toldOf(claim, at(30))))).toBe(true);
      expect(await idsAt(under, at(1))).toEqual([['changed', at(0)]]);
      expect((await under.notices()).map(({ noticeId }) => noticeId)).toEqual(['shift:same']);
    });
  });
}
