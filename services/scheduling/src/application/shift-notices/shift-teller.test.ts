import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { TeamState, UserState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { MemoryReplica } from '@tocsin/messaging';
import type { Change } from '../../domain/configuration.ts';
import type { Participant, Schedule } from '../../domain/schedule.ts';
import { MemoryConfigurationStore } from '../../testing/memory-configuration-store.ts';
import { MemoryShiftPositions } from '../../testing/memory-shift-positions.ts';
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
let positions: MemoryShiftPositions;
let configuration: MemoryConfigurationStore;
let users: MemoryReplica<UserState>;
let teller: ShiftTeller;

beforeEach(() => {
  clock = new ManualClock(at('01T00:00'));
  positions = new MemoryShiftPositions();
  configuration = new MemoryConfigurationStore((touched) => {
    positions.touched(touched, clock.now());
  });
  users = new MemoryReplica<UserState>();
  for (const id of ['ada', 'bob']) users.put(id, toldUser(id, ['15-minutes-ago']));
  const teams = new MemoryReplica<TeamState>();
  teller = new ShiftTeller(new Snapshots({ store: configuration, users, teams }));
});

const change = (what: Omit<Change<undefined>, 'answer'>) =>
  configuration.change(() => ({ ...what, answer: undefined }));
const write = (...put: readonly Schedule[]) => change({ schedules: { put } });

/** Publishes what is due now, as much as goes together. */
async function publish(): Promise<void> {
  positions.publish(await teller.due(positions.dueAt(clock.now()), clock.now()));
}

/** Publishes what is due at each instant until `until`. */
async function pass(until: string): Promise<void> {
  const end = at(until);
  for (let next = positions.nextAt; next !== undefined && next <= end; next = positions.nextAt) {
    if (next > clock.now()) clock.moveTo(next);
    await publish();
  }
  clock.moveTo(end);
}

describe('the teller of shifts', () => {
  it('tells at the lead time that a rule asks for, and says why', async () => {
    await write(ops('02T09:00', 'ada'));
    await pass('02T08:44');
    expect(positions.notices).toEqual([]);
    await pass('02T08:45');
    expect(told(positions.notices)).toEqual(['03-02T08:45 ada start 03-02T09:00 15-minutes-ago']);
    expect(positions.decisions).toMatchObject([
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
    expect(positions.notices).toHaveLength(1);
  });

  it('tells at the new time once the rotation has moved, and not at the old one', async () => {
    await write(ops('02T09:00', 'ada'));
    await pass('02T08:00');
    await write(ops('02T12:00', 'ada'));
    await pass('03T00:00');
    expect(told(positions.notices)).toEqual(['03-02T11:45 ada start 03-02T12:00 15-minutes-ago']);
  });

  it('tells of a duty that is passed on, and not of one that is not passed on any more', async () => {
    await write(ops('02T09:00', 'ada'));
    await pass('02T10:00');
    const rule = forwardingOf('ada', 'bob', { startAt: at('02T12:00'), endAt: at('02T18:00') });
    await change({ forwardingRules: { put: [rule] } });
    await pass('02T13:00');
    await change({ forwardingRules: { removed: [rule] } });
    await pass('03T00:00');
    expect(told(positions.notices)).toEqual([
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
    expect(positions.notices).toHaveLength(1);
  });

  it('tells nothing of a schedule that was deleted or disabled, and is not due for it again', async () => {
    const other = { ...ops('02T09:00', 'bob'), id: 'other', name: 'other' };
    await write(ops('02T09:00', 'ada'), other);
    await pass('02T08:00');
    await change({ schedules: { removed: [ops('02T09:00')], put: [{ ...other, enabled: false }] } });
    await pass('03T00:00');
    expect(positions.notices).toEqual([]);
    expect(positions.nextAt).toBeUndefined();
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
    expect(told(positions.notices)).toEqual(['03-02T10:30 ada end 03-02T10:00 15-minutes-ago']);
    expect(
      positions.decisions.flatMap(({ verdicts }) => verdicts.map(({ outcome, text }) => [outcome, text])),
    ).toContainEqual([
      'skipped',
      'ada@example.com comes on call in schedule [ops] at 2026-03-02T09:00:00Z, and is not told so late: their time on call is over.',
    ]);
  });

  it('rejects while the users of a schedule cannot be looked up, and publishes all of it later', async () => {
    users.refuseWith(new UnavailableError('The directory is away.'));
    await write(ops('02T09:00', 'new'), { ...ops('02T09:00', 'ada'), id: 'other', name: 'other' });
    clock.moveTo(at('02T08:45'));
    const [unknown = [], known = []] = ['ops', 'other'].map((id) =>
      positions.dueAt(clock.now()).filter(({ scheduleId }) => scheduleId === id),
    );
    await expect(teller.due(unknown, clock.now())).rejects.toThrow(UnavailableError);
    positions.publish(await teller.due(known, clock.now()));
    expect(told(positions.notices)).toEqual(['03-02T08:45 ada start 03-02T09:00 15-minutes-ago']);
    users.put('new', toldUser('new', ['15-minutes-ago']));
    await publish();
    expect(told(positions.notices)).toContain('03-02T08:45 new start 03-02T09:00 15-minutes-ago');
  });

  it('decides no more at once than a transaction has time for', async () => {
    const ids = Array.from({ length: 600 }, (_, at) => `u${at}`);
    for (const id of ids) users.put(id, toldUser(id, ['15-minutes-ago']));
    const large = (name: string) => {
      const rotations = ids.map((id) => rotationOf([{ type: 'user', id }], { id, startAt: at('02T09:00') }));
      return { ...scheduleOf(name, rotations), name };
    };
    await write(...['a', 'b', 'c', 'd', 'e'].map(large));
    clock.moveTo(at('02T08:45'));
    await publish();
    expect(positions.notices).toHaveLength(2_400);
    await publish();
    expect(positions.notices).toHaveLength(3_000);
  });
});
