import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Scenario } from '@tocsin/testkit';
import { anyEscalation, PEOPLE } from './system/any-escalation.ts';
import { useSystem } from './system/system.ts';

const system = useSystem();
let scenario: Scenario;

beforeEach(() => {
  scenario = system.scenario();
});

interface Simulation {
  readonly outcome: string;
  readonly messages: readonly {
    readonly at: string;
    readonly user: { readonly username: string };
    readonly actionType: string;
  }[];
  readonly truncated: boolean;
}

interface Explanation {
  readonly steps: readonly {
    readonly at: string;
    readonly stage: string;
    readonly outcome: string;
    readonly facts: { readonly username?: string };
  }[];
}

async function simulate(body: object): Promise<Simulation> {
  const answer = await system.api.expect(200, 'POST', '/v2/alerts/simulate', body);
  return answer.body['data'] as Simulation;
}

/** When whom was sent a message about the alert of `alias`, which may be closed by now. */
async function sentOf(alias: string): Promise<readonly string[]> {
  const query = encodeURIComponent(`alias:"${alias}"`);
  const [alert] = await system.api.read<readonly { readonly id: string }[]>(`/v2/alerts?query=${query}`);
  const { steps } = await system.api.read<Explanation>(`/v2/alerts/${alert?.id ?? ''}/explanation`);
  return steps
    .filter(({ outcome, stage }) => stage === 'deliver' && outcome === 'sent')
    .map(({ at, facts }) => `${at} ${facts.username ?? ''}`);
}

const RUNS = 3;
/** The longest that one of them lasts: three rounds of twelve minutes and five of waiting. */
const MINUTES = 60;

describe('the messages of a simulation', () => {
  it('is what then happens, message by message, when no user acts', async () => {
    await scenario.users(...PEOPLE);
    await scenario.schedule('Duty', { participants: ['grace', 'edsger'], type: 'hourly' });
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(anyEscalation(), async ({ repeat, rules }) => {
        const name = `Chance ${(tried += 1)}`;
        await scenario.repeatingEscalation(name, repeat ?? {}, ...rules);
        const alias = scenario.name(name);
        const body = { message: name, alias, responders: [scenario.responder('escalation', name)] };
        await system.settle();
        const { messages, truncated } = await simulate(body);
        const simulated = messages.map(({ at, user }) => `${at} ${user.username}`);
        await scenario.alert(body);
        await system.pass(MINUTES);
        await system.settle();
        const sent = await sentOf(alias);
        expect(truncated).toBe(false);
        expect(sent.length).toBeGreaterThan(0);
        expect(simulated.toSorted()).toEqual(sent.toSorted());
        for (const { user } of messages) await system.mailed(user.username, name);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('are those of a draft of the escalation, which is not saved', async () => {
    await scenario.users('ada', 'grace');
    await scenario.escalation('Night', { delay: 0, to: { type: 'user', name: 'ada' } });
    await system.settle();
    const saved = { message: 'Disk full', responders: [scenario.responder('escalation', 'Night')] };
    const { id } = await system.api.read<{ readonly id: string }>(
      `/v2/escalations/${encodeURIComponent(scenario.name('Night'))}?identifierType=name`,
    );
    const rules = [{ delay: { timeAmount: 7 }, recipient: scenario.user('grace') }];
    const times = ({ messages }: Simulation) =>
      messages.map(({ at, user }) => [user.username, (Date.parse(at) - Date.parse(messages[0]?.at ?? '')) / 60_000]);
    const draft = { id, rules, repeat: { waitInterval: 3, count: 1 } };
    expect(times(await simulate({ ...saved, escalation: draft }))).toEqual([
      [scenario.address('grace'), 0],
      [scenario.address('grace'), 10],
    ]);
    expect(times(await simulate(saved))).toEqual([[scenario.address('ada'), 0]]);
  });
});
