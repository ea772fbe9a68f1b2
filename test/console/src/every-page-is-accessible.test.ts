import { beforeAll, describe, expect, it } from '@jest/globals';
import { PAGES } from './pages.ts';
import { DEVICES, type SignedIn, THEMES, useConsole } from './rig/console.ts';
import { makeTeam, type Team } from './rig/team.ts';

const rig = useConsole();
let team: Team;
let person: SignedIn;

beforeAll(async () => {
  team = await makeTeam(rig.system);
  person = await rig.signIn(team.username);
});

const of = (value: string | ((of: Team) => string)) => (typeof value === 'string' ? value : value(team));

describe.each(PAGES)('the page $name', ({ heading, isPublic, isShown, name, path }) => {
  it.each(DEVICES)(
    'has no violation of axe, keeps its policy and calls no other origin, light and dark (%s)',
    async (device) => {
      const page = await rig.open(of(path), { device, as: isPublic === true ? undefined : person });
      await page.getByRole('heading', { level: 1, name: of(heading) }).waitFor();
      await isShown?.(page, team);
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        await rig.isStill(page);
        await rig.picture(page, `${name}-${device}-${theme}`);
        await rig.expectNoViolations(page);
      }
      expect(page.url()).toBe(rig.system.api.url + of(path));
    },
  );
});
