import { describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';

const system = useSystem();
const DAY = 24 * 60;

const read = (alias: string) => system.api.read<Record<string, unknown>>(`/v2/alerts/${alias}?identifierType=alias`);
const inMinutes = (minutes: number) => new Date(system.clock.now().getTime() + minutes * 60_000).toISOString();

describe('a snooze', () => {
  it('stops the flow, and at its end the user on call then is mailed', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.schedule('Days', { participants: ['ada', 'grace'] });
    await scenario.escalation(
      'Duty',
      { delay: 0, to: { type: 'schedule', name: 'Days' } },
      { delay: 5, to: { type: 'schedule', name: 'Days' } },
    );
    await system.settle();
    await scenario.alert({
      message: 'sleepy',
      alias: 'sleepy',
      responders: [scenario.responder('escalation', 'Duty')],
    });
    await system.mailed(scenario.address('ada'), 'sleepy');
    await scenario.act('sleepy', 'snooze', { endTime: inMinutes(DAY) });
    await system.pass(DAY - 1);
    expect(await read('sleepy')).toMatchObject({ snoozed: true });
    await system.pass(1);
    await system.mailed(scenario.address('grace'), 'sleepy');
    expect(await read('sleepy')).toMatchObject({ snoozed: false, acknowledged: false });
    await scenario.act('sleepy', 'close');
  });

  it('that is ended by an acknowledgement pages no user', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    await scenario.alert({ message: 'heard', alias: 'heard', responders: [scenario.user('ada')] });
    await system.mailed(scenario.address('ada'), 'heard');
    await scenario.act('heard', 'snooze', { endTime: inMinutes(60) });
    await scenario.act('heard', 'acknowledge');
    await system.pass(DAY);
    expect(await read('heard')).toMatchObject({ snoozed: false, acknowledged: true });
  });
});

describe('an unacknowledgement', () => {
  it('starts the flow again from its beginning', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.escalation(
      'Duty',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 5, to: { type: 'user', name: 'grace' } },
    );
    await system.settle();
    await scenario.alert({ message: 'again', alias: 'again', responders: [scenario.responder('escalation', 'Duty')] });
    await system.mailed(scenario.address('ada'), 'again');
    await scenario.act('again', 'acknowledge');
    await system.pass(60);
    await scenario.act('again', 'unacknowledge');
    await system.mailed(scenario.address('ada'), 'again');
    await system.pass(5);
    await system.mailed(scenario.address('grace'), 'again');
  });
});

describe('an escalate', () => {
  it('mails who is next now, once', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.escalation(
      'Duty',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 50, to: { type: 'user', name: 'grace' } },
    );
    await system.settle();
    await scenario.alert({ message: 'now', alias: 'now', responders: [scenario.responder('escalation', 'Duty')] });
    await system.mailed(scenario.address('ada'), 'now');
    await scenario.act('now', 'escalate', { escalation: { name: scenario.name('Duty') } });
    await system.mailed(scenario.address('grace'), 'now');
    await system.pass(DAY);
  });

  it('of one that does not run adds it, mails its first now and its second in time', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace', 'eve');
    await scenario.escalation(
      'Others',
      { delay: 5, to: { type: 'user', name: 'grace' } },
      { delay: 10, to: { type: 'user', name: 'eve' } },
    );
    await system.settle();
    await scenario.alert({ message: 'more', alias: 'more', responders: [scenario.user('ada')] });
    await system.mailed(scenario.address('ada'), 'more');
    await scenario.act('more', 'escalate', { escalation: { name: scenario.name('Others') } });
    await system.mailed(scenario.address('grace'), 'more');
    await system.settle();
    expect((await read('more'))['responders']).toHaveLength(2);
    await system.pass(10);
    await system.mailed(scenario.address('eve'), 'more');
  });
});

describe('a responder that is added', () => {
  it('to an acknowledged alert is mailed, and no other user is', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.alert({ message: 'help', alias: 'help', responders: [scenario.user('ada')] });
    await system.mailed(scenario.address('ada'), 'help');
    await scenario.act('help', 'acknowledge');
    await scenario.act('help', 'responders', { responder: scenario.user('grace') });
    await system.mailed(scenario.address('grace'), 'help');
    await system.pass(DAY);
  });

  it('to an alert without responders is mailed', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    await scenario.alert({ message: 'alone', alias: 'alone' });
    await scenario.act('alone', 'responders', { responder: scenario.user('ada') });
    await system.mailed(scenario.address('ada'), 'alone');
  });

  it('to an alert without responders, that others had changed before, is mailed, and no more after the close (F4)', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace', 'eve');
    await scenario.escalation(
      'Late',
      { delay: 0, to: { type: 'user', name: 'grace' } },
      { delay: 5, to: { type: 'user', name: 'eve' } },
    );
    await system.settle();
    for (const alias of ['added', 'escalated']) {
      await scenario.alert({ message: alias, alias });
      await scenario.act(alias, 'acknowledge');
      await scenario.act(alias, 'unacknowledge');
      await scenario.act(alias, 'snooze', { endTime: inMinutes(60) });
    }
    await system.pass(60);
    await scenario.act('added', 'responders', { responder: scenario.user('ada') });
    await system.mailed(scenario.address('ada'), 'added');
    await scenario.act('escalated', 'escalate', { escalation: { name: scenario.name('Late') } });
    await system.mailed(scenario.address('grace'), 'escalated');
    await scenario.act('escalated', 'close');
    await system.pass(DAY);
  });
});
