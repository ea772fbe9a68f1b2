import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MATCH_ALL_CRITERIA } from '@tocsin/api';
import { Teams } from '@tocsin/events';
import { sampleTeam } from '../testing/team-samples.ts';
import {
  activateTeam,
  beginDeletion,
  begun,
  type BegunTeam,
  editTeam,
  type Member,
  routingUses,
  type Team,
  type TeamDraft,
  teamMessage,
  withMember,
  withoutRepeats,
} from './team.ts';

const members: fc.Arbitrary<readonly Member[]> = fc.array(
  fc.record({ userId: fc.constantFrom('ada', 'bob', 'cyd'), role: fc.constantFrom('user' as const, 'admin' as const) }),
);

const ops = sampleTeam({ members: [{ userId: 'ada', role: 'admin' }] });

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

describe('editTeam', () => {
  const edit = fc.record(
    {
      name: fc.constantFrom('Ops', 'Web'),
      description: fc.constantFrom('', 'new'),
      members: members.map(withoutRepeats),
    },
    { requiredKeys: [] },
  );

  it('is the very same team where nothing differs', () => {
    expect(editTeam(ops, {})).toBe(ops);
    expect(editTeam(ops, { name: ops.name, description: '', members: [{ userId: 'ada', role: 'admin' }] })).toBe(ops);
  });

  it('has the given fields, and keeps the rest', () => {
    fc.assert(
      fc.property(edit, (given) => {
        const { name, description, members: next } = editTeam(ops, given);
        const { name: oldName, description: oldDescription, members: oldMembers } = ops;
        const before = { name: oldName, description: oldDescription, members: oldMembers };
        expect({ name, description, members: next }).toEqual({ ...before, ...given });
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(edit, (given) => {
        const once = editTeam(ops, given);
        expect(editTeam(once, given)).toBe(once);
      }),
    );
  });
});

describe('withMember', () => {
  it('keeps the place of a member whose role changes, and adds others at the end', () => {
    const [ada, bob] = [
      { userId: 'ada', role: 'admin' },
      { userId: 'bob', role: 'user' },
    ] as const;
    expect(withMember([ada], bob)).toEqual([ada, bob]);
    expect(withMember([ada, bob], { ...ada, role: 'user' })).toEqual([{ ...ada, role: 'user' }, bob]);
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
        criteria: MATCH_ALL_CRITERIA,
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

const draft: TeamDraft = {
  id: 'new',
  name: 'Ops',
  description: '',
  members: [{ userId: 'ada', role: 'user' }],
  attempt: 'second',
  createdBy: 'key',
  createdAt: new Date('2026-02-01T00:00:00Z'),
};

describe('the phases of a team', () => {
  const whole = { defaults: { scheduleId: 's', escalationId: 'e' }, routingRules: [] };
  const first = { ...draft, id: 'old', attempt: 'first', createdAt: new Date('2026-01-01T00:00:00Z') };
  const creating = teamOf(begun(first, undefined));

  it('begin with a draft; an attempt that did not end leaves its id and its age to the next', () => {
    expect(creating).toMatchObject({ id: 'old', phase: 'creating', attempt: 'first', version: { n: 0 } });
    const second = teamOf(begun(draft, creating));
    expect(second).toMatchObject({ id: 'old', createdAt: first.createdAt, attempt: 'second', phase: 'creating' });
  });

  it('refuse a draft of the name of a team that is whole, or that leaves', () => {
    expect(begun(draft, { ...creating, phase: 'active' })).toEqual({ kind: 'taken' });
    const leaver: Team = { ...creating, phase: 'deleting' };
    expect(begun(draft, leaver)).toEqual({ kind: 'leaving', team: leaver });
  });

  it('make a team whole once, and only for its latest attempt', () => {
    const active = activateTeam(creating, 'first', whole);
    expect(active).toMatchObject({ phase: 'active', version: { n: 1 }, ...whole });
    expect(activateTeam(active as Team, 'first', whole)).toBe(active);
    expect(activateTeam(creating, 'second', whole)).toBe('overtaken');
    expect(activateTeam({ ...creating, phase: 'deleting' }, 'first', whole)).toBe('gone');
    expect(activateTeam(undefined, 'first', whole)).toBe('gone');
  });

  it('hide a team for good once, and only for its latest attempt', () => {
    expect(beginDeletion(creating, 'first')).toMatchObject({ phase: 'deleting', version: { n: 1 } });
    expect(beginDeletion(creating, 'second')).toBeUndefined();
    expect(beginDeletion({ ...creating, phase: 'deleting' }, 'first')).toBeUndefined();
    expect(beginDeletion(undefined, 'first')).toBeUndefined();
  });
});

function teamOf(beginning: BegunTeam): Team {
  if (beginning.kind === 'begun') return beginning.team;
  throw new Error(beginning.kind);
}
