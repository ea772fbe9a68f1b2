import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { OUTAGE, useConsole } from './rig/console.ts';

const rig = useConsole();

describe('while the server cannot be reached', () => {
  it('the page says so, keeps what it has with its age, and goes on by itself afterwards', async () => {
    const scenario = rig.system.scenario();
    await scenario.users('ada');
    const message = `Queue ${randomUUID()}`;
    await scenario.alert({ message, alias: randomUUID() });
    await rig.system.settle();
    const page = await rig.open('/console/alerts', { as: await rig.signIn(scenario.address('ada')) });
    await page.getByRole('link', { name: message }).waitFor();
    const banner = page.getByRole('status').filter({ hasText: 'This data is not up to date.' });
    const present = await page.evaluate(() => Date.now());
    rig.causes(OUTAGE);
    await rig.system.without('gateway', async () => {
      await page.clock.setFixedTime(present + 65_000);
      await banner.waitFor();
      await page.getByText('It is 1 min 5 s old. Retrying.').waitFor();
      expect(await page.getByRole('link', { name: message }).count()).toBe(1);
    });
    await banner.waitFor({ state: 'detached' });
  });
});
