import { describe, expect, it } from '@jest/globals';
import type { Decision } from '@tocsin/events';
import { decisionEntries } from './consumer.ts';
import { comparePositions } from './entry.ts';

const decision = (stage: Decision['stage'], decisionId = `${stage}:1`): Decision => ({
  decisionId,
  alertId: 'alert-1',
  stage,
  at: '2026-01-05T08:00:00.000Z',
  findings: [
    { subject: 'rule', outcome: 'skipped', text: 'first' },
    { subject: 'rule', outcome: 'matched', text: 'second', facts: { order: 1 } },
  ],
});

describe('the entries of a decision', () => {
  it('are one for each finding, in their order', () => {
    const [first, second] = decisionEntries(decision('route'));
    expect(first).toMatchObject({ entryId: 'route:1/0', log: 'first', type: 'system', owner: 'System' });
    expect(second).toMatchObject({ entryId: 'route:1/1', log: 'second' });
    expect(comparePositions(first?.position ?? fail(), second?.position ?? fail())).toBeLessThan(0);
  });

  it('keep the findings, from which explanations are made', () => {
    expect(decisionEntries(decision('route'))[1]?.decision).toEqual({
      decisionId: 'route:1',
      stage: 'route',
      subject: 'rule',
      outcome: 'matched',
      facts: { order: 1 },
    });
  });

  it('are all of them, of as many findings as a record of Kafka has room for', () => {
    const findings = Array.from({ length: 30_000 }, () => ({ subject: '', outcome: '', text: '' }));
    const entries = decisionEntries({ ...decision('deliver'), findings });
    expect(entries).toHaveLength(30_000);
    expect(Number.isSafeInteger(entries.at(-1)?.position.nanos)).toBe(true);
  });

  it('are none when it is about a user and no alert', () => {
    expect(decisionEntries({ ...decision('deliver'), alertId: undefined, userId: 'u1' })).toEqual([]);
  });

  it('are the same each time', () => {
    expect(decisionEntries(decision('page'))).toEqual(decisionEntries(decision('page')));
  });

  it("come in the order of the stages within one instant, after callers' own entries", () => {
    const firsts = (['process', 'route', 'page', 'deliver'] as const).map(
      (stage) => decisionEntries(decision(stage))[0],
    );
    const ranks = firsts.map((entry) => entry?.position.nanos ?? 0);
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(ranks[0]).toBeGreaterThan(99_999);
    expect(ranks.at(-1)).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });

  it.each(['page', 'deliver'] as const)('of the stage %s have the type alertRecipient', (stage) => {
    expect(decisionEntries(decision(stage))[0]?.type).toBe('alertRecipient');
  });
});

function fail(): never {
  throw new Error('There is no such entry.');
}
