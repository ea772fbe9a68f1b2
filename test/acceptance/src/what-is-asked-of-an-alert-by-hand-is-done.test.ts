import { describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';

const system = useSystem();
const DAY = 24 * 60;

const read = (alias: string) => system.api.read<Record<string, unknown>>(`/v2/alerts/${alias}?identifierType=alias`);
const inMinutes = (minutes: number) => new Date(system.clock.now().getTime() + minutes * 60_000).toISOString();

describe('a snooze', () => {
  it('stops the flow, and at its end whoever is on call then is mailed', async () => {
    const world = system.world();
    await world.users('ada', 'grace');
    await world.schedule('Days', { participants: ['ada', 'grace'] });
    await world.escalation(
      'Duty',
      { delay: 0, to: { type: 'schedule', name: 'Days' } },
      { delay: 5, to: { type: 'schedule', name: 'Days' } },
    );
    await system.settle();
    await world.alert({ message: 'sleepy', alias: 'sleepy', responders: [world.responder('escalation', 'Duty')] });
    await system.mailed(world.address('ada'), 'sleepy');
    await world.act('sleepy', 'snooze', { endTime: inMinutes(DAY) });
    await system.pass(DAY - 1);
    expect(await read('sleepy')).toMatchObject({ snoozed: true });
    await system.pass(1);
    await system.mailed(world.address('grace'), 'sleepy');
    expect(await read('sleepy')).toMatchObject({ snoozed: false, acknowledged: false });
    await world.act('sleepy', 'close');
  });

  it('that is ended by an acknowledgement wakes nobody', async () => {
    const world = system.world();
    await world.users('ada');
    await world.alert({ message: 'heard', alias: 'heard', responders: [world.user('ada')] });
    await system.mailed(world.address('ada'), 'heard');
    await world.act('heard', 'snooze', { endTime: inMinutes(60) });
    await world.act('heard', 'acknowledge');
    await system.pass(DAY);
    expect(await read('heard')).toMatchObject({ snoozed: false, acknowledged: true });
  });
});

describe('an unacknowledgement', () => {
  it('starts the flow again from its beginning', async () => {
    const world = system.world();
    await world.users('ada', 'grace');
    await world.escalation(
      'Duty',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 5, to: { type: 'user', name: 'grace' } },
    );
    await system.settle();
    await world.alert({ message: 'again', alias: 'again', responders: [world.responder('escalation', 'Duty')] });
    await system.mailed(world.address('ada'), 'again');
    await world.act('again', 'acknowledge');
    await system.pass(60);
    await world.act('again', 'unacknowledge');
    await system.mailed(world.address('ada'), 'again');
    await system.pass(5);
    await system.mailed(world.address('grace'), 'again');
  });
});

describe('an escalate', () => {
  it('mails who is next now, once', async () => {
    const world = system.world();
    await world.users('ada', 'grace');
    await world.escalation(
      'Duty',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 50, to: { type: 'user', name: 'grace' } },
    );
    await system.settle();
    await world.alert({ message: 'now', alias: 'now', responders: [world.responder('escalation', 'Duty')] });
    await system.mailed(world.address('ada'), 'now');
    await world.act('now', 'escalate', { escalation: { name: world.name('Duty') } });
    await system.mailed(world.address('grace'), 'now');
    await system.pass(DAY);
  });

  it('of one that does not run adds it, mails its first now and its second in time', async () => {
    const world = system.world();
    await world.users('ada', 'grace', 'eve');
    await world.escalation(
      'Others',
      { delay: 5, to: { type: 'user', name: 'grace' } },
      { delay: 10, to: { type: 'user', name: 'eve' } },
    );
    await system.settle();
    await world.alert({ message: 'more', alias: 'more', responders: [world.user('ada')] });
    await system.mailed(world.address('ada'), 'more');
    await world.act('more', 'escalate', { escalation: { name: world.name('Others') } });
    await system.mailed(world.address('grace'), 'more');
    await system.settle();
    expect((await read('more'))['responders']).toHaveLength(2);
    await system.pass(10);
    await system.mailed(world.address('eve'), 'more');
  });
});

describe('a responder that is added', () => {
  it('to an acknowledged alert is mailed, and nobody else is', async () => {
    const world = system.world();
    await world.users('ada', 'grace');
    await world.alert({ message: 'help', alias: 'help', responders: [world.user('ada')] });
    await system.mailed(world.address('ada'), 'help');
    await world.act('help', 'acknowledge');
    await world.act('help', 'responders', { responder: world.user('grace') });
    await system.mailed(world.address('grace'), 'help');
    await system.pass(DAY);
  });

  it('to an alert that nobody responds to is mailed', async () => {
    const world = system.world();
    await world.users('ada');
    await world.alert({ message: 'alone', alias: 'alone' });
    await world.act('alone', 'responders', { responder: world.user('ada') });
    await system.mailed(world.address('ada'), 'alone');
  });
});
