import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually, type Mailbox, Scenario, startMailbox } from '@tocsin/testing';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { inUnits } from './system/policies.ts';
import type { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

jest.setTimeout(180_000);

/** Long enough for the alert to have settled before it is over. */
const HELD_S = 15;
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
}, 240_000);

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await mailbox.stop();
}, 60_000);

describe('a flow that is held while its alert-processor is killed, which starts again after the hold is over', () => {
  it('starts then, once, and the log says how late', async () => {
    const processor = processes.find(({ name }) => name === 'alert-processor');
    const alias = scenario.name('disk');
    const delayAction = { delayOption: 'for-duration', duration: inUnits(HELD_S, 'seconds') };
    await scenario.policy('Later', { delayAction });
    const heldAt = performance.now();
    await scenario.alert({ message: 'Disk full', alias, responders: [scenario.user('ada')] });
    await eventually(() => scenario.alertOf(alias), { timeoutMs: 10_000 });
    await processor?.kill();
    expect(mailbox.mails).toEqual([]);
    await pause((HELD_S + LATE_S) * 1_000 - (performance.now() - heldAt));
    expect(mailbox.mails).toEqual([]);
    await processor?.start();
    await mailbox.received(scenario.address('ada'), 'Disk full', { timeoutMs: 60_000 });
    await eventually(
      async () => {
        expect(await scenario.logOf(alias)).toMatch(/ late/);
      },
      { timeoutMs: 10_000 },
    );
    await pause(2_000);
    expect(mailbox.mails).toHaveLength(1);
  });
});
