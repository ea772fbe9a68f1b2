import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import { Decisions, ShiftNotices, type Decision, type ShiftNotice, type UserState } from '@tocsin/events';
import { MemoryReplica } from '@tocsin/kafka';
import { eventually } from '@tocsin/testkit';
import type { Change } from '../configuration/configuration.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';
import { replicaOn, useDatabase } from '../testing/mongo-fixture.ts';
import { forwardingOf, rotationOf, scheduleOf } from '../testing/on-call-samples.ts';
import { linesOf, notifiedUser } from '../testing/shift-samples.ts';

const openDatabase = useDatabase();
const at = (text: string) => new Date(`2026-03-${text}:00Z`);
const ops = (startAt: string, ...ids: readonly string[]): Schedule => {
  const participants = ids.map((id): Participant => ({ type: 'user', id }));
  return scheduleOf('ops', [rotationOf(participants, { startAt: at(startAt) })]);
};

let clock: ManualClock;
let replica: ReturnType<typeof replicaOn>;
let users: MemoryReplica<UserState>;

beforeEach(async () => {
  clock = new ManualClock(at('01T00:00'));
  users = new MemoryReplica<UserState>();
  for (const id of ['ada', 'bob']) users.put(id, notifiedUser(id, ['15-minutes-ago']));
  replica = replicaOn(await openDatabase(), { clock, users });
});

const change = (what: Omit<Change<undefined>, 'answer'>) =>
  replica.store.change(() => ({ ...what, answer: undefined }));
const write = (...put: readonly Schedule[]) => change({ schedules: { put } });

/** Publishes the due notices now. */
const publish = () => replica.shiftWork.activate(new AbortController().signal);

/** Publishes the due notices at each instant until `until`. */
async function pass(until: string): Promise<void> {
  const { shiftWork } = replica;
  const end = at(until);
  for (let next = await shiftWork.earliest(); next !== undefined && next <= end; next = await shiftWork.earliest()) {
    if (next > clock.now()) clock.moveTo(next);
    await publish();
  }
  clock.moveTo(end);
}

async function published(): Promise<{ readonly notices: ShiftNotice[]; readonly decisions: Decision[] }> {
  const { outbox, publisher } = replica;
  await outbox.flush();
  const of = (name: string) => publisher.published.filter(({ topic }) => topic === name).map(({ message }) => message);
  return {
    notices: of(ShiftNotices.name).map((message) => ShiftNotices.schema.parse(message)),
    decisions: of(Decisions.name).map((message) => Decisions.schema.parse(message)),
  };
}

const notices = async () => linesOf((await published()).notices);

describe('notices of shifts', () => {
  it('are published at the lead time that a rule asks for, with the decision', async () => {
    await write(ops('02T09:00', 'ada'));
    await pass('02T08:44');
    expect(await notices()).toEqual([]);
    await pass('02T08:45');
    expect(await notices()).toEqual(['03-02T08:45 ada start 03-02T09:00 15-minutes-ago']);
    expect((await published()).decisions).toMatchObject([
      {
        decisionId: 'route:shift:ops:ada:start:2026-03-02T09:00:00.000Z:15-minutes-ago',
        userId: 'ada',
        stage: 'route',
        findings: [
          {
            subject: 'shift',
            outcome: 'notified',
            text: 'ada@example.com comes on call in schedule [ops] at 2026-03-02T09:00:00Z, and is notified.',
            facts: { scheduleId: 'ops', rotations: ['Rot1'], leadTime: '15-minutes-ago' },
          },
        ],
      },
    ]);
    await pass('09T00:00');
    expect(await notices()).toHaveLength(1);
  });

  it('are published at the new time once the rotation has moved, and not at the old one', async () => {
    await write(ops('02T09:00', 'ada'));
    await pass('02T08:00');
    await write(ops('02T12:00', 'ada'));
    await pass('03T00:00');
    expect(await notices()).toEqual(['03-02T11:45 ada start 03-02T12:00 15-minutes-ago']);
  });

  it('follow a forwarding rule while it exists', async () => {
    await write(ops('02T09:00', 'ada'));
    await pass('02T10:00');
    const rule = forwardingOf('ada', 'bob', { startAt: at('02T12:00'), endAt: at('02T18:00') });
    await change({ forwardingRules: { put: [rule] } });
    await pass('02T13:00');
    await change({ forwardingRules: { removed: [rule] } });
    await pass('03T00:00');
    expect(await notices()).toEqual([
      '03-02T08:45 ada start 03-02T09:00 15-minutes-ago',
      '03-02T11:45 ada end 03-02T12:00 15-minutes-ago',
      '03-02T11:45 bob start 03-02T12:00 15-minutes-ago',
    ]);
  });

  it('follow a rule that a user made after the schedule was written', async () => {
    users.put('ada', notifiedUser('ada', []));
    await write(ops('02T09:00', 'ada'));
    await pass('02T08:30');
    users.put('ada', notifiedUser('ada', ['15-minutes-ago']));
    await pass('02T09:00');
    expect(await notices()).toHaveLength(1);
  });

  it('are not published of a schedule that was deleted or disabled, which is never due again', async () => {
    const other = { ...ops('02T09:00', 'bob'), id: 'other', name: 'other' };
    await write(ops('02T09:00', 'ada'), other);
    await pass('02T08:00');
    await change({ schedules: { removed: [ops('02T09:00')], put: [{ ...other, enabled: false }] } });
    await pass('03T00:00');
    expect(await notices()).toEqual([]);
    expect(await replica.shiftWork.earliest()).toBeUndefined();
  });

  it('are not published too late; a decision has the reason', async () => {
    await write(
      scheduleOf('ops', [
        rotationOf([{ type: 'user', id: 'ada' }], { startAt: at('02T09:00'), endAt: at('02T10:00') }),
      ]),
    );
    await pass('02T08:00');
    clock.moveTo(at('02T10:30'));
    await pass('02T10:30');
    expect(await notices()).toEqual(['03-02T10:30 ada end 03-02T10:00 15-minutes-ago']);
    expect(
      (await published()).decisions.flatMap(({ findings }) => findings.map(({ outcome, text }) => [outcome, text])),
    ).toContainEqual([
      'skipped',
      'ada@example.com comes on call in schedule [ops] at 2026-03-02T09:00:00Z, and is not notified so late: their time on call is over.',
    ]);
  });

  it('publishes the notices of a schedule once its users can be looked up, and of the others meanwhile', async () => {
    users.refuseWith(new UnavailableError('The directory is unavailable.'));
    await write(ops('02T09:00', 'new'), { ...ops('02T09:00', 'ada'), id: 'other', name: 'other' });
    clock.moveTo(at('02T08:45'));
    await publish();
    expect(await notices()).toEqual(['03-02T08:45 ada start 03-02T09:00 15-minutes-ago']);
    users.put('new', notifiedUser('new', ['15-minutes-ago']));
    await eventually(async () => {
      await publish();
      expect(await notices()).toContain('03-02T08:45 new start 03-02T09:00 15-minutes-ago');
    });
  });

  it('resolves no more notices at once than a transaction has time for', async () => {
    const ids = Array.from({ length: 600 }, (_, at) => `u${at}`);
    for (const id of ids) users.put(id, notifiedUser(id, ['15-minutes-ago']));
    const large = (name: string) => {
      const rotations = ids.map((id) => rotationOf([{ type: 'user', id }], { id, startAt: at('02T09:00') }));
      return { ...scheduleOf(name, rotations), name };
    };
    const names = ['a', 'b', 'c', 'd', 'e'];
    await write(...names.map(large));
    const schedules = names.map((scheduleId) => ({ scheduleId, dueAt: at('01T00:00') }));
    const resolved = await replica.resolver.resolve(schedules, at('02T08:45'));
    expect(resolved.map((each) => [each.scheduleId, each.notices.length])).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => [name, 600]),
    );
  });
});
