import { describe, expect, it } from '@jest/globals';
import { Teams } from '@tocsin/contracts';
import fc from 'fast-check';
import { activation, routingUses, teamMessage, withoutRepeats, type Member, type Team } from './team.ts';

const members: fc.Arbitrary<readonly Member[]> = fc.array(
  fc.record({ userId: fc.constantFrom('ada', 'bob', 'cyd'), role: fc.constantFrom('user' as const, 'admin' as const) }),
);

const ops: Team = {
  id: 'ops',
  name: 'Ops',
  description: '',
  members: [{ userId: 'ada', role: 'admin' }],
  ...activation({ scheduleId: 's', escalationId: 'e' }, 'rule', 'Europe/Rome'),
  roles: [],
  phase: 'active',
  attempt: 'first',
  createdBy: 'Default API',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  version: { epoch: 1, n: 1 },
};

describe('withoutRepeats', () => {
  it('keeps every user once, in the role that was given last', () => {
    fc.assert(
      fc.property(members, (given) => {
        const kept = withoutRepeats(given);
        expect(kept.map(({ userId }) => userId)).toEqual([...new Set(given.map(({ userId }) => userId))]);
        for (const { userId, role } of kept) expect(given.findLast((each) => each.userId === userId)?.role).toBe(role);
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(members, (given) => {
        expect(withoutRepeats(withoutRepeats(given))).toEqual(withoutRepeats(given));
      }),
    );
  });
});

describe('activation', () => {
  it('routes everything to the escalation of the team', () => {
    expect(ops.routingRules).toEqual([
      {
        id: 'rule',
        name: 'Default Routing Rule',
        isDefault: true,
        order: 0,
        timezone: 'Europe/Rome',
        criteria: { type: 'match-all', conditions: [] },
        notify: { type: 'escalation', id: 'e' },
      },
    ]);
  });
});

describe('routingUses', () => {
  it('names the rules that notify exactly that thing', () => {
    expect(routingUses(ops, 'escalation', 'e')).toEqual([{ teamName: 'Ops', ruleName: 'Default Routing Rule' }]);
    expect(routingUses(ops, 'schedule', 'e')).toEqual([]);
    expect(routingUses(ops, 'escalation', 's')).toEqual([]);
  });
});

describe('teamMessage', () => {
  it('is a message of the topic, with nothing of how the team came to be', () => {
    const message = teamMessage(ops);
    expect(Teams.schema.parse(message)).toEqual(message);
    expect(message).not.toHaveProperty('state.attempt');
  });
});
