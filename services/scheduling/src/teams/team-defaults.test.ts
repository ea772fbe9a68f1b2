import { describe, expect, it } from '@jest/globals';
import { defaultEscalation, defaultSchedule, type NewTeam } from './team-defaults.ts';

const createdAt = new Date('2026-01-01T00:00:00Z');
const team: NewTeam = {
  teamId: 'team',
  teamName: 'Web',
  timezone: 'UTC',
  scheduleId: 'schedule',
  escalationId: 'escalation',
  createdAt,
  version: { epoch: 1, n: 1 },
};

describe('the defaults of a team', () => {
  it('are called after it, by the first name that is free', () => {
    const taken = new Set(['Web_schedule', 'Web_schedule (2)']);
    expect(defaultSchedule(team, (name) => taken.has(name)).name).toBe('Web_schedule (3)');
    expect(defaultEscalation(team, (name) => taken.has(name)).name).toBe('Web_escalation');
  });

  it('lead to the users on call, then to the next ones, then to all', () => {
    const rules = defaultEscalation(team, () => false).rules;
    expect(rules.map(({ delayMinutes, notifyType, recipient }) => [delayMinutes, notifyType, recipient.id])).toEqual([
      [0, 'default', 'schedule'],
      [5, 'next', 'schedule'],
      [10, 'all', 'team'],
    ]);
  });
});
