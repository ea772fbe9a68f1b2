import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sampleTeam } from '../testing/team-samples.ts';
import {
  creationEntry,
  differences,
  entriesOf,
  formatLogPosition,
  type MemberNames,
  parseLogPosition,
} from './team-log.ts';
import { editTeam, type Member, withoutRepeats } from './team.ts';

const ops = sampleTeam({ description: 'old', members: [{ userId: 'ada', role: 'admin' }] });
const names: MemberNames = {
  usernameOf: (userId) => `${userId}@example.com`,
  rotationsOf: (userId) => (userId === 'ada' ? ['rotation [Rot1] of schedule [Ops]'] : []),
};

const members: fc.Arbitrary<readonly Member[]> = fc
  .array(fc.record({ userId: fc.constantFrom('ada', 'bob', 'cyd'), role: fc.constantFrom('user', 'admin') }))
  .map(withoutRepeats);

describe('differences', () => {
  it('name a changed name, description, member or role', () => {
    const next = editTeam(ops, { name: 'Web', description: 'new', members: [{ userId: 'bob', role: 'user' }] });
    expect(differences(ops, next, names)).toEqual([
      'Team [Ops] is renamed to [Web].',
      'Description is changed to [new].',
      'User [bob@example.com] is added as user.',
      'User [ada@example.com] is removed. They stay in rotation [Rot1] of schedule [Ops].',
    ]);
    const demoted = editTeam(ops, { members: [{ userId: 'ada', role: 'user' }] });
    expect(differences(ops, demoted, names)).toEqual(['Role of user [ada@example.com] is changed to user.']);
  });

  it('are none between a team and the same team', () => {
    fc.assert(
      fc.property(members, (given) => {
        const team = { ...ops, members: given };
        expect(differences(team, { ...team }, names)).toEqual([]);
      }),
    );
  });

  it('name every user whose place in the team changes, once', () => {
    fc.assert(
      fc.property(members, members, (before, after) => {
        const roleIn = (all: readonly Member[], id: string) => all.find(({ userId }) => userId === id)?.role;
        const moved = ['ada', 'bob', 'cyd'].filter((id) => roleIn(before, id) !== roleIn(after, id));
        const lines = differences({ ...ops, members: before }, { ...ops, members: after }, names);
        expect(lines).toHaveLength(moved.length);
        for (const id of moved) expect(lines.filter((line) => line.includes(`[${id}@`))).toHaveLength(1);
      }),
    );
  });
});

describe('entriesOf', () => {
  it('names the actor and the time in every line', () => {
    const actor = { owner: 'Default API', at: new Date(0) };
    expect(entriesOf(actor, ['one', 'two'])).toEqual([
      { ...actor, log: 'one' },
      { ...actor, log: 'two' },
    ]);
  });
});

describe('creationEntry', () => {
  it('begins a history in the name of the caller who asked for the team', () => {
    const { createdAt } = ops;
    expect(creationEntry(ops)).toEqual({ owner: 'Default API', at: createdAt, log: 'Team [Ops] is created.' });
  });
});

describe('the cursor of a line', () => {
  it('is read as the position of which it was made', () => {
    fc.assert(
      fc.property(fc.record({ n: fc.nat(), line: fc.nat({ max: 3_000 }) }), (position) => {
        expect(parseLogPosition(formatLogPosition(position))).toEqual(position);
      }),
    );
  });

  it.each(['', 'x', '1', '1-', '-1', '1-2-3', ' 1-2', '1.0-2', '-1-2', `${'9'.repeat(16)}-1`])(
    'is not read from %j',
    (cursor) => {
      expect(parseLogPosition(cursor)).toBeUndefined();
    },
  );
});
