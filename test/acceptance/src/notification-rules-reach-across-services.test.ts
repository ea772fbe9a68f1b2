import { describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';

const system = useSystem();

const shifts = { name: 'Shifts', actionType: 'schedule-start', enabled: true, notificationTime: ['just-before'] };

describe('the schedules of a rule about shifts', () => {
  it('are those in which the user takes turns and those of their teams, as of the last write', async () => {
    const { api } = system;
    const scenario = system.scenario();
    await scenario.users('ada', 'bob');
    await scenario.team('Ops', 'ada');
    await scenario.schedule('Mine', { participants: ['bob', 'ada'] });
    await scenario.schedule('Theirs', { participants: ['bob'] });
    const rules = `/v2/users/${scenario.address('ada')}/notification-rules`;
    const ops = { type: 'schedule', name: `${scenario.name('Ops')}_schedule` };
    const mine = { type: 'schedule', name: scenario.name('Mine') };
    const { id } = await api.create<{ readonly id: string }>(rules, { ...shifts, schedules: [ops, mine] });
    expect(await api.read(`${rules}/${id}`)).toMatchObject({
      schedules: [
        { ...ops, id: expect.any(String) },
        { ...mine, id: expect.any(String) },
      ],
    });
    const theirs = await api.request('POST', rules, { ...shifts, schedules: [{ name: scenario.name('Theirs') }] });
    expect(theirs.body).toMatchObject({ errors: { 'schedules[0]': 'should be one of the schedules of the user' } });
    const none = await api.request('POST', rules, { ...shifts, schedules: [{ name: scenario.name('None') }] });
    expect([none.status, none.body['message']]).toEqual([
      404,
      `Schedule does not exist with name: ${scenario.name('None')}`,
    ]);
  });
});

describe('rules that are copied to many', () => {
  it('reach all of them after the answer', async () => {
    const { api } = system;
    const scenario = system.scenario();
    const others = Array.from({ length: 60 }, (_, n) => `user${n}`);
    await scenario.usersWithAllRules('ada', ...others);
    const rules = (name: string) => `/v2/users/${scenario.address(name)}/notification-rules`;
    await api.create(rules('ada'), { name: 'Notes', actionType: 'renotified-alert', enabled: true });
    const copy = { toUsers: others.map((name) => scenario.address(name)), ruleTypes: ['renotified-alert'] };
    const { body } = await api.expect(200, 'POST', `${rules('ada')}/copy-to`, copy);
    expect(body['result']).toBe('Copying of notification rules to 60 users started.');
    await system.settle();
    for (const name of others) {
      const listed = await api.read<readonly { readonly name: string }[]>(rules(name));
      expect(listed.map((rule) => rule.name)).toContain('Notes');
    }
  });
});
