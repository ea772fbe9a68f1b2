import { beforeAll, describe, expect, it } from '@jest/globals';
import { PAGES } from './pages.ts';
import { SCREENS, type SignedIn, useConsole } from './rig/console.ts';

const rig = useConsole();
let person: SignedIn;

beforeAll(async () => {
  const scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
});

describe.each(PAGES)('the page $name', ({ isPublic, isShown, name, path }) => {
  it.each(SCREENS)(
    'has no violation of axe, keeps its policy and calls no other origin ($device, $theme)',
    async (screen) => {
      const page = await rig.open(path, { ...screen, as: isPublic === true ? undefined : person });
      await isShown(page);
      await rig.picture(page, `${name}-${screen.device}-${screen.theme}`);
      await rig.expectNoViolations(page);
      expect(new URL(page.url()).pathname).toBe(path);
    },
  );
});
