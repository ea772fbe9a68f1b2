import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testing';
import { useSystem } from './system/system.ts';

const system = useSystem();

/** An audit comes within ten seconds of real time. */
const AN_AUDIT = { everyMs: 500 };

describe('a flow whose timer is lost', () => {
  it('is found by the audit, gets its timer back, and pages whom it should', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.escalation(
      'Step by step',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 5, to: { type: 'user', name: 'grace' } },
    );
    const responders = [scenario.responder('escalation', 'Step by step')];
    await scenario.alert({ message: 'stuck', alias: 'stuck', responders });
    await system.mailed(scenario.address('ada'), 'stuck');
    expect(await system.stored().lose('scheduling', 'rule_timers')).toBe(1);
    await system.pass(5.5);
    await eventually(async () => {
      await system.mailed(scenario.address('grace'), 'stuck');
    }, AN_AUDIT);
  });
});
