import { describe, expect, it } from '@jest/globals';
import type { TimeRestriction } from '@tocsin/events';
import { onCallAnswer } from './on-call-answer.ts';
import { participantsAt, type ScheduleNotifyType } from './on-call.ts';
import type { Exists } from '../configuration/mentions.ts';
import { rotationOf, scheduleOf, userOf, snapshotOf } from '../testing/on-call-samples.ts';
import type { Override } from '../schedules/override.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';

const user = (id: string): Participant => ({ type: 'user', id });
const three = scheduleOf('ops', [rotationOf([user('ada'), user('bob'), user('eve')])]);
const secondDay = new Date('2026-01-02T12:00:00Z');
const allExist = () => true;
const foundAt = (schedule: Schedule, at: Date, notifyType: ScheduleNotifyType = 'default', exists: Exists = allExist) =>
  participantsAt(schedule, at, notifyType, exists);
const idsOf = (found: ReturnType<typeof participantsAt>) =>
  found.map(({ participant }) => (participant.type === 'none' ? 'none' : participant.id));

describe('participantsAt', () => {
  it('takes the participant of the present turn, of the one after and of the one before', () => {
    expect(idsOf(foundAt(three, secondDay, 'default'))).toEqual(['bob']);
    expect(idsOf(foundAt(three, secondDay, 'next'))).toEqual(['eve']);
    expect(idsOf(foundAt(three, secondDay, 'previous'))).toEqual(['ada']);
  });

  it('repeats: before the first turn comes the last participant', () => {
    expect(idsOf(foundAt(three, new Date('2026-01-01T12:00:00Z'), 'previous'))).toEqual(['eve']);
  });

  it('is empty on a disabled schedule, before the start and from the end on', () => {
    expect(foundAt({ ...three, enabled: false }, secondDay, 'default')).toEqual([]);
    expect(foundAt(three, new Date('2025-12-31T23:59:59Z'), 'default')).toEqual([]);
    expect(foundAt(scheduleOf('ops', [rotationOf([user('ada')], { endAt: secondDay })]), secondDay, 'default')).toEqual(
      [],
    );
  });

  it('names the rotation and the turn', () => {
    expect(foundAt(three, secondDay, 'default')).toEqual([
      {
        rotation: { id: 'rotation', name: 'Rot1' },
        turn: { index: 1, startsAt: new Date('2026-01-02T00:00:00Z'), endsAt: new Date('2026-01-03T00:00:00Z') },
        restricted: false,
        override: undefined,
        notifyType: 'default',
        participant: user('bob'),
        passedOver: [],
      },
    ]);
  });
});

const nights: TimeRestriction = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
};
const override = (alias: string, over: Partial<Override> = {}): Override => ({
  alias,
  user: { type: 'user', id: 'kim' },
  startAt: new Date('2026-01-02T00:00:00Z'),
  endAt: new Date('2026-01-03T00:00:00Z'),
  rotationIds: undefined,
  ...over,
});

describe('participantsAt, layer by layer', () => {
  const restricted = { ...three, rotations: three.rotations.map((one) => ({ ...one, timeRestriction: nights })) };
  const overridden = (...overrides: readonly Override[]) => ({ ...three, overrides });

  it('keeps the participant of a turn off outside of the time restriction, while turns go on', () => {
    expect(foundAt(restricted, secondDay, 'default')).toMatchObject([
      { participant: { type: 'none' }, restricted: true, turn: { index: 1 } },
    ]);
    expect(idsOf(foundAt(restricted, new Date('2026-01-02T23:00:00Z'), 'default'))).toEqual(['bob']);
    expect(idsOf(foundAt(restricted, new Date('2026-01-03T05:59:00Z'), 'default'))).toEqual(['eve']);
  });

  it('has no next and no previous user where a restriction keeps the rotation from being active', () => {
    expect(idsOf(foundAt(restricted, secondDay, 'next'))).toEqual(['none']);
    expect(idsOf(foundAt(restricted, new Date('2026-01-02T23:00:00Z'), 'next'))).toEqual(['eve']);
  });

  it('uses an override instead of the participant and names the participant', () => {
    expect(foundAt(overridden(override('swap')), secondDay, 'default')).toMatchObject([
      { participant: user('kim'), override: { alias: 'swap', displaced: user('bob') }, turn: { index: 1 } },
    ]);
    expect(idsOf(foundAt(overridden(override('swap')), new Date('2026-01-03T00:00:00Z'), 'default'))).toEqual(['eve']);
  });

  it('lets the newest override win, and one without a user empty the rotation', () => {
    const older = override('older');
    const newer = override('newer', { user: { type: 'none' } });
    expect(idsOf(foundAt(overridden(newer, older), secondDay, 'default'))).toEqual(['kim']);
    expect(idsOf(foundAt(overridden(older, newer), secondDay, 'default'))).toEqual(['none']);
  });

  it('has the user of an override on call where the base has no user, but only in the rotations that it names', () => {
    const two = {
      ...restricted,
      rotations: [...restricted.rotations, rotationOf([user('lea')], { id: 'other', startAt: new Date('2027-01-01') })],
    };
    const of = (rotationIds: readonly string[] | undefined) =>
      idsOf(foundAt({ ...two, overrides: [override('swap', { rotationIds })] }, secondDay, 'default'));
    expect(of(undefined)).toEqual(['kim', 'kim']);
    expect(of(['other'])).toEqual(['none', 'kim']);
  });

  it('counts an override as one unnamed rotation on a schedule without rotations', () => {
    const empty = scheduleOf('ops', [], { overrides: [override('swap')] });
    expect(foundAt(empty, secondDay, 'default')).toMatchObject([
      { rotation: { id: 'ops', name: '' }, turn: undefined, participant: user('kim') },
    ]);
  });

  it('does not count overrides for the one next and the one before', () => {
    expect(idsOf(foundAt(overridden(override('swap')), secondDay, 'next'))).toEqual(['eve']);
    expect(idsOf(foundAt(overridden(override('swap')), secondDay, 'previous'))).toEqual(['ada']);
    expect(foundAt(scheduleOf('ops', [], { overrides: [override('swap')] }), secondDay, 'next')).toEqual([]);
  });
});

describe('participantsAt, where a participant was deleted', () => {
  const without =
    (...ids: readonly string[]): Exists =>
    ({ id }) =>
      !ids.includes(id);

  it('takes the next of the rotation instead, towards the turn that is meant', () => {
    expect(idsOf(foundAt(three, secondDay, 'default', without('bob')))).toEqual(['eve']);
    expect(idsOf(foundAt(three, secondDay, 'next', without('eve')))).toEqual(['ada']);
    expect(idsOf(foundAt(three, secondDay, 'previous', without('ada')))).toEqual(['eve']);
    expect(idsOf(foundAt(three, secondDay, 'default', without('ada', 'bob', 'eve')))).toEqual(['none']);
  });

  it('skips an override, and reports it also where nothing is below it', () => {
    const swapped = [override('old', { user: { type: 'user', id: 'lea' } }), override('swap')];
    expect(foundAt({ ...three, overrides: swapped }, secondDay, 'default', without('kim'))).toMatchObject([
      {
        participant: user('lea'),
        override: { alias: 'old', displaced: user('bob') },
        passedOver: [{ override: 'swap' }],
      },
    ]);
    expect(foundAt(scheduleOf('ops', [], { overrides: swapped }), secondDay, 'default', without('kim', 'lea'))).toEqual(
      [
        expect.objectContaining({
          participant: { type: 'none' },
          passedOver: [
            { participant: user('kim'), override: 'swap' },
            { participant: user('lea'), override: 'old' },
          ],
        }),
      ],
    );
  });
});

describe('onCallAnswer', () => {
  it('explains restriction and override, and whom the override displaces', () => {
    const known = [userOf('ada'), userOf('bob'), userOf('eve'), userOf('kim')];
    const explained = (over: Partial<Schedule>) =>
      onCallAnswer(snapshotOf({ schedules: [{ ...three, ...over }], users: known }), 'ops', secondDay, 'default')
        .explanation;
    const turn = '(turn of 2026-01-02T00:00:00Z to 2026-01-03T00:00:00Z)';
    expect(explained({ rotations: three.rotations.map((one) => ({ ...one, timeRestriction: nights })) })).toBe(
      `No user is on call in rotation [Rot1] of schedule [ops] ${turn}, outside of its time restriction.`,
    );
    expect(explained({ overrides: [override('swap')] })).toBe(
      `kim@example.com is on call in rotation [Rot1] of schedule [ops] ${turn} by override [swap], instead of bob@example.com.`,
    );
    expect(explained({ overrides: [override('off', { user: { type: 'none' } })] })).toBe(
      `No user is on call in rotation [Rot1] of schedule [ops] ${turn} by override [off], instead of bob@example.com.`,
    );
    expect(explained({ rotations: [], overrides: [override('swap')] })).toBe(
      'kim@example.com is on call in schedule [ops] by override [swap], instead of no user.',
    );
  });

  const crew = scheduleOf('ops', [
    rotationOf([user('ada')]),
    rotationOf([{ type: 'none' }], { name: 'Quiet' }),
    rotationOf([user('gone')], { name: 'Old' }),
    rotationOf([user('ada')], { name: 'Again' }),
    rotationOf([{ type: 'team', id: 'sre' }], { name: 'Team' }),
    rotationOf([{ type: 'escalation', id: 'esc' }], { name: 'Escalation' }),
  ]);
  const snapshot = snapshotOf({ schedules: [crew], users: [userOf('ada')] });

  it('names each user once, skips deleted ones and says so', () => {
    const answer = onCallAnswer(snapshot, 'ops', secondDay, 'default');
    expect(answer.users).toEqual([{ userId: 'ada' }]);
    expect(answer.rotations.map(({ outcome }) => outcome)).toEqual([
      'on-call',
      'none',
      'skipped',
      'on-call',
      'skipped',
      'skipped',
    ]);
    expect(answer.explanation).toContain('The user [gone] is skipped: it does not exist any more.');
    expect(answer.explanation).toContain(
      'ada@example.com is on call in rotation [Rot1] of schedule [ops] (turn of 2026-01-02T00:00:00Z to 2026-01-03T00:00:00Z).',
    );
  });

  it('returns teams and escalations unopened, for a transition to open', () => {
    const known = snapshotOf({
      schedules: [crew],
      users: [userOf('ada')],
      teams: [{ id: 'sre', name: 'SRE', description: '', members: [], routingRules: [] }],
      escalations: [
        {
          id: 'esc',
          name: 'esc',
          description: '',
          ownerTeamId: undefined,
          rules: [],
          repeat: undefined,
          ...versioned,
        },
      ],
    });
    expect(onCallAnswer(known, 'ops', secondDay, 'default').responders).toEqual([
      { type: 'team', id: 'sre' },
      { type: 'escalation', id: 'esc' },
    ]);
  });

  it('reaches no user and says why where there is no schedule, a disabled one or none of its rotations is active', () => {
    const idle = snapshotOf({ schedules: [scheduleOf('ops', []), scheduleOf('off', [], { enabled: false })] });
    const explained = (id: string) => onCallAnswer(idle, id, secondDay, 'default');
    expect(explained('ops').explanation).toBe('Schedule [ops] has no rotation that is active at 2026-01-02T12:00:00Z.');
    expect(explained('off').explanation).toBe('Schedule [off] is disabled.');
    expect(explained('gone')).toEqual({
      users: [],
      responders: [],
      rotations: [],
      explanation: 'Schedule [gone] does not exist any more.',
    });
  });
});

const versioned = { createdAt: secondDay, version: { epoch: 1, n: 1 } };
