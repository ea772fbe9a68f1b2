import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OutgoingCaller, LinkSigner } from '@tocsin/http';
import { anyCodePoint, startMessageGateway, type SeenRequest } from '@tocsin/testkit';
import { GatewayTemplates } from './settings.ts';
import { HttpGateway } from './http-gateway.ts';

const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
const HOSTILE = 'a"b\\c\r\nX-Evil: 1&d=e {{to}} $& <ü> 🔥%';
const callbackUrl = 'https://tocsin.example.com/callbacks/http?token=a.1.b';
const attempt = { deliveryId: 'd:1', attempt: 1, callbackUrl };

async function sent(
  settings: { readonly url?: string } & Record<string, string>,
  text = HOSTILE,
): Promise<SeenRequest> {
  const double = await startMessageGateway();
  const gateway = GatewayTemplates.parse({ ...settings, url: `${double.url}${settings.url ?? '/'}` });
  expect(await new HttpGateway(gateway, outgoing).send({ to: '1-5551234567', text }, attempt)).toMatchObject({
    kind: 'accepted',
  });
  const [request] = double.taken;
  await double.stop();
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

describe('HttpGateway', () => {
  it('fills values into the URL as parts of a URL', async () => {
    const { body, method, path, query } = await sent({
      url: '/send/{{digits}}/{{ deliveryId }}?to={{to}}&text={{text}}&key=k',
      method: 'GET',
    });
    expect([method, path, body]).toEqual(['GET', '/send/15551234567/d%3A1', '']);
    expect([...query]).toEqual([
      ['to', '+15551234567'],
      ['text', HOSTILE],
      ['key', 'k'],
    ]);
  });

  it('names the URL for receipts', async () => {
    const { body, query } = await sent({ url: '/?dlr={{callbackUrl}}', body: '{"callback":"{{callbackUrl}}"}' });
    expect([query.get('dlr'), JSON.parse(body)]).toEqual([callbackUrl, { callback: callbackUrl }]);
  });

  it('fills values into JSON as parts of its texts', async () => {
    const { body, headers } = await sent({ body: '{"to":["{{to}}"],"text":"Alert: {{text}}"}' });
    expect(JSON.parse(body)).toEqual({ to: ['+15551234567'], text: `Alert: ${HOSTILE}` });
    expect(headers['content-type']).toBe('application/json');
  });

  it('fills values into a form as parts of a form', async () => {
    const headers = JSON.stringify({ 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' });
    const { body } = await sent({ headers, body: 'to={{to}}&text={{text}}' });
    expect([...new URLSearchParams(body)]).toEqual([
      ['to', '+15551234567'],
      ['text', HOSTILE],
    ]);
  });

  it('fills values into XML as parts of an element, and into plain text as they are', async () => {
    const typed = (type: string) => JSON.stringify({ 'content-type': type });
    expect((await sent({ headers: typed('text/xml'), body: '<m>{{text}}</m>' }, '<&>')).body).toBe(
      '<m>&lt;&amp;&gt;</m>',
    );
    expect((await sent({ headers: typed('text/plain'), body: '{{text}}' }, '<&>')).body).toBe('<&>');
  });

  it('fills values into headers on one line, never as another header', async () => {
    const { headers } = await sent({ headers: JSON.stringify({ 'X-Text': '{{text}}', Authorization: 'Basic abc' }) });
    expect(headers).toMatchObject({
      authorization: 'Basic abc',
      'x-text': expect.stringContaining('a"b\\c%0D%0AX-Evil: 1'),
    });
    expect(headers).not.toHaveProperty('x-evil');
  });

  it('says any text to the gateway as it was written', async () => {
    const double = await startMessageGateway();
    const gateway = new HttpGateway(
      GatewayTemplates.parse({ url: `${double.url}/?q={{text}}`, body: '{"text":"{{text}}"}' }),
      outgoing,
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCodePoint }), async (text) => {
        await gateway.send({ to: '1-5', text }, attempt);
        const last = double.taken.at(-1);
        expect([JSON.parse(last?.body ?? ''), last?.query.get('q')]).toEqual([{ text }, text]);
      }),
      { numRuns: 50 },
    );
    await double.stop();
  });

  it.each([
    ['a status that is no success', { successStatus: '202' }, { status: 200, body: 'OK' }, 'temporary'],
    ['a status within the range', { successStatus: '200-202' }, { status: 202, body: '' }, 'accepted'],
    ['a refusal for good', {}, { status: 404, body: 'no such path' }, 'permanent'],
    ['words that it is to say', { successBody: 'OK.*' }, { status: 200, body: 'OK 1\n' }, 'accepted'],
    ['other words', { successBody: 'OK.*' }, { status: 200, body: 'ERR OK' }, 'temporary'],
    ['words beyond what is read', { successBody: '.*OK' }, { status: 200, body: `${'x'.repeat(50_000)}OK` }, 'unknown'],
  ])('judges %s', async (_, settings, answer, kind) => {
    const double = await startMessageGateway();
    double.next({ answer });
    const gateway = new HttpGateway(GatewayTemplates.parse({ url: double.url, ...settings }), outgoing);
    expect((await gateway.send({ to: '1-5', text: 'hello' }, attempt)).kind).toBe(kind);
    await double.stop();
  });
});

describe('a short secret in the body of a gateway that repeats it', () => {
  const FORM = JSON.stringify({ 'content-type': 'application/x-www-form-urlencoded' });

  it.each([
    [
      'JSON',
      { body: '{"login":{"username":"acme","password":"So\\"1!"},"token_to":"{{to}}","n":{{digits}}}' },
      'So\\"1!',
    ],
    ['a form', { headers: FORM, body: 'username=acme&api_key=So%211&text={{text}}' }, 'So%211'],
    ['a form, as it is meant', { headers: FORM, body: 'api_key=So%211&text={{text}}' }, 'So!1'],
  ])('is not shown: %s', async (_, settings, secret) => {
    const double = await startMessageGateway();
    const gateway = new HttpGateway(GatewayTemplates.parse({ url: double.url, ...settings }), outgoing);
    for (const status of [200, 400]) {
      double.next({ answer: { status, body: `acme ${secret} {{to}}` } });
      const said = JSON.stringify(await gateway.send({ to: '1-5', text: 'hello' }, attempt));
      expect(said).toContain(`it answered ${status}: acme [secret] {{to}}`);
    }
    await double.stop();
  });

  it('hides the URL for receipts, which each reader of the log could call', async () => {
    const double = await startMessageGateway();
    const gateway = new HttpGateway(GatewayTemplates.parse({ url: `${double.url}/?dlr={{callbackUrl}}` }), outgoing);
    const token = new LinkSigner(['k'.repeat(32)], 'callback').sign('WyJodHRwIl0', new Date(0));
    const url = `https://tocsin.example.com/callbacks/http?token=${token}`;
    for (const status of [200, 400])
      for (const body of [JSON.stringify({ id: 1, dlr: url }), `dlr=${encodeURIComponent(url)}`]) {
        double.next({ answer: { status, body } });
        const said = JSON.stringify(await gateway.send({ to: '1-5', text: 'hello' }, { ...attempt, callbackUrl: url }));
        expect(said).toContain('[secret]');
        expect(said).not.toContain(token.slice(-43));
      }
    await double.stop();
  });
});

describe('templates of a gateway', () => {
  const problems = (settings: Record<string, unknown>): string[] =>
    GatewayTemplates.safeParse({ url: 'https://example.com/', ...settings }).error?.issues.map(
      ({ message, path }) => `${path.join('.')} ${message}`,
    ) ?? [];

  it.each([
    [{ url: 'example.com' }, 'url should be a URL: the URL is not well-formed'],
    [{ url: 'ftp://example.com/' }, 'url should be a URL: the URL is neither http nor https'],
    [{ url: 'https://me:word@example.com/' }, 'url should be a URL: the URL carries a user name or a password'],
    [{ url: 'https://{{digits}}.example.com/' }, 'url may name values behind the host alone'],
    [{ url: 'https://example.com/{{text}}' }, 'url may name the text in its query alone'],
    [
      { url: 'https://example.com/?a={{phone}}' },
      'url names {{phone}}, which is none of {{to}}, {{digits}}, {{text}}, {{deliveryId}} and {{callbackUrl}}',
    ],
    [{ method: 'TRACE' }, expect.stringMatching(/^method /)],
    [{ headers: 'x-a: b' }, 'headers should be a JSON object of texts, such as {"authorization": "Bearer …"}'],
    [{ headers: '{"Host":"a"}' }, 'headers may not set the header "host"'],
    [{ headers: '{"a b":"c"}' }, 'headers may not set the header "a b"'],
    [{ headers: '{"a":"b\\r\\nc: d"}' }, 'headers should give a printable ASCII on one line'],
    [
      { headers: '{"a":"{{x}}"}' },
      'headers names {{x}}, which is none of {{to}}, {{digits}}, {{text}}, {{deliveryId}} and {{callbackUrl}}',
    ],
    [
      { body: '{"text":{{text}}}' },
      expect.stringMatching(/^body should be JSON whose values stand between quotation marks/),
    ],
    [{ body: 'to={{to}}' }, expect.stringMatching(/^body should be JSON/)],
    [{ body: '{}', method: 'GET' }, 'body cannot go with GET'],
    [{ body: '{{x}}', headers: '{"content-type":"text/plain"}' }, expect.stringMatching(/^body names \{\{x\}\}/)],
    [{ body: 'a', headers: '{"content-type":"text/{{to}}"}' }, 'body cannot have a content-type with values'],
    [{ successStatus: '2xx' }, 'successStatus should be a status or a range of them, such as 200-299'],
    [{ successBody: '(' }, 'successBody should be a valid regular expression'],
    [{ successBody: '(a{1,30}){1,30}' }, 'successBody takes too long: use a plainer one'],
  ])('%j are refused at the start', (settings, problem) => {
    expect(problems(settings)).toContainEqual(problem);
  });
});
