import { describe, expect, it } from '@jest/globals';
import { takesReplies, type PhoneConfig } from './settings.ts';

const config = (change: Partial<PhoneConfig> = {}): PhoneConfig => ({
  smsProviders: ['twilio', 'http', 'log'],
  voiceProviders: [],
  twilioApiUrl: 'https://api.twilio.com',
  twilioFrom: '+15550100',
  callbackUrl: 'https://tocsin.example.com',
  smsHttpReplyToken: 'agreed-with-the-gateway',
  smsHttpReplyFromField: 'from',
  smsHttpReplyTextField: 'text',
  ...change,
});

describe('whether people can reply to text messages', () => {
  it('depends on the sender at Twilio: a number or a messaging service, but not a name', () => {
    for (const twilioFrom of ['+15550100', '15550100', `MG${'a'.repeat(32)}`])
      expect(takesReplies('twilio', config({ twilioFrom }))).toBe(true);
    for (const twilioFrom of ['Tocsin', 'ALERT24', undefined])
      expect(takesReplies('twilio', config({ twilioFrom }))).toBe(false);
  });

  it('depends on the token that was agreed with a gateway', () => {
    expect(takesReplies('http', config())).toBe(true);
    expect(takesReplies('http', config({ smsHttpReplyToken: undefined }))).toBe(false);
  });

  it('is no where no provider could report replies', () => {
    for (const name of ['twilio', 'http', 'log'] as const)
      expect(takesReplies(name, config({ callbackUrl: undefined }))).toBe(false);
    expect(takesReplies('log', config())).toBe(false);
  });
});
