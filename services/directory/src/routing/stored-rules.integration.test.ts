import { describe, expect, it } from '@jest/globals';
import { CreateRoutingRuleBody, UpdateRoutingRuleBody } from '@tocsin/api';
import { ManualClock } from '@tocsin/core';
import { Teams } from '@tocsin/events';
import { accountKey } from '@tocsin/testkit';
import { TeamChanges } from '../teams/change-operations.ts';
import { MemoryScheduling } from '../testing/memory-scheduling.ts';
import { anotherProcess, mongoDirectory, openMigrated } from '../testing/mongo-fixture.ts';
import { sampleActivation, sampleDraft } from '../testing/stored-samples.ts';
import { RoutingRules } from './operations.ts';

// Each test migrates a database of its own, which takes a while on a busy machine.

const ops = { name: 'Ops' };
const caller = accountKey;
const none = { type: 'none' };
const TAGGED = {
  type: 'Match Any Condition',
  conditions: [{ field: 'tags', operation: 'Contains', expectedValue: 'db' }],
};

async function setUp() {
  const stores = mongoDirectory(await openMigrated());
  const [{ teams, publisher }, elsewhere] = [stores, await anotherProcess(stores)];
  await teams.begin(sampleDraft('Ops'));
  await teams.activate('team-Ops', 'first', sampleActivation('Ops'));
  const scheduling = new MemoryScheduling();
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  let made = 0;
  const rulesOf = (store: typeof teams) =>
    new RoutingRules({
      changes: new TeamChanges({ teams: store, clock }),
      scheduling,
      targets: scheduling,
      newId: () => `rule-${(made += 1)}`,
      timezone: 'UTC',
    });
  const [rules, otherProcess] = [rulesOf(teams), rulesOf(elsewhere.teams)];
  const create = (body: object) => rules.create(ops, CreateRoutingRuleBody.parse({ notify: none, ...body }), caller);
  return { create, otherProcess, publisher, rules };
}

describe('routing rules in MongoDB', () => {
  it('stay dense with the default rule last, whatever two processes add, move and remove at once', async () => {
    const { create, otherProcess, rules } = await setUp();
    const created = await Promise.all(Array.from({ length: 12 }, (_, n) => create({ name: String(n), order: n % 4 })));
    await Promise.all([
      ...created.slice(0, 8).map(({ id }, n) => (n % 2 ? rules : otherProcess).move(ops, id, (n * 5) % 8, caller)),
      ...created.slice(8).map(({ id }) => otherProcess.remove(ops, id, caller)),
    ]);
    const listed = await rules.list(ops, caller);
    expect(listed.map(({ rule }) => rule.order)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(listed.at(-1)?.rule.isDefault).toBe(true);
  });

  it('are announced in canonical form, kept as written, and not announced again when nothing changes', async () => {
    const { create, publisher, rules } = await setUp();
    const { id } = await create({ criteria: TAGGED });
    const [last] = publisher.published.slice(-1);
    const message = Teams.schema.parse(last?.message);
    expect(last?.message).toEqual(message);
    expect(message).toMatchObject({
      state: { routingRules: [{ id, criteria: { type: 'match-any-condition' } }, { isDefault: true }] },
    });
    const { rule } = await rules.get(ops, id, caller);
    expect(rule.criteria.written.type).toBe('Match Any Condition');
    const before = publisher.published.length;
    await rules.update(ops, id, UpdateRoutingRuleBody.parse({ ...rule, criteria: rule.criteria.written }), caller);
    await rules.move(ops, id, 0, caller);
    expect(publisher.published).toHaveLength(before);
  });
});
