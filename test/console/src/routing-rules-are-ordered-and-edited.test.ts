import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let admin: SignedIn;
let teamId: string;

const named = (name: string) => scenario.name(name);
const path = () => `/v2/teams/${teamId}/routing-rules`;

interface Listed {
  readonly id: string;
  readonly name: string;
}
const saved = () => rig.system.api.read<readonly Listed[]>(path());

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  const team = await rig.system.api.create('/v2/teams', {
    name: named('Database'),
    members: [
      { user: { username: scenario.address('ada') }, role: 'admin' },
      { user: { username: scenario.address('grace') }, role: 'user' },
    ],
  });
  teamId = team.id;
  await scenario.escalation('Nights', { delay: 0, to: { type: 'user', name: 'grace' } });
  await rig.system.settle();
  await rig.system.api.create(path(), { name: named('First'), notify: { type: 'none' } });
  await rig.system.api.create(path(), { name: named('Second'), notify: { type: 'none' } });
  admin = await rig.signIn(scenario.address('ada'));
});

async function opened(device: 'desk' | 'phone', as = admin): Promise<Page> {
  const page = await rig.open(`/console/routing/${teamId}`, { as, device });
  await list(page)
    .filter({ hasText: named('Second') })
    .waitFor();
  return page;
}

const list = (page: Page) => page.getByRole('list', { name: 'Routing rules' }).locator(':scope > li');
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('the routing rules of a team', () => {
  it.each(DEVICES)('are added with conditions and a time, moved and deleted (%s)', async (device) => {
    const page = await opened(device);
    await press(page, 'Add a routing rule');
    const form = page.getByRole('form', { name: 'New routing rule' });
    await form.getByLabel('Name', { exact: true }).fill(named('Backups'));
    await form.getByLabel('Holds for').selectOption({ label: 'Alerts that fulfil all of the conditions' });
    const condition = form.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Field').selectOption('Tags');
    await condition.getByLabel('Value').fill('backup');
    await form.getByLabel('When it holds').selectOption({ label: 'In hours of each day' });
    await form.getByLabel('Where the alerts go').selectOption({ label: `Escalation: ${named('Nights')}` });
    await rig.isStill(page);
    await rig.picture(page, `routing-rule-${device}`);
    await rig.expectNoViolations(page);
    await writeUntil(status(page, 'The routing rule was saved.'), () => press(page, 'Save'));
    await list(page)
      .filter({ hasText: 'Alerts whose tags contain “backup”, from 22:00 to 06:00 each day in Europe/Berlin' })
      .filter({ hasText: `escalation ${named('Nights')}` })
      .waitFor();
    await writeUntil(status(page, `${named('Backups')} was moved.`), () => press(page, `Move ${named('Backups')} up`));
    expect((await saved()).map(({ name }) => name).slice(0, 3)).toEqual(['First', 'Backups', 'Second'].map(named));
    await press(page, `Delete ${named('First')}`);
    const dialog = page.getByRole('dialog', { name: `Delete ${named('First')}?` });
    await writeUntil(status(page, 'was deleted.'), () => dialog.getByRole('button', { name: 'Delete' }).click());
    expect((await saved()).map(({ name }) => name).slice(0, 2)).toEqual(['Backups', 'Second'].map(named));
  });

  it('are simulated beside them, again each time that they are saved', async () => {
    const page = await opened('phone');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByLabel('Message').fill('Disk full');
    await preview.getByRole('button', { name: 'Try the alert' }).click();
    await preview.getByText('would notify no user').waitFor();
    await press(page, `Change ${named('First')}`);
    const form = page.getByRole('form', { name: `Routing rule ${named('First')}` });
    await form.getByLabel('Where the alerts go').selectOption({ label: `Escalation: ${named('Nights')}` });
    await writeUntil(status(page, 'The routing rule was saved.'), () => press(page, 'Save'));
    await preview.getByText(`${scenario.address('grace')}: mail`).waitFor();
    await rig.isStill(page);
    await rig.picture(page, 'routing-preview-phone');
    await expect(rig.expectNoViolations(page)).resolves.toBeUndefined();
  });

  it('are not saved over the change of another person', async () => {
    const page = await opened('phone');
    await press(page, `Change ${named('First')}`);
    const form = page.getByRole('form', { name: `Routing rule ${named('First')}` });
    await form.getByLabel('Name', { exact: true }).fill(named('Mine'));
    const [first] = await saved();
    await rig.system.api.expect(200, 'PATCH', `${path()}/${first?.id ?? ''}`, { name: named('Theirs') });
    await writeUntil(form.getByRole('alert').filter({ hasText: named('Theirs') }), () => press(page, 'Save'));
    await rig.expectNoViolations(page);
    expect((await saved())[0]?.name).toBe(named('Theirs'));
  });

  it('are read, and not changed, by a member who is no admin of the team', async () => {
    const page = await opened('desk', await rig.signIn(scenario.address('grace')));
    await page.getByRole('button', { name: `Delete ${named('First')}` }).press('Enter');
    await page
      .getByText(/^Only an admin of team .*can change this/)
      .first()
      .waitFor();
    expect(await saved()).toHaveLength(3);
  });
});
