import { beforeEach, describe, expect, it } from '@jest/globals';
import { byAlias, type Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const PUBLIC_URL = 'https://tocsin.example.com/on-call';
const system = useSystem({ PUBLIC_URL });

let scenario: Scenario;
let alias: string;
let alert: string;

interface AlertRead {
  readonly id: string;
  readonly acknowledged: boolean;
  readonly isSeen: boolean;
  readonly owner: string;
  readonly tinyId: string;
}

const user = (name: string) => ({ type: 'user', name }) as const;
const read = (path = alert) => system.api.read<AlertRead>(path);
const logs = async (): Promise<readonly string[]> => {
  const path = byAlias(alias, '/logs');
  const entries = await system.api.read<readonly { log: string; owner: string }[]>(`${path}&limit=100`);
  return entries.map(({ log, owner }) => `${owner}: ${log}`);
};

beforeEach(async () => {
  scenario = system.scenario();
  alias = scenario.name('disk');
  alert = byAlias(alias);
  await scenario.users('ada', 'grace');
  await scenario.escalation('Both', { delay: 0, to: user('ada') }, { delay: 5, to: user('grace') });
  const responders = [scenario.responder('escalation', 'Both')];
  await scenario.alert({ message: `Disk of ${alias}`, alias, priority: 'P2', responders });
});

/** The link in the mail to a user, as the gateway is asked for it behind a proxy that knows the public address. */
async function linkIn(address: string): Promise<string> {
  await system.settle();
  const mail = await system.mailbox.received(address, `Disk of ${alias}`, { timeoutMs: 0 });
  const [, link = ''] = /^Acknowledge: (\S+)$/m.exec(mail.text) ?? [];
  expect(link.startsWith(`${PUBLIC_URL}/acknowledge/`)).toBe(true);
  return system.api.url + link.slice(PUBLIC_URL.length);
}

/** As a browser does it: without a key. */
async function ask(method: 'GET' | 'HEAD' | 'POST', url: string) {
  const headers = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const response = await fetch(url, { method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the acknowledge link of a mail', () => {
  it('shows the alert to each reader, mail scanners too, and changes nothing until its button is pressed', async () => {
    const link = await linkIn(scenario.address('ada'));
    const { tinyId } = await read();
    const before = await logs();
    for (const method of ['GET', 'HEAD', 'GET'] as const)
      expect(await ask(method, link)).toMatchObject({ status: 200 });
    const { headers, text } = await ask('GET', link);
    expect(text).toContain(`Alert #${tinyId} (P2)`);
    expect(text).toContain(`Disk of ${alias}`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    await system.settle();
    expect(await read()).toMatchObject({ acknowledged: false, isSeen: false, owner: '' });
    expect(await logs()).toEqual(before);
    await system.pass(5);
    await system.mailed(scenario.address('grace'), alias);
  });

  it('acknowledges as its user by its button, and stops the escalation; again, nothing happens', async () => {
    const link = await linkIn(scenario.address('ada'));
    expect(await ask('POST', link)).toMatchObject({ status: 202, text: expect.stringContaining('is accepted') });
    await system.settle();
    const ada = scenario.address('ada');
    expect(await read()).toMatchObject({ acknowledged: true, owner: ada });
    const after = await logs();
    expect(after).toContain(`${ada}: Alert acknowledged via Link[email-Acknowledge Alert]`);
    expect(after.join('\n')).toContain(`${ada} acknowledges the alert by the link of a mail.`);
    expect(await ask('POST', link)).toMatchObject({ status: 200, text: expect.stringContaining('already') });
    expect(await ask('GET', link)).toMatchObject({ status: 200, text: expect.not.stringContaining('<button') });
    await system.pass(10);
    expect(system.mailbox.unexpected()).toEqual([]);
    const later = (await logs()).filter((line) => !after.includes(line));
    expect(later).toEqual([expect.stringMatching(/^System: Rule 2 .* is skipped: the alert is acknowledged\.$/)]);
  });

  it('does nothing once the alert is closed, once it has expired, and where it is not as we signed it', async () => {
    const link = await linkIn(scenario.address('ada'));
    const forged = link.replace(/\/acknowledge\/./, '/acknowledge/x');
    expect([await ask('GET', forged), await ask('POST', forged)]).toMatchObject([{ status: 404 }, { status: 404 }]);
    const { id } = await read();
    await scenario.act(alias, 'close');
    await system.settle();
    expect([await ask('GET', link), await ask('POST', link)]).toMatchObject([{ status: 200 }, { status: 409 }]);
    await system.pass(7 * 24 * 60);
    expect([await ask('GET', link), await ask('POST', link)]).toMatchObject([{ status: 410 }, { status: 410 }]);
    expect((await read(`/v2/alerts/${id}`)).acknowledged).toBe(false);
  });

  it('is no link to a file, nor is a link to a file one', async () => {
    const link = await linkIn(scenario.address('ada'));
    const form = new FormData();
    form.append('file', new Blob(['x']), 'graph.txt');
    const files = `/v2/alerts/${encodeURIComponent(alias)}/attachments`;
    const { id } = await system.api.create(`${files}?alertIdentifierType=alias`, form);
    const { url } = await system.api.read<{ url: string }>(`${files}/${id}?alertIdentifierType=alias`);
    const file = url.slice(`${PUBLIC_URL}/v2/attachments/`.length);
    expect(await ask('GET', `${system.api.url}/v2/attachments/${file}`)).toMatchObject({ status: 200, text: 'x' });
    for (const method of ['GET', 'POST'] as const)
      expect(await ask(method, `${system.api.url}/acknowledge/${file}`)).toMatchObject({ status: 404 });
    const token = link.split('/').at(-1) ?? '';
    expect(await ask('GET', `${system.api.url}/v2/attachments/${token}`)).toMatchObject({ status: 404 });
    await scenario.act(alias, 'close');
    await system.settle();
  });
});
