import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { TeamState, UserState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { MemoryReplica } from '@tocsin/messaging';
import type { Change } from '../../domain/configuration.ts';
import type { Participant, Schedule } from '../../domain/schedule.ts';
import type { ShiftClaim } from '../../ports/shift-timers.ts';
import { MemoryConfigurationStore } from '../../testing/memory-configuration-store.ts';
import { MemoryShiftTimers } from '../../testing/memory-shift-timers.ts';
import { forwardingOf, rotationOf, scheduleOf } from '../../testing/on-call-samples.ts';
import { told, toldUser } from '../../testing/shift-samples.ts';
import { Snapshots } from '../loaded-snapshot.ts';
import { ShiftTeller } from './shift-teller.ts';

const at = (text: string) => new Date(`2026-03-${text}:00Z`);
const ops = (startAt: string, ...ids: readonly string[]): Schedule => {
  const participants = ids.map((id): Participant => ({ type: 'user', id }));
  return scheduleOf('ops', [rotationOf(participants, { startAt: at(startAt) })]);
};

let clock: ManualClock;
let timers: MemoryShiftTimers;
let configuration: MemoryConfigurationStore;
let users: MemoryReplica<UserState>;
let teller: ShiftTeller<ShiftClaim>;

beforeEach(() => {
  clock = new ManualClock(at('01T00:00'));
  timers = new MemoryShiftTimers();
  configuration = new MemoryConfigurationStore((touched) => {
    timers.touched(touched, clock.now());
  });
  users = new MemoryReplica<UserState>();
  for (const id of ['ada', 'bob']) users.put(id, toldUser(id, ['15-minutes-ago']));
  const teams = new MemoryReplica<TeamState>();
  teller = new ShiftTeller({ timers, clock, snapshots: new Snapshots({ store: configuration, users, teams }) });
});

const change = (what: Omit<Change<undefined>, 'answer'>) =>
  configuration.change(() => ({ ...what, answer: undefined }));
const write = (...put: readonly Schedule[]) => change({ schedules: { put } });

/** Fires what is due at each instant until `until`. */
async function pass(until: string): Promise<void> {
  const end = at(until);
  for (let next = timers.nextAt; next !== undefined && next <= end; next = timers.nextAt) {
    if (next > clock.now()) clock.moveTo(next);
    await teller.tell(timers.claimsAt(clock.now()));
  }
  clock.moveTo(end);
}

describe('the teller of shifts', () => {
  it('tells at the lead time that a rule asks for, and says why', async () => {
    await write(ops('02T09:00', 'ada'));
    await pass('02T08:44');
    expect(timers.notices).toEqual([]);
    await pass('02T08:45');
    expect(told(timers.notices)).toEqual(['03-02T08:45 ada start 03-02T09:00 15-minutes-ago']);
    expect(timers.decisions).toMatchObject([
      {
        decisionId: 'route:shift:ops:ada:start:2026-03-02T09:00:00.000Z:15-minutes-ago',
        userId: 'ada',
        stage: 'route',
        verdicts: [
          {
            subject: 'shift',
            outcome: 'told',
            text: 'ada@example.com comes on call in schedule [ops] at 2026-03-02T09:00:00Z, and is told.',
            facts: { scheduleId: 'ops', rotations: ['Rot1'], leadTime: '15-minutes-ago' },
          },
        ],
      },
    ]);
    await pass('09T00:00');
    expect(timers.notices).toHaveLength(1);
  });

  it('tells at the new time once the rotation has moved, and not at the old one', async () => {
    await write(ops('02T09:00', 'ada'));
    await pass('02T08:00');
    await write(ops('02T12:00', 'ada'));
    await pass('03T00:00');
    expect(told(timers.notices)).toEqual(['03-02T11:45 ada start 03-02T12:00 15-minutes-ago']);
  });

  it('tells of a duty that is passed on, and not of one that is not passed on any more', async () => {
    await write(ops('02T09:00', 'ada'));
    await pass('02T10:00');
    const rule = forwardingOf('ada', 'bob', { startAt: at('02T12:00'), endAt: at('02T18:00') });
    await change({ forwardingRules: { put: [rule] } });
    await pass('02T13:00');
    await change({ forwardingRules: { removed: [rule] } });
    await pass('03T00:00');
    expect(told(timers.notices)).toEqual([
      '03-02T08:45 ada start 03-02T09:00 15-minutes-ago',
      '03-02T11:45 ada end 03-02T12:00 15-minutes-ago',
      '03-02T11:45 bob start 03-02T12:00 15-minutes-ago',
    ]);
  });

  it('tells by a rule that a user made after the shift was planned', async () => {
    users.put('ada', toldUser('ada', []));
    await write(ops('02T09:00', 'ada'));
    await pass('02T08:30');
    users.put('ada', toldUser('ada', ['15-minutes-ago']));
    await pass('02T09:00');
    expect(timers.notices).toHaveLength(1);
  });

  it('tells nothing of a schedule that was deleted or disabled, and keeps no timer for it', async () => {
    const other = { ...ops('02T09:00', 'bob'), id: 'other', name: 'other' };
    await write(ops('02T09:00', 'ada'), other);
    await pass('02T08:00');
    await change({ schedules: { removed: [ops('02T09:00')], put: [{ ...other, enabled: false }] } });
    await pass('03T00:00');
    expect(timers.notices).toEqual([]);
    expect(timers.nextAt).toBeUndefined();
  });

  it('says of whoever is not told, because it is too late, why', async () => {
    await write(
      scheduleOf('ops', [
        rotationOf([{ type: 'user', id: 'ada' }], { startAt: at('02T09:00'), endAt: at('02T10:00') }),
      ]),
    );
    await pass('02T08:00');
    clock.moveTo(at('02T10:30'));
    await pass('02T10:30');
    expect(told(timers.notices)).toEqual(['03-02T10:30 ada end 03-02T10:00 15-minutes-ago']);
    expect(
      timers.decisions.flatMap(({ verdicts }) => verdicts.map(({ outcome, text }) => [outcome, text])),
    ).toContainEqual([
      'skipped',
      'ada@example.com comes on call in schedule [ops] at 2026-03-02T09:00:00Z, and is not told so late: their time on call is over.',
    ]);
  });

  it('lets one schedule whose people cannot be looked up hold no other up, and tells of it later', async () => {
    users.refuseWith(new UnavailableError('The directory is away.'));
    await write(ops('02T09:00', 'new'), { ...ops('02T09:00', 'ada'), id: 'other', name: 'other' });
    clock.moveTo(at('02T08:45'));
    const claims = timers.claimsAt(clock.now());
    await expect(teller.tell(claims)).rejects.toThrow(UnavailableError);
    expect(told(timers.notices)).toEqual(['03-02T08:45 ada start 03-02T09:00 15-minutes-ago']);
    users.put('new', toldUser('new', ['15-minutes-ago']));
    await teller.tell(timers.claimsAt(clock.now()));
    expect(told(timers.notices)).toContain('03-02T08:45 new start 03-02T09:00 15-minutes-ago');
  });

  it('writes no more at once than a transaction has time for', async () => {
    const ids = Array.from({ length: 600 }, (_, at) => `u${at}`);
    for (const id of ids) users.put(id, toldUser(id, ['15-minutes-ago']));
    const large = (name: string) => {
      const rotations = ids.map((id) => rotationOf([{ type: 'user', id }], { id, startAt: at('02T09:00') }));
      return { ...scheduleOf(name, rotations), name };
    };
    await write(...['a', 'b', 'c', 'd', 'e'].map(large));
    clock.moveTo(at('02T08:45'));
    const written: number[] = [];
    const moveOn = timers.moveOn.bind(timers);
    timers.moveOn = (all) => {
      written.push(all.reduce((sum, { notices }) => sum + notices.length, 0));
      return moveOn(all);
    };
    await teller.tell(timers.claimsAt(clock.now()));
    expect(written).toEqual([2_400, 600]);
    expect(timers.notices).toHaveLength(3_000);
  });

  it('leaves what another has told by now, and tells the rest', async () => {
    await write(ops('02T09:00', 'ada'), { ...ops('02T09:00', 'bob'), id: 'other', name: 'other' });
    await pass('02T08:44');
    clock.moveTo(at('02T08:45'));
    const claims = timers.claimsAt(clock.now());
    await teller.tell(claims.slice(0, 1));
    await teller.tell(claims);
    expect(told(timers.notices)).toEqual([
      '03-02T08:45 ada start 03-02T09:00 15-minutes-ago',
      '03-02T08:45 bob start 03-02T09:00 15-minutes-ago',
    ]);
  });
});
