import { describe, expect, it } from '@jest/globals';
import { onCallAnswer } from './on-call-answer.ts';
import { participantsAt } from './on-call.ts';
import { rotationOf, scheduleOf, userOf, worldOf } from './on-call.samples.ts';
import type { Participant } from './schedule.ts';

const user = (id: string): Participant => ({ type: 'user', id });
const three = scheduleOf('ops', [rotationOf([user('ada'), user('bob'), user('eve')])]);
const secondDay = new Date('2026-01-02T12:00:00Z');
const idsOf = (found: ReturnType<typeof participantsAt>) =>
  found.map(({ participant }) => (participant.type === 'none' ? 'none' : participant.id));

describe('participantsAt', () => {
  it('takes the participant of the present turn, of the one after and of the one before', () => {
    expect(idsOf(participantsAt(three, secondDay, 'default'))).toEqual(['bob']);
    expect(idsOf(participantsAt(three, secondDay, 'next'))).toEqual(['eve']);
    expect(idsOf(participantsAt(three, secondDay, 'previous'))).toEqual(['ada']);
  });

  it('goes round: before the first turn comes the last participant', () => {
    expect(idsOf(participantsAt(three, new Date('2026-01-01T12:00:00Z'), 'previous'))).toEqual(['eve']);
  });

  it('is nobody on a disabled schedule, before the start and from the end on', () => {
    expect(participantsAt({ ...three, enabled: false }, secondDay, 'default')).toEqual([]);
    expect(participantsAt(three, new Date('2025-12-31T23:59:59Z'), 'default')).toEqual([]);
    expect(
      participantsAt(scheduleOf('ops', [rotationOf([user('ada')], { endAt: secondDay })]), secondDay, 'default'),
    ).toEqual([]);
  });

  it('says by which rotation and turn', () => {
    expect(participantsAt(three, secondDay, 'default')).toEqual([
      {
        rotation: { id: 'rotation', name: 'Rot1' },
        turn: { index: 1, startsAt: new Date('2026-01-02T00:00:00Z'), endsAt: new Date('2026-01-03T00:00:00Z') },
        notifyType: 'default',
        participant: user('bob'),
      },
    ]);
  });
});

describe('onCallAnswer', () => {
  const crew = scheduleOf('ops', [
    rotationOf([user('ada')]),
    rotationOf([{ type: 'none' }], { name: 'Quiet' }),
    rotationOf([user('gone')], { name: 'Old' }),
    rotationOf([user('ada')], { name: 'Again' }),
    rotationOf([{ type: 'team', id: 'sre' }], { name: 'Team' }),
    rotationOf([{ type: 'escalation', id: 'esc' }], { name: 'Escalation' }),
  ]);
  const world = worldOf({ schedules: [crew], users: [userOf('ada')] });

  it('names each user once, skips who is gone and says so', () => {
    const answer = onCallAnswer(world, 'ops', secondDay, 'default');
    expect(answer.users).toEqual([{ userId: 'ada' }]);
    expect(answer.verdicts.map(({ outcome }) => outcome)).toEqual([
      'on-call',
      'none',
      'skipped',
      'on-call',
      'skipped',
      'skipped',
    ]);
    expect(answer.explanation).toContain('user [gone] does not exist any more');
    expect(answer.explanation).toContain(
      'ada@example.com is on call in rotation [Rot1] of schedule [ops] (turn of 2026-01-02T00:00:00Z to 2026-01-03T00:00:00Z).',
    );
  });

  it('hands teams and escalations over to whoever pages', () => {
    const known = worldOf({
      schedules: [crew],
      users: [userOf('ada')],
      teams: [{ id: 'sre', name: 'SRE', description: '', members: [], routingRules: [] }],
      escalations: [
        { ...{ id: 'esc', name: 'esc', description: '', ownerTeamId: undefined, rules: [] }, ...versioned },
      ],
    });
    expect(onCallAnswer(known, 'ops', secondDay, 'default').responders).toEqual([
      { type: 'team', id: 'sre' },
      { type: 'escalation', id: 'esc' },
    ]);
  });

  it('reaches nobody and says why where there is no schedule, a disabled one or none of its rotations is active', () => {
    const idle = worldOf({ schedules: [scheduleOf('ops', []), scheduleOf('off', [], { enabled: false })] });
    const explained = (id: string) => onCallAnswer(idle, id, secondDay, 'default');
    expect(explained('ops').explanation).toBe('Schedule [ops] has no rotation that is active at 2026-01-02T12:00:00Z.');
    expect(explained('off').explanation).toBe('Schedule [off] is disabled.');
    expect(explained('gone')).toEqual({
      users: [],
      responders: [],
      verdicts: [],
      explanation: 'Schedule [gone] does not exist any more.',
    });
  });
});

const versioned = { createdAt: secondDay, version: { epoch: 1, n: 1 } };
