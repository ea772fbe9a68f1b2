import { describe, expect, it } from '@jest/globals';
import type { Decision } from '@tocsin/events';
import { decisionEntries } from './consumer.ts';
import type { LogEntry } from './entry.ts';
import { readableLog, type LogReader } from './readable-log.ts';

const OWNERS: Readonly<Record<string, string | undefined>> = { mine: 'blue', theirs: 'red', shared: undefined };
const known: LogReader['known'] = (type, id) => {
  if (type === 'team') return { kind: 'known', id, name: `Team ${id}` };
  return id in OWNERS ? { kind: 'known', id, name: id, ownerTeamId: OWNERS[id] } : undefined;
};
const readBy = (teamId: string | undefined, entries: readonly LogEntry[]) =>
  readableLog(entries, { teamId, known }).map(({ log }) => log);
const read = (entries: readonly LogEntry[]) => readBy('blue', entries);

const entriesOf = (stage: Decision['stage'], ...findings: Decision['findings']) =>
  decisionEntries({ decisionId: 'd1', alertId: 'a1', stage, at: '2026-01-05T08:00:00.000Z', findings });
const routed = (facts: Record<string, unknown>) =>
  entriesOf(
    'route',
    { subject: 'on-call', outcome: 'found', text: 'Layers.', facts },
    {
      subject: 'page',
      outcome: 'paged',
      text: 'Paged ada: a rule.',
      facts: { ...facts, userId: 'u1', username: 'ada' },
    },
  );

describe('the log of an alert for a team key (K9)', () => {
  it.each([
    ['its own team', { branch: 'team:blue/->schedule:mine' }],
    ['its own schedule', { branch: 'schedule:mine', scheduleId: 'mine' }],
    ['a schedule of no team', { branch: 'team:blue/->schedule:shared' }],
    ['a user', { branch: 'user:u1' }],
  ])('is everything on the way through %s', (_, facts) => {
    expect(read(routed(facts))).toEqual(['Layers.', 'Paged ada: a rule.']);
  });

  it.each([
    ['another team', { branch: 'team:red/->schedule:shared' }],
    ["another team's schedule", { branch: 'escalation:mine', scheduleId: 'theirs' }],
    ['another team further on', { branch: 'escalation:mine/0~1>escalation:theirs' }],
    ['another team by its rules', { branch: 'escalation:mine/0', teamId: 'red' }],
  ])('is the team and the person paged on the way through %s', (_, facts) => {
    expect(read(routed(facts))).toEqual(['Paged ada: team [Team red].']);
    expect(readBy(undefined, routed(facts))).toEqual(['Layers.', 'Paged ada: a rule.']);
  });

  it('leaves out deleted entities on the way to the paged user', () => {
    expect(read(routed({ branch: 'escalation:gone' }))).toEqual(['Paged ada: another team.']);
  });

  it('names policies of the account and of its team, and none of another team', () => {
    const policy = (name: string, teamId?: string) => ({ id: name, name: `[${name}]`, ...(teamId && { teamId }) });
    const evaluated = (...applied: readonly object[]) =>
      entriesOf('process', {
        subject: 'policies',
        outcome: 'matched',
        text: 'Whole.',
        facts: { applied, skipped: [], appliedCount: applied.length, skippedCount: 0 },
      });
    expect(read(evaluated(policy('a'), policy('b', 'blue')))).toEqual(['Whole.']);
    expect(read(evaluated(policy('a'), policy('b', 'blue'), policy('c', 'red')))).toEqual(['Policies: [a]; [b].']);
    expect(read(evaluated(policy('c', 'red')))).toEqual(['Policies were evaluated.']);
  });

  it('has the outcomes of messages and the actions of users', () => {
    const sent = entriesOf('deliver', { subject: 'delivery', outcome: 'sent', text: 'Sent.', facts: { userId: 'u1' } });
    expect(read(sent)).toEqual(['Sent.']);
  });
});
