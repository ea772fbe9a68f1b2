import { beforeEach, describe, expect, it } from '@jest/globals';
import { byAlias, type Scenario } from '@tocsin/testkit';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let scenario: Scenario;
let alias: string;

beforeEach(() => {
  scenario = system.scenario();
  alias = scenario.name('disk');
});

interface Explanation {
  readonly users: readonly {
    readonly user: { readonly username: string };
    readonly outcome: string;
    readonly reason: string;
  }[];
  readonly steps: readonly { readonly stage: string; readonly subject: string; readonly outcome: string }[];
}

async function explanation(user?: string): Promise<Explanation> {
  await system.settle();
  const about = user === undefined ? '' : `&user=${encodeURIComponent(scenario.address(user))}`;
  return system.api.read<Explanation>(byAlias(alias, '/explanation') + about);
}

const stepsOf = ({ steps }: Explanation) =>
  steps.map(({ outcome, stage, subject }) => `${stage} ${subject} ${outcome}`);

describe('the explanation of an alert', () => {
  it('explain-alert: leads from the action of the integration to the acknowledgement, by on-call and rules', async () => {
    await scenario.users('ada', 'grace', 'edsger');
    await scenario.schedule('Nights', { participants: ['ada'] });
    await scenario.escalation(
      'Ops',
      { delay: 0, to: { type: 'schedule', name: 'Nights' } },
      { delay: 5, to: { type: 'user', name: 'grace' } },
    );
    await scenario.alert({ message: 'Disk full', alias, responders: [scenario.responder('escalation', 'Ops')] });
    await system.mailed(scenario.address('ada'), 'Disk full');
    await system.pass(1);
    await scenario.act(alias, 'acknowledge', { user: scenario.address('ada') });
    await system.pass(4);

    const ada = await explanation('ada');
    expect(ada.users).toEqual([
      {
        user: { id: expect.any(String), username: scenario.address('ada') },
        outcome: 'notified',
        reason: expect.stringMatching(/was handed over: 250 /),
      },
    ]);
    const way = [
      'ingest integration-action matched',
      'route escalation started',
      'route escalation-rule fired',
      'route on-call found',
      'route page paged',
      'page notification-rule matched',
      'page step scheduled',
      'deliver delivery sent',
      'action Acknowledge done',
    ];
    expect(stepsOf(ada).filter((step) => way.includes(step))).toEqual(way);

    const grace = await explanation('grace');
    expect(grace.users).toMatchObject([{ outcome: 'not-paged' }]);
    expect(grace.users[0]?.reason).toContain('the alert is acknowledged');
    const edsger = await explanation('edsger');
    expect(edsger.users).toMatchObject([{ outcome: 'not-paged' }]);
    expect(edsger.users[0]?.reason).toContain(`leads to ${scenario.address('edsger')}`);
    expect((await explanation()).users.map(({ user }) => user.username)).toEqual([scenario.address('ada')]);
  });

  it('explain-alert: an alert that is not there has none', async () => {
    const answer = await system.api.request('GET', '/v2/alerts/nothing/explanation');
    expect([answer.status, answer.body['message']]).toEqual([404, 'Alert does not exist']);
  });
});

interface NextPage {
  readonly state: string;
  readonly at?: string;
  readonly users: readonly { readonly username: string }[];
  readonly text: string;
}

async function nextPage(): Promise<NextPage> {
  await system.settle();
  return system.api.read<NextPage>(byAlias(alias, '/next-page'));
}

describe('the next page of an alert', () => {
  it('get-next-page: is that of the next rule with the user on call then, and none after the acknowledgement', async () => {
    await scenario.users('ada', 'grace');
    await scenario.schedule('Nights', { participants: ['grace'] });
    await scenario.escalation(
      'Ops',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 5, to: { type: 'schedule', name: 'Nights' } },
    );
    await scenario.alert({ message: 'Disk full', alias, responders: [scenario.responder('escalation', 'Ops')] });
    await system.mailed(scenario.address('ada'), 'Disk full');
    const { createdAt } = await scenario.alertOf<{ readonly createdAt: string }>(alias);
    const next = await nextPage();
    expect(next).toMatchObject({ state: 'due', users: [{ username: scenario.address('grace') }] });
    expect(next.text).toContain('rule 2 of escalation');
    expect(Date.parse(next.at ?? '') - Date.parse(createdAt)).toBe(5 * 60_000);
    await scenario.act(alias, 'acknowledge');
    expect(await nextPage()).toEqual({ state: 'none', users: [], text: 'The alert is acknowledged.' });
  });

  it('get-next-page: is the message of a later step of the user, before each rule that is due after it', async () => {
    await scenario.users('ada');
    const steps = [
      { contact: { method: 'email', to: scenario.address('ada') }, sendAfter: { timeAmount: 2 }, enabled: true },
    ];
    await scenario.changeRule('ada', 'create-alert', { steps });
    await scenario.alert({ message: 'Disk full', alias, responders: [scenario.user('ada')] });
    expect(await nextPage()).toMatchObject({
      state: 'due',
      users: [{ username: scenario.address('ada') }],
      text: `To ${scenario.address('ada')}: mail by a notification rule.`,
    });
    await system.pass(2);
    await system.mailed(scenario.address('ada'), 'Disk full');
    expect(await nextPage()).toMatchObject({ state: 'none', text: 'No further step is due.' });
  });

  it('get-next-page: an alert that is not there has none', async () => {
    const answer = await system.api.request('GET', '/v2/alerts/nothing/next-page');
    expect([answer.status, answer.body['message']]).toEqual([404, 'Alert does not exist']);
  });
});
