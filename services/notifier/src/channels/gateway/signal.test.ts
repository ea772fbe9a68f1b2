import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import { type ProviderDouble, type SignalMessage, startSignalGateway } from '@tocsin/testkit';
import { HttpGateway } from './http-gateway.ts';
import { GatewayTemplates } from './settings.ts';

const ACCOUNT = '+15550100';
const TEXT = 'P1 #7: Disk full\n"/var" is at 99 %';
const attempt = { deliveryId: 'd1', attempt: 1 };

let signal: ProviderDouble<SignalMessage>;

beforeAll(async () => {
  signal = await startSignalGateway(ACCOUNT);
});
afterAll(() => signal.stop());

/** The settings of docs/how-to/page-by-signal.md. */
const gatewayOf = (number = ACCOUNT) =>
  new HttpGateway(
    GatewayTemplates.parse({
      url: `${signal.url}/v2/send`,
      body: `{"number": "${number}", "recipients": ["{{to}}"], "message": "{{text}}"}`,
      successStatus: '201',
      successBody: '.*"timestamp".*',
    }),
    new OutgoingCaller({ allowedRanges: ['127.0.0.1'] }),
  );
const send = (number?: string) => gatewayOf(number).send({ to: '1-5551234567', text: TEXT }, attempt);

it('a text message goes to Signal by the settings of the how-to', async () => {
  expect(await send()).toEqual({ kind: 'accepted', response: 'it answered 201: {"timestamp":"1700000000001"}' });
  expect(signal.taken).toEqual([{ number: ACCOUNT, recipients: ['+15551234567'], message: TEXT }]);
});

it('what the gateway refuses goes to the next provider, and what Signal limits is tried again', async () => {
  expect(await send('+15550199')).toMatchObject({ kind: 'permanent' });
  signal.next({ refuse: 429, body: '{"error":"rate limit","challenge_tokens":["a"],"account":"+15550100"}' });
  expect(await send()).toMatchObject({ kind: 'temporary' });
  signal.next({ answer: { status: 200, body: '<html>another server</html>' } });
  expect((await send()).kind).not.toBe('accepted');
});
