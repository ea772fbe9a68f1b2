import { describe, expect, it } from '@jest/globals';
import { TwilioCallbacks } from './callbacks.ts';

/** The example of Twilio's own libraries, with the signature that they expect. */
const callbacks = new TwilioCallbacks('12345');
const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const fields = [
  ['CallSid', 'CA1234567890ABCDE'],
  ['To', '+18005551212'],
  ['Caller', '+14158675309'],
  ['Digits', '1234'],
  ['From', '+14158675309'],
] as const;
const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8='; // cspell:disable-line

describe('the signature of a call of Twilio', () => {
  it('is valid for its URL and its form, with the fields in any order', () => {
    expect(callbacks.isGenuine({ url, fields, signature })).toBe(true);
    expect(callbacks.isGenuine({ url, fields: fields.toReversed(), signature })).toBe(true);
  });

  it('is not valid where anything differs', () => {
    const changed = fields.map(([name, value]) => [name, name === 'Digits' ? '1235' : value] as const);
    for (const call of [
      { url, fields: changed, signature },
      { url, fields: [...fields, ['More', '']] as const, signature },
      { url: `${url}&baz=3`, fields, signature },
      { url, fields, signature: signature.replace('R', 'S') },
      { url, fields, signature: '' },
      { url, fields, signature: undefined },
    ])
      expect(callbacks.isGenuine(call)).toBe(false);
    expect(new TwilioCallbacks('12346').isGenuine({ url, fields, signature })).toBe(false);
  });

  it('is not valid for a text that can be split into another URL and form', () => {
    const [address = '', query = ''] = url.split('?');
    const moved = fields.map(([name, value]) => [name === 'CallSid' ? `?${query}CallSid` : name, value] as const);
    expect(callbacks.isGenuine({ url: address, fields: moved, signature })).toBe(false);
  });

  it('counts a field that comes twice once, and is made of the first and the second value where they differ', () => {
    expect(callbacks.isGenuine({ url, fields: [...fields, ['Digits', '1234']], signature })).toBe(true);
    expect(callbacks.isGenuine({ url, fields: [...fields, ['Digits', '1235']], signature })).toBe(false);
  });

  it('may have been made with the port of its scheme, or without', () => {
    const withPort = 'https://mycompany.com:443/myapp.php?foo=1&bar=2';
    expect(callbacks.isGenuine({ url: withPort, fields, signature })).toBe(true);
    const other = 'https://mycompany.com:8443/myapp.php?foo=1&bar=2';
    expect(callbacks.isGenuine({ url: other, fields, signature })).toBe(false);
  });
});

describe('the receipt of Twilio', () => {
  it.each([
    ['sms', 'MessageStatus', 'delivered', 'delivered'],
    ['sms', 'MessageStatus', 'undelivered', 'failed'],
    ['sms', 'MessageStatus', 'failed', 'failed'],
    ['voice', 'CallStatus', 'completed', 'delivered'],
    ['voice', 'CallStatus', 'no-answer', 'failed'],
    ['voice', 'CallStatus', 'busy', 'failed'],
  ] as const)('of %s by %s %s is that it was %s', (method, field, status, outcome) => {
    const said = `its receipt says ${status}`;
    expect(callbacks.receiptOf(method, [[field, status]])).toEqual({ outcome, said });
  });

  it('has the code of an error, and nothing else that it sends', () => {
    const fields = [
      ['MessageStatus', 'undelivered'],
      ['ErrorCode', '30003'],
      ['To', '+15551234567'],
    ] as const;
    expect(callbacks.receiptOf('sms', fields)).toEqual({
      outcome: 'failed',
      said: 'its receipt says undelivered (30003)',
    });
  });

  it.each(['queued', 'sending', 'sent', 'in-progress', 'constructor', ''])('is no end where it is %p', (status) => {
    expect(callbacks.receiptOf('sms', [['MessageStatus', status]])).toBeUndefined();
    expect(callbacks.receiptOf('voice', [['MessageStatus', 'delivered']])).toBeUndefined();
  });
});
