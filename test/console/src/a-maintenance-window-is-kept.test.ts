import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let integrationId: string;

interface ReadWindow {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly time: { readonly type: string; readonly startDate: string; readonly endDate: string };
  readonly rules?: readonly object[];
}

/** A team of which ada is an admin, and grace a member, with an integration and a policy. */
beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  const user = (name: string) => ({ username: scenario.address(name) });
  const { id } = await rig.system.api.create('/v2/teams', {
    name: scenario.name('Metrics'),
    members: [
      { user: user('ada'), role: 'admin' },
      { user: user('grace'), role: 'user' },
    ],
  });
  const integration = { type: 'API', name: scenario.name('Probe'), ownerTeam: { id } };
  integrationId = (await rig.system.api.create('/v2/integrations', integration)).id;
  await scenario.policy('Nights', { suppress: true }, id);
  person = await rig.signIn(scenario.address('ada'));
});

const dialogOf = (page: Page) => page.getByRole('dialog');
/** The item of the window that names the integration of this test. */
const item = (page: Page) => page.getByRole('listitem').filter({ hasText: `${scenario.name('Probe')} is disabled` });
/** The list item of the window: its rules are items too. */
const window = (page: Page) => item(page).filter({ has: page.getByRole('heading', { level: 3 }) });

async function opened(options: Parameters<typeof rig.open>[1] = {}): Promise<Page> {
  const page = await rig.open('/console/maintenance', { as: person, ...options });
  await page.getByRole('heading', { level: 1, name: 'Maintenance' }).waitFor();
  return page;
}

/** The windows that disable the integration of this test, with their rules. */
async function windows(): Promise<readonly ReadWindow[]> {
  const listed = await rig.system.api.read<readonly ReadWindow[]>('/v1/maintenance');
  const whole = await Promise.all(listed.map(({ id }) => rig.system.api.read<ReadWindow>(`/v1/maintenance/${id}`)));
  return whole.filter(({ rules }) => JSON.stringify(rules).includes(integrationId));
}

describe('a maintenance window', () => {
  it.each(DEVICES)('is started in two clicks, gets another end, and is ended (%s)', async (device) => {
    const page = await opened({ device });
    const start = page.getByRole('region', { name: 'Start now' });
    await start.getByRole('searchbox').or(start.getByRole('checkbox')).first().waitFor();
    if (await start.getByRole('searchbox').isVisible()) await start.getByRole('searchbox').fill(scenario.name('Probe'));
    await start.getByLabel(`Integration: ${scenario.name('Probe')}`).check();
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await rig.picture(page, `maintenance-start-${device}`);
    const isOn = window(page).getByText('On now');
    await writeUntil(isOn, () => start.getByRole('button', { name: 'For 30 minutes' }).click());
    const [started] = await windows();
    expect(started).toMatchObject({ status: 'active', time: { type: 'schedule' } });
    expect(Date.parse(started?.time.endDate ?? '') - Date.parse(started?.time.startDate ?? '')).toBe(1_800_000);
    await window(page).getByText('30 min more').waitFor();
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await rig.picture(page, `maintenance-on-${device}`);

    const alerts = await rig.open('/console/alerts', { as: person, device });
    await alerts
      .getByRole('note')
      .getByRole('link', { name: /maintenance windows? (?:is|are) on$/ })
      .waitFor();
    await alerts.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await rig.isStill(alerts);
    await rig.expectNoViolations(alerts);
    await rig.picture(alerts, `alerts-in-maintenance-${device}`);

    await window(page).getByRole('button', { name: 'Move the end' }).click();
    await dialogOf(page).getByLabel('Until (Europe/Berlin)').fill('2020-01-01T10:00');
    const refused = dialogOf(page).getByRole('alert');
    await writeUntil(refused, () => dialogOf(page).getByRole('button', { name: 'Move it' }).click());
    await dialogOf(page).getByLabel('Until (Europe/Berlin)').fill('2031-01-01T10:00');
    const moved = window(page).getByText('2031');
    await writeUntil(moved, () => dialogOf(page).getByRole('button', { name: 'Move it' }).click());
    await window(page).getByRole('button', { name: 'End now' }).click();
    const ended = page.getByRole('status').filter({ hasText: 'The window has ended.' });
    await writeUntil(ended, () => dialogOf(page).getByRole('button', { name: 'End it' }).click());
    await window(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show past windows' }).click();
    await window(page).getByText('Ended before its time').waitFor();
    expect(await windows()).toEqual([expect.objectContaining({ status: 'cancelled' })]);
  });

  it('is planned with rules, and changed only over what its person has seen', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'Plan a window' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Description').fill('Upgrade');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Choose an integration or a policy.' }).waitFor();
    await dialog.getByLabel('From (Europe/Berlin)').fill('2030-05-01T10:00');
    await dialog.getByLabel('Until (Europe/Berlin)').fill('2030-05-01T09:00');
    const choose = async (name: string) => {
      await dialog.getByLabel('Add an integration or policy').fill(name);
      await dialog.getByRole('option', { name }).click();
    };
    await choose(`Integration: ${scenario.name('Probe')}`);
    await choose(`Policy: ${scenario.name('Nights')}`);
    await dialog.getByLabel(`Policy: ${scenario.name('Nights')} is`).selectOption('enabled');
    await dialog.getByRole('alert').filter({ hasText: 'This is not after the start.' }).waitFor();
    await dialog.getByLabel('Until (Europe/Berlin)').fill('2030-05-01T12:00');
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await rig.picture(page, 'maintenance-plan-desk');
    const planned = window(page).getByText('Planned');
    await writeUntil(planned, () => dialog.getByRole('button', { name: 'Save' }).click());
    const [made] = await windows();
    expect(made).toMatchObject({
      status: 'planned',
      description: 'Upgrade',
      time: { startDate: '2030-05-01T08:00:00Z', endDate: '2030-05-01T10:00:00Z' },
    });
    expect(made?.rules).toContainEqual(expect.objectContaining({ state: 'enabled' }));

    await window(page).getByRole('button', { name: 'Change: Upgrade' }).click();
    await dialog.getByLabel('Description').fill('Upgrade of the disks');
    const later = { type: 'schedule', startDate: '2030-05-01T08:00:00Z', endDate: '2030-05-01T11:00:00Z' };
    const replaced = { description: 'x', time: later, rules: made?.rules };
    await rig.system.api.expect(200, 'PUT', `/v1/maintenance/${made?.id ?? ''}`, replaced);
    const changed = dialog.getByRole('alert').filter({ hasText: 'Its description is “x” now.' });
    await writeUntil(changed, () => dialog.getByRole('button', { name: 'Save' }).click());
    expect(await windows()).toEqual([expect.objectContaining({ description: 'x' })]);
    const saved = page.getByRole('heading', { level: 3, name: 'Upgrade of the disks' });
    await writeUntil(saved, () => dialog.getByRole('button', { name: 'Save all the same' }).click());

    await page.getByRole('button', { name: 'Delete: Upgrade of the disks' }).click();
    const deleted = page.getByRole('status').filter({ hasText: 'The window was deleted.' });
    await writeUntil(deleted, () => dialog.getByRole('button', { name: 'Delete it' }).click());
    expect(await windows()).toEqual([]);
  });

  it('says to a member of the team why they cannot start one', async () => {
    const page = await opened({ as: await rig.signIn(scenario.address('grace')) });
    const start = page.getByRole('region', { name: 'Start now' });
    await start.getByRole('searchbox').or(start.getByRole('checkbox')).first().waitFor();
    if (await start.getByRole('searchbox').isVisible()) await start.getByRole('searchbox').fill(scenario.name('Probe'));
    await start.getByLabel(`Integration: ${scenario.name('Probe')}`).check();
    await start.getByRole('button', { name: 'For 1 hour' }).click({ force: true });
    const reason = `Only an admin of team ${scenario.name('Metrics')}, or of the account, can change this.`;
    await page.getByText(reason).first().waitFor();
    expect(await windows()).toEqual([]);
  });
});
