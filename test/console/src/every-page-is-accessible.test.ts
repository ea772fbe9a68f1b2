import { beforeAll, describe, expect, it } from '@jest/globals';
import { PAGES } from './pages.ts';
import { SCREENS, type SignedIn, useConsole } from './rig/console.ts';
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
  it.each(SCREENS)(
    'has no violation of axe, keeps its policy and calls no other origin ($device, $theme)',
    async (screen) => {
      const page = await rig.open(of(path), { ...screen, as: isPublic === true ? undefined : person });
      await page.getByRole('heading', { level: 1, name: of(heading) }).waitFor();
      await isShown?.(page, team);
      await rig.isStill(page);
      await rig.picture(page, `${name}-${screen.device}-${screen.theme}`);
      await rig.expectNoViolations(page);
      expect(page.url()).toBe(rig.system.api.url + of(path));
    },
  );
});
