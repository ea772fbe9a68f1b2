import { describe, expect, it } from '@jest/globals';
import { GatewayCallbacks } from './callbacks.ts';
import { GatewayTemplates, namesCallback } from './settings.ts';

const URL = 'https://sms.example.com/send';
const usual = GatewayTemplates.parse({ url: URL });
const own = GatewayTemplates.parse({
  url: URL,
  receiptField: 'dlr',
  receiptDelivered: '1',
  receiptFailed: '2|16',
});
const callbacks = new GatewayCallbacks({ sms: usual, voice: own });

describe('the receipt of a gateway', () => {
  it.each([
    ['delivered', 'delivered'],
    ['DELIVRD', 'delivered'],
    ['Undelivered', 'failed'],
    ['REJECTD', 'failed'],
  ] as const)('is taken by the usual words for it: %s', (word, outcome) => {
    expect(callbacks.receiptOf('sms', [['status', word]])).toEqual({ outcome, said: `its receipt says ${word}` });
  });

  it('is read by the field and the words of the settings, and a text that is no plain word is not repeated', () => {
    expect(callbacks.receiptOf('voice', [['dlr', '1']])).toEqual({
      outcome: 'delivered',
      said: 'its receipt says delivered',
    });
    expect(callbacks.receiptOf('voice', [['dlr', '16']])).toMatchObject({ outcome: 'failed' });
  });

  it('is no final state where it has another word, or none', () => {
    expect(callbacks.receiptOf('sms', [['status', 'buffered']])).toBeUndefined();
    expect(callbacks.receiptOf('sms', [['state', 'delivered']])).toBeUndefined();
    expect(callbacks.receiptOf('sms', [])).toBeUndefined();
    expect(new GatewayCallbacks({ sms: undefined, voice: own }).receiptOf('sms', [['status', 'delivered']])).toBe(
      undefined,
    );
  });
});

describe('a gateway', () => {
  it('is asked for receipts where its request has the URL for them', () => {
    expect(namesCallback(usual)).toBe(false);
    for (const change of [
      { url: `${URL}?dlr-url={{callbackUrl}}` },
      { body: '{"callback":"{{callbackUrl}}"}' },
      { headers: '{"x-callback":"{{ callbackUrl }}"}' },
    ])
      expect(namesCallback(GatewayTemplates.parse({ url: URL, ...change }))).toBe(true);
  });

  it('has patterns that compile', () => {
    const { error } = GatewayTemplates.safeParse({ url: URL, receiptFailed: '(' });
    expect(error?.issues).toMatchObject([{ path: ['receiptFailed'] }]);
  });
});
