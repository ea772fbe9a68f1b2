import { describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';

const system = useSystem();

describe('a user who is muted', () => {
  it('is mailed of P1 alerts alone until then, and of all others from then on; the log says why', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const ada = scenario.address('ada');
    const until = new Date(system.clock.now().getTime() + 3_600_000).toISOString();
    await system.api.expect(200, 'PATCH', `/v2/users/${ada}`, { mutedUntil: until });
    const alert = async (of: string, priority: string): Promise<void> => {
      const responders = [scenario.user('ada')];
      await scenario.alert({ message: of, alias: scenario.name(of), priority, responders });
      await system.settle();
    };
    await alert('quiet', 'P2');
    expect(system.mailbox.unexpected()).toEqual([]);
    expect(await scenario.logOf(scenario.name('quiet'))).toContain(`${ada} is muted until ${until}`);
    await alert('loud', 'P1');
    await system.mailed(ada, 'loud');
    await system.pass(60);
    await alert('later', 'P5');
    await system.mailed(ada, 'later');
  });

  it('is mailed again as soon as the mute is removed', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const ada = scenario.address('ada');
    const until = new Date(system.clock.now().getTime() + 3_600_000).toISOString();
    await system.api.expect(200, 'PATCH', `/v2/users/${ada}`, { mutedUntil: until });
    await system.api.expect(200, 'PATCH', `/v2/users/${ada}`, { mutedUntil: null });
    await scenario.alert({ message: 'heard', alias: scenario.name('heard'), responders: [scenario.user('ada')] });
    await system.mailed(ada, 'heard');
    expect(await system.api.read(`/v2/users/${ada}`)).not.toHaveProperty('mutedUntil');
  });
});
