import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DEVICES, type SignedIn, THEMES, useConsole } from './rig/console.ts';

const rig = useConsole();
let person: SignedIn;

const set = (enabled: boolean) => rig.system.api.expect(200, 'PUT', '/v2/account/shadow', { enabled });

beforeEach(async () => {
  const scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
});

afterEach(() => set(false));

describe('a page of the console', () => {
  it.each(DEVICES)('says that shadow is on until it is ended, to screen readers too (%s)', async (device) => {
    await set(true);
    for (const path of ['/console/alerts', '/console/readiness']) {
      const page = await rig.open(path, { device, as: person });
      const banner = page.getByRole('status').filter({ hasText: 'Shadow is on' });
      await banner.waitFor();
      await page.getByText('ends it.').waitFor();
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        await rig.isStill(page);
        await rig.expectNoViolations(page);
      }
    }
    await set(false);
    const page = await rig.open('/console/alerts', { device, as: person });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await rig.isStill(page);
    expect(await page.getByRole('status').filter({ hasText: 'Shadow is on' }).count()).toBe(0);
  });
});
