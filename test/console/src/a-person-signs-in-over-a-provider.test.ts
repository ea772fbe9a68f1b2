import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPENID_CLIENT, OpenIdDouble } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { useConsole } from './rig/console.ts';

const rig = useConsole();
const provider = new OpenIdDouble();
let ada: string;

beforeAll(async () => {
  await provider.start();
  const scenario = rig.system.scenario();
  await scenario.users('ada');
  ada = scenario.address('ada');
  await restartedWith({
    OUTGOING_ALLOWED_RANGES: '127.0.0.1',
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: OPENID_CLIENT.clientId,
    OPENID_CLIENT_SECRET: OPENID_CLIENT.clientSecret,
    OPENID_DOMAINS: ada.replace(/^.*@/, ''),
  });
});
afterAll(async () => {
  await restartedWith({});
  await provider.stop();
});

const restartedWith = (settings: Readonly<Record<string, string>>) =>
  rig.system.without('directory', () => Promise.resolve(), settings);

/** The provider signs in at once, and leads back as providers do. */
const leadBack = (page: Page, email: string) =>
  page.route(`${provider.issuer}/**`, async (route) => {
    const answer = provider.authorized(route.request().url(), { email });
    const back = new URL(new URL(route.request().url()).searchParams.get('redirect_uri') ?? '');
    back.search = new URLSearchParams(answer).toString();
    await route.fulfill({ status: 302, headers: { location: back.href } });
  });

const signInButton = (page: Page) =>
  page.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` });
const signIn = (page: Page) => signInButton(page).click();

describe('a person', () => {
  it('signs in over the OpenID provider, and comes to the page that they asked for', async () => {
    const page = await rig.open('/console/on-call');
    await leadBack(page, ada);
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'On call', exact: true }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/on-call');
    await rig.troubled(`other origin: ${provider.issuer}`);
  });

  it('can go to the provider again after the way back from it', async () => {
    const page = await rig.open('/console/sign-in');
    // An answer without a body leaves the browser where it is.
    await page.route(`${provider.issuer}/**`, (route) => route.fulfill({ status: 204 }));
    await signIn(page);
    await signInButton(page).and(page.locator('[aria-disabled]')).waitFor();
    await rig.troubled(`other origin: ${provider.issuer}`);
    await page.evaluate(() => window.dispatchEvent(new Event('pageshow')));
    await signInButton(page).and(page.locator(':not([aria-disabled])')).waitFor();
    await leadBack(page, ada);
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'Alerts', exact: true }).waitFor();
    await expect(rig.troubled(`other origin: ${provider.issuer}`)).resolves.toBeUndefined();
  });

  it('reads why they are refused, and can begin again', async () => {
    const page = await rig.open('/console/');
    await leadBack(page, ada.replace('ada', 'mallory'));
    await signIn(page);
    await page.getByRole('alert').filter({ hasText: 'is no user who can sign in here' }).waitFor();
    expect(page.url()).not.toContain('code=');
    await rig.expectNoViolations(page);
    await page.getByRole('link', { name: 'Begin again, or sign in by a code' }).click();
    await page.getByLabel('User name').waitFor();
    await rig.troubled(`other origin: ${provider.issuer}`);
  });
});
