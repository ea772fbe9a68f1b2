import { describe, expect, it } from '@jest/globals';
import { finished } from '@tocsin/core';
import type { Mention } from '../configuration/mentions.ts';
import { escalationOf, rotationOf, ruleFor, scheduleOf, snapshotOf, teamOf } from '../testing/on-call-samples.ts';
import { Reachability } from './reachability.ts';

const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const gone = (index: number) => ({ type: 'user', id: `gone-${index}` }) as const;

/** 1000 rules, which lead to a schedule and a team of 1000 users each that do not exist. */
function ofGone() {
  const snapshot = snapshotOf({
    schedules: [
      scheduleOf(
        'nights',
        many(10, (index) => rotationOf(many(100, (each) => gone(index * 100 + each)))),
      ),
    ],
    escalations: [
      escalationOf(
        'all',
        many(1_000, (index) =>
          index % 2 === 0
            ? ruleFor({ type: 'schedule', id: 'nights' })
            : ruleFor({ type: 'team', id: 'ops' }, { notifyType: 'all' }),
        ),
      ),
    ],
    teams: [teamOf('ops', Object.fromEntries(many(1_000, (index) => [gone(index).id, 'user'])), { type: 'none' })],
  });
  const asked: string[] = [];
  const view = {
    schedule: (id: string) => snapshot.schedule(id),
    escalation: (id: string) => snapshot.escalation(id),
    team: (id: string) => snapshot.team(id),
    user: (id: string) => snapshot.user(id),
    exists: ({ id, type }: Mention) => {
      asked.push(id);
      return snapshot[type](id) !== undefined;
    },
    now: Date.parse('2026-03-20T12:00:00Z'),
  };
  return { asked, reachability: new Reachability(view) };
}

describe('what schedules and escalations reach', () => {
  it('is looked at once for all who lead there', () => {
    const { asked, reachability } = ofGone();
    const answers = many(200, (index) =>
      finished(
        index % 2 === 0
          ? reachability.reachesUser({ type: 'escalation', id: 'all' })
          : reachability.reachesUser({ type: 'schedule', id: 'nights' }),
      ),
    );
    expect(answers).not.toContain(true);
    expect(asked).toHaveLength(2_000);
  });

  it('is looked at in steps of 500 users at most', () => {
    const { asked, reachability } = ofGone();
    const asks: number[] = [];
    const steps = reachability.reachesUser({ type: 'escalation', id: 'all' });
    let isDone = false;
    while (!isDone) {
      const before = asked.length;
      isDone = steps.next().done === true;
      asks.push(asked.length - before);
    }
    expect(Math.max(...asks)).toBe(500);
    expect(asks.length).toBeGreaterThan(1_000);
  });
});
