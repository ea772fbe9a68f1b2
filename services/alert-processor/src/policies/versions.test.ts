import { describe, expect, it } from '@jest/globals';
import { modifying, notifying, policyOf } from '../testing/policy-samples.ts';
import type { NotificationEffects, PolicyEffects } from './policy.ts';
import { inGroups, isInVersionOne, replacedByVersionOne, shareGroup, versionOneType } from './versions.ts';

const hour = { timeAmount: 1, timeUnit: 'hours' } as const;
const EVERY_EFFECT: NotificationEffects = {
  kind: 'notification',
  suppress: true,
  delay: { option: 'for-duration', duration: hour },
  deduplication: { type: 'value-based', count: 3 },
  autoClose: { duration: hour },
  autoRestart: { duration: hour, maxRepeatCount: 2 },
};
const modify = modifying();
const suppressing = notifying({ suppress: true });

describe('the type that a policy has in version 1', () => {
  it.each([
    ['modify', modify],
    ['notification-suppress', EVERY_EFFECT],
    ['notification-delay', { ...EVERY_EFFECT, suppress: false }],
    ['notification-deduplication', { ...EVERY_EFFECT, suppress: false, delay: undefined }],
    ['auto-close', notifying({ autoClose: EVERY_EFFECT.autoClose, autoRestart: EVERY_EFFECT.autoRestart })],
    ['auto-restart-notifications', notifying({ autoRestart: EVERY_EFFECT.autoRestart })],
    [undefined, notifying()],
  ])('is %s, that of its first effect', (type, effects: PolicyEffects) => {
    expect(versionOneType(effects)).toBe(type);
  });

  it('does not matter for policies of teams: only version 2 shows them', () => {
    expect(isInVersionOne(policyOf('p', { effects: suppressing }))).toBe(true);
    expect(isInVersionOne(policyOf('p', { effects: suppressing, teamId: 't1' }))).toBe(false);
    expect(isInVersionOne(policyOf('p'))).toBe(false);
  });
});

describe('the groups of version 1', () => {
  const policies = [
    policyOf('m', { order: 1, effects: modify }),
    policyOf('m0', { order: 0, effects: modify }),
    policyOf('none', { order: 0 }),
    policyOf('s', { order: 5, effects: suppressing }),
    policyOf('d', { order: 1, effects: notifying({ delay: EVERY_EFFECT.delay }) }),
    policyOf('dd', { order: 4, effects: notifying({ deduplication: EVERY_EFFECT.deduplication }) }),
    policyOf('c', { order: 3, effects: notifying({ autoClose: EVERY_EFFECT.autoClose }) }),
    policyOf('r', { order: 2, effects: notifying({ autoRestart: EVERY_EFFECT.autoRestart }) }),
    policyOf('team', { order: 0, teamId: 't1', effects: suppressing }),
  ];

  it('follow each other, and each counts its own places without gaps (P17)', () => {
    const listed = inGroups(policies).map(({ policy: { id }, order }) => [id, order]);
    expect(listed).toEqual([
      ['r', 0],
      ['c', 0],
      ['d', 0],
      ['dd', 1],
      ['s', 2],
      ['m0', 0],
      ['m', 1],
    ]);
  });

  it.each([
    ['s', 'dd', true],
    ['m', 'm0', true],
    ['s', 'c', false],
    ['c', 'r', false],
    ['none', 'none', false],
  ])('of %s and %s are the same: %s', (one, other, same) => {
    const called = (id: string) => policies.find((policy) => policy.id === id) ?? policyOf('p');
    expect(shareGroup(called(one), called(other))).toBe(same);
  });
});

describe('a replacement by version 1', () => {
  it('replaces the effect that it shows and keeps those that it does not', () => {
    const delay = { option: 'next-time', untilHour: 8, untilMinute: 0 } as const;
    const present = { ...EVERY_EFFECT, suppress: false };
    expect(replacedByVersionOne(present, notifying({ delay }))).toEqual({ ...present, delay });
    expect(replacedByVersionOne(EVERY_EFFECT, notifying({ suppress: true }))).toEqual(EVERY_EFFECT);
  });

  it('replaces all of a modification', () => {
    const written = modifying({ message: 'other' });
    expect(replacedByVersionOne(modify, written)).toEqual(written);
  });

  it.each([
    ['another effect of it', EVERY_EFFECT, notifying({ delay: EVERY_EFFECT.delay })],
    ['another kind', EVERY_EFFECT, modify],
    ['another kind', modify, notifying({ suppress: true })],
  ])('is refused if it is of %s', (_, present: PolicyEffects, written: PolicyEffects) => {
    expect(replacedByVersionOne(present, written)).toBeUndefined();
  });
});
