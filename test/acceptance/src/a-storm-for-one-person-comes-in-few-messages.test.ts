import { beforeEach, describe, expect, it } from '@jest/globals';
import { startMessageGateway, type Scenario } from '@tocsin/testkit';
import { watchProviders } from './system/providers.ts';
import { useSystem } from './system/system.ts';

const PUBLIC_URL = 'https://tocsin.example.com';
const gateway = await startMessageGateway();
const system = useSystem({
  PUBLIC_URL,
  BUNDLE_LIMITS: 'email=3',
  SMS_PROVIDERS: 'http',
  SMS_HTTP_URL: `${gateway.url}/send`,
  SMS_HTTP_BODY: '{"to": "{{to}}", "text": "{{text}}"}',
  OUTGOING_ALLOWED_RANGES: '127.0.0.1',
});
watchProviders(gateway);

let scenario: Scenario;
let ada: string;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'grace');
  ada = scenario.address('ada');
});

const messageOf = (name: string): string => `Disk of ${scenario.name(name)}`;

/** Alerts that page a user, one after the other. */
async function page(user: string, names: readonly string[], priority = 'P3'): Promise<void> {
  for (const name of names) {
    const responders = [scenario.user(user)];
    await scenario.alert({ message: messageOf(name), alias: scenario.name(name), priority, responders });
    await system.settle();
  }
}

describe('more mails within a minute than the limit lets out (U8)', () => {
  it('come as one, which lists the alerts, links to each, and is the hand-over of each; a P1 and other people do not wait', async () => {
    await page('ada', ['a', 'b', 'c']);
    for (const name of ['a', 'b', 'c']) await system.mailed(ada, messageOf(name));
    await page('ada', ['d', 'e', 'f', 'g']);
    await page('ada', ['urgent'], 'P1');
    await system.mailed(ada, messageOf('urgent'));
    await page('grace', ['other']);
    await system.mailed(scenario.address('grace'), messageOf('other'));
    await scenario.act(scenario.name('g'), 'acknowledge');
    await system.settle();
    expect(await scenario.logOf(scenario.name('d'))).not.toContain('was handed over');

    await system.pass(1);
    const mail = await system.mailbox.received(ada, /3 alerts: /, { timeoutMs: 0 });
    for (const name of ['d', 'e', 'f']) {
      expect(mail.text).toContain(messageOf(name));
      expect(await scenario.logOf(scenario.name(name))).toContain(
        `The mail to ${ada}, with 2 other pages in one message, was handed over`,
      );
    }
    expect(mail.text).not.toContain(messageOf('g'));
    expect(await scenario.logOf(scenario.name('g'))).toContain('was not sent: the alert was acknowledged');

    const links = [...mail.text.matchAll(/^Acknowledge P3 #\d+: (\S+)$/gm)].map(([, link = '']) => link);
    expect(links).toHaveLength(3);
    const link = system.api.url + (links[1] ?? '').slice(PUBLIC_URL.length);
    expect((await fetch(link, { method: 'POST' })).status).toBe(202);
    await system.settle();
    const acknowledged = await Promise.all(
      ['d', 'e', 'f'].map(async (name) => (await scenario.alertOf(scenario.name(name)))['acknowledged']),
    );
    expect(acknowledged.filter(Boolean)).toHaveLength(1);
  });
});

describe('more text messages within a minute than the limit lets out (U8)', () => {
  it('come as one, in which each alert is named', async () => {
    await system.api.create(`/v2/users/${ada}/contacts`, { method: 'sms', to: '1-5551234567' });
    await system.settle();
    const names = ['a', 'b', 'c', 'd', 'e'];
    await page('ada', names);
    // The default rule sends a text after 5 minutes, about all of them at once.
    await system.pass(6);
    const { body } = await gateway.received(() => true, { timeoutMs: 0 });
    const { text } = JSON.parse(body) as { text: string };
    expect(text).toMatch(/^5 alerts: /);
    for (const name of names)
      expect(text).toContain(`#${String((await scenario.alertOf(scenario.name(name)))['tinyId'])}`);
    for (let mails = 0; mails < 4; mails += 1) await system.mailbox.received(ada, /Disk of|alerts: /, { timeoutMs: 0 });
  });
});
