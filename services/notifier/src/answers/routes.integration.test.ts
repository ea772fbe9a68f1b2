import { describe, expect, it } from '@jest/globals';
import { LinkSigner } from '@tocsin/http';
import { linking } from '../channels/callbacks/links.ts';
import { setUpApp, SIGNING_KEY, type AppUnderTest } from '../testing/app-fixture.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import type { MongoStores } from '../testing/mongo-stores.ts';
import { ada, deliveryOf, page } from '../testing/page-samples.ts';

const PAGED = new Date('2026-01-05T07:00:00Z');
const DAY_MS = 86_400_000;
const { acknowledgeUrl } = linking('', new LinkSigner([SIGNING_KEY], 'acknowledge'));

const open = useStores();

/** The app on an empty database. */
async function setUp(): Promise<AppUnderTest & Pick<MongoStores, 'commands' | 'decisions'>> {
  const { acts, commands, decisions } = await open();
  return { ...setUpApp({ acts }), commands, decisions };
}

/** The path of the link of a message about the alert `a1`. */
const pathOf = (change: Parameters<typeof page>[0] = {}, method: 'email' | 'mobile' = 'email'): string =>
  acknowledgeUrl?.(deliveryOf(page(change), { dueAt: PAGED, method })) ?? '';
const BUTTON = '<button type="submit">Acknowledge</button>';

/** Expects the same answer of both methods, and no effect. */
async function answers({ ask, commands }: Awaited<ReturnType<typeof setUp>>, path = pathOf()) {
  const [shown, done] = [await ask('get', path), await ask('post', path)];
  expect(await commands()).toEqual([]);
  expect([shown.text, done.text].join('')).not.toContain(BUTTON);
  return { statuses: [shown.status, done.status], text: done.text };
}

describe('the page of an acknowledge link', () => {
  it('shows which alert it is and one button, however often it is opened, and changes nothing (U14)', async () => {
    const { ask, commands, decisions } = await setUp();
    for (let opened = 0; opened < 3; opened += 1) {
      const { status, text } = await ask('get', pathOf());
      expect(status).toBe(200);
      expect(text).toContain('<h1>Alert #7 (P1)</h1>\n<blockquote>Disk full</blockquote>');
      expect(text).toContain('as ada@example.com');
      expect(text).toContain(`<form method="post">${BUTTON}</form>`);
    }
    expect([await commands(), await decisions()]).toEqual([[], []]);
  });

  it('runs one script, loads nothing, asks its own site alone, is not cached and sends no referrer', async () => {
    const { headers, text } = await (await setUp()).ask('get', pathOf());
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; connect-src 'self'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
    });
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/src=|href="(?!\/console\/alerts\/a1\?ready=acknowledge")|https?:/i);
  });

  it('links to the alert in the console, and has the script only where the link of a message led, and never for a link that is not valid', async () => {
    const { alertIs, ask } = await setUp();
    const link = '<a id="console" data-user="ada@example.com" href="/console/alerts/a1?ready=acknowledge">';
    expect((await ask('get', pathOf())).text).toContain(link);
    const { text } = await ask('post', pathOf());
    expect(text).toContain(link);
    expect(text).not.toContain('<script');
    expect((await ask('get', '/acknowledge/forged')).text).not.toMatch(/<script|href=/);
    alertIs('gone');
    expect((await ask('get', pathOf())).text).not.toMatch(/<script|href=/);
  });

  it('shows what others wrote as text', async () => {
    const { alertIs, ask, userIs } = await setUp();
    alertIs({ message: '</blockquote><script>alert(1)</script>\u202e' });
    userIs(ada({ username: '"><img src=x onerror=alert(1)>' }));
    const { text } = await ask('get', pathOf({ alert: { ...page().alert, tinyId: '<b>7</b>' } }));
    expect(text).toContain('#&lt;b&gt;7&lt;/b&gt;');
    expect(text).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(text).toContain('<blockquote>&lt;/blockquote&gt;&lt;script&gt;alert(1)&lt;/script&gt;</blockquote>');
    expect(text).toContain('Ops &amp; Co &lt;script&gt;');
  });

  it('has its button also where alert-processor does not answer, and its command is accepted', async () => {
    const { alertIs, ask, commands } = await setUp();
    alertIs('unavailable');
    const { text } = await ask('get', pathOf());
    expect(text).toContain(BUTTON);
    expect(text).not.toContain('<blockquote>');
    expect((await ask('post', pathOf())).status).toBe(202);
    expect(await commands()).toHaveLength(1);
  });

  it('acknowledges by its button alone, in the name of its user, and confirms it', async () => {
    const { ask, commands, decisions } = await setUp();
    const { status, text } = await ask('post', pathOf());
    expect([status, text]).toEqual([202, expect.stringContaining('is accepted, ada@example.com')]);
    expect(await commands()).toMatchObject([
      {
        kind: 'acknowledge',
        requestId: expect.stringMatching(/^answer:a1:[\w-]{16}:acknowledge$/),
        identifier: { type: 'id', value: 'a1' },
        actor: 'ada@example.com',
        acceptedAt: '2026-01-05T08:00:00.000Z',
      },
    ]);
    expect(await decisions()).toMatchObject([
      { alertId: 'a1', findings: [{ facts: { by: 'link', method: 'email' } }] },
    ]);
  });

  it('acts once: a second time, and by another message of the same page, it says so', async () => {
    const { ask, commands, decisions } = await setUp();
    await Promise.all([ask('post', pathOf()), ask('post', pathOf())]);
    const again = [await ask('post', pathOf()), await ask('post', pathOf({}, 'mobile')), await ask('get', pathOf())];
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { text } of again) expect(text).toContain('You have acknowledged it already, ada@example.com');
    expect([(await commands()).length, (await decisions()).length]).toEqual([1, 1]);
  });

  it('refers its user to the newest message after the acknowledgement is undone, whose link works again', async () => {
    const { alertIs, ask, commands } = await setUp();
    await ask('post', pathOf());
    alertIs({ acknowledged: true });
    expect((await ask('post', pathOf())).text).toContain('already, ada@example.com');
    alertIs({});
    expect((await ask('post', pathOf())).text).toContain('use the newest message.');
    const next = pathOf({ pageId: 'a1:1:escalation:e1:0:1:ada:renotified-alert' });
    expect((await ask('post', next)).status).toBe(202);
    expect(await commands()).toHaveLength(2);
  });

  it.each([
    ['is acknowledged', { acknowledged: true }, [200, 200], 'acknowledged already'],
    ['is closed', { status: 'closed' }, [200, 409], 'The alert is closed.'],
    ['was deleted', 'gone', [410, 410], 'The alert was deleted.'],
  ] as const)('of an alert that %s does nothing', async (_, change, statuses, text) => {
    const component = await setUp();
    component.alertIs(change);
    expect(await answers(component)).toEqual({ statuses, text: expect.stringContaining(text) });
  });

  it('acknowledges a snoozed alert, whose flow would start again otherwise', async () => {
    const { alertIs, ask } = await setUp();
    alertIs({ acknowledged: true, snoozed: true });
    expect((await ask('post', pathOf())).status).toBe(202);
  });

  it('of a user who is gone or blocked does nothing, and says who acts instead', async () => {
    for (const user of [undefined, ada({ blocked: true })]) {
      const component = await setUp();
      component.userIs(user);
      const { statuses, text } = await answers(component);
      expect(statuses).toEqual([410, 410]);
      expect(text).toContain('<h1>Alert #7 (P1)</h1>');
      expect(text).toContain('was deleted or blocked. Nothing was changed.');
      expect(text).toContain('use the link in your own message');
    }
  });

  it('does nothing while its user cannot be looked up, and asks to try again', async () => {
    const component = await setUp();
    component.unavailable.directory = true;
    expect(await answers(component)).toMatchObject({ statuses: [503, 503] });
    component.unavailable.directory = false;
    expect((await component.ask('post', pathOf())).status).toBe(202);
  });

  it('works for seven days, and not at their end', async () => {
    const component = await setUp();
    component.clock.advance(PAGED.getTime() + 7 * DAY_MS - 1 - component.clock.now().getTime());
    expect((await component.ask('get', pathOf())).text).toContain(BUTTON);
    component.clock.advance(1);
    expect(await answers(component)).toEqual({ statuses: [410, 410], text: expect.stringContaining('expired') });
  });

  it('that we did not sign, or signed for something else, does nothing', async () => {
    const said = pathOf().split('/').at(-1)?.split('.')[0] ?? '';
    const later = new Date(PAGED.getTime() + DAY_MS);
    for (const token of [
      'x',
      `${said}.1.x`,
      new LinkSigner(['another key of another installation'], 'acknowledge').sign(said, later),
      new LinkSigner([SIGNING_KEY], 'file').sign('42', later),
      new LinkSigner([SIGNING_KEY], 'file').sign(said, later),
      new LinkSigner([SIGNING_KEY], 'callback').sign(said, later),
      new LinkSigner([SIGNING_KEY], 'acknowledge').sign('42', later),
    ])
      expect(await answers(await setUp(), `/acknowledge/${token}`)).toMatchObject({ statuses: [404, 404] });
  });
});
