import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Mailbox, Scenario, startMailbox } from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { inUnits } from './system/policies.ts';
import type { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

/** Long enough for the alert to have settled before it is over, also on a loaded machine. */
const HELD_S = 30;
/** The log calls nothing late that is late by 5 s at most. */
const LATE_S = 8;

let mailbox: Mailbox;
let scenario: Scenario;
let processes: readonly ServiceProcess[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  const installation = await newInstallation(mailbox.url, 'fatal');
  processes = await processesOf(installation);
  await Promise.all(processes.map((process) => process.start()));
  scenario = new Scenario(new Api(installation.gatewayUrl), 'held.example.com', new Date());
  await scenario.users('ada');
});

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await mailbox.stop();
});

describe('a flow that is held while its alert-processor is killed, which starts again after the hold is over', () => {
  it('starts then, once, and the log says how late', async () => {
    const processor = processes.find(({ name }) => name === 'alert-processor');
    const alias = scenario.name('disk');
    const delayAction = { delayOption: 'for-duration', duration: inUnits(HELD_S, 'seconds') };
    await scenario.policy('Later', { delayAction });
    const heldAt = performance.now();
    await scenario.alert({ message: 'Disk full', alias, responders: [scenario.user('ada')] });
    await eventually(() => scenario.alertOf(alias));
    await processor?.kill();
    expect(mailbox.mails).toEqual([]);
    await pause((HELD_S + LATE_S) * 1_000 - (performance.now() - heldAt));
    expect(mailbox.mails).toEqual([]);
    await processor?.start();
    await mailbox.received(scenario.address('ada'), 'Disk full');
    await eventually(async () => {
      expect(await scenario.logOf(alias)).toMatch(/ late/);
    });
    await pause(2_000);
    expect(mailbox.mails).toHaveLength(1);
  });
});
