import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { AlertEvent, AlertState } from '@tocsin/events';
import { TooMuchTogetherError } from '@tocsin/kafka';
import { decide } from './decide.ts';
import type { EscalationState } from './escalation-state.ts';
import { batchOf } from '../testing/engine-fixture.ts';
import { escalationOf, ruleFor, teamOf, userOf } from '../testing/on-call-samples.ts';
import { configurationSample, type ConfigurationSample } from '../testing/open-engine.ts';
import type { Escalation } from '../escalations/escalation.ts';
import { Snapshots } from '../configuration/snapshot-operations.ts';
import { EscalationEngine } from './operations.ts';

function engine(escalation: Partial<Escalation> = {}) {
  const configured = configurationSample(escalation);
  const { clock, configuration, teams, users } = configured;
  const prepared = new EscalationEngine({
    findStates: () => Promise.resolve(new Map()),
    snapshots: new Snapshots({ store: configuration, users, teams }),
    clock,
    random: () => 0,
    onRouted: () => undefined,
    onNoRecipient: () => undefined,
    onExhausted: () => undefined,
  });
  return { ...configured, engine: prepared };
}

/** From now on each look at ada takes a second, as the clock that measures work has it. */
function slowDown({ users }: ConfigurationSample): void {
  let ms = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => ms);
  const get = users.get.bind(users);
  users.get = (id) => {
    if (id === 'ada') ms += 1_000;
    return get(id);
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

const ada: Partial<AlertState> = { responders: [{ type: 'user', id: 'ada' }] };
const eventsOf = (alertIds: readonly string[], change = ada): readonly AlertEvent[] =>
  alertIds.flatMap((alertId) =>
    batchOf(0, { version: 1, facts: [] }, change).records.map(({ value }) => ({ ...value, alertId })),
  );

describe('a batch that takes too long', () => {
  it('is refused as too much, and a single event is processed however long it takes', async () => {
    const fixture = engine();
    slowDown(fixture);
    await expect(fixture.engine.prepareEvents(eventsOf(['a1', 'a2', 'a3']))).rejects.toThrow(TooMuchTogetherError);
    const [event] = eventsOf(['a1']);
    if (event === undefined) throw new Error('a batch of one event has one event');
    const context = await fixture.engine.prepareEvents([event]);
    expect(decide(undefined, event, context)?.pages).toMatchObject([{ userId: 'ada' }]);
  });

  it('is recognised also by the pages that have to be written', async () => {
    const { configuration, engine: prepared, teams, users } = engine();
    const ids = Array.from({ length: 1_000 }, (_, at) => `u${at}`);
    for (const id of ids) users.put(id, userOf(id));
    teams.put('all', teamOf('all', Object.fromEntries(ids.map((id) => [id, 'user'])), { type: 'none' }));
    const e2 = escalationOf('e2', [ruleFor({ type: 'team', id: 'all' }, { notifyType: 'all' })]);
    configuration.change({ escalations: { put: [e2] } });
    const responders = [{ type: 'escalation' as const, id: 'e2' }];
    const long = { responders, description: 'x'.repeat(15_000) };
    await prepared.prepareEvents(eventsOf(['a1', 'a2', 'a3'], { responders }));
    await expect(prepared.prepareEvents(eventsOf(['b1', 'b2', 'b3'], long))).rejects.toThrow(TooMuchTogetherError);
    await prepared.prepareEvents(eventsOf(['b1'], long));
  });

  it('fires in several transactions, and the event loop runs in between', async () => {
    const fixture = engine({ rules: [ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 5 })] });
    const events = eventsOf(['a1', 'a2', 'a3', 'a4'], { responders: [{ type: 'escalation', id: 'e1' }] });
    const context = await fixture.engine.prepareEvents(events);
    let states: readonly EscalationState[] = events.flatMap((event) => decide(undefined, event, context)?.state ?? []);
    fixture.clock.advance(5 * 60_000);
    slowDown(fixture);
    const count = { passes: 0, turns: 0, isDone: false };
    const ticking = (async () => {
      for (; !count.isDone; count.turns += 1) await setImmediate();
    })();
    const paged: string[] = [];
    for (; states.length > 0; count.passes += 1) {
      const due = await fixture.engine.prepareDue(states, fixture.clock.now());
      const changes = await due.process(states, { onlyFirstItem: false });
      expect(changes).not.toEqual([]);
      paged.push(...changes.flatMap(({ pages }) => pages.map(({ alertId }) => alertId)));
      states = states.filter(({ alertId }) => !changes.some(({ state }) => state?.alertId === alertId));
    }
    count.isDone = true;
    await ticking;
    expect(paged).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(count.passes).toBeGreaterThan(1);
    expect(count.turns).toBeGreaterThan(1);
  });
});
