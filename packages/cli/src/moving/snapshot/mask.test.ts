import { describe, expect, it } from '@jest/globals';
import { masked } from './mask.ts';

describe('secrets of a thing', () => {
  it('are masked by the names of their fields, and in headers', () => {
    const thing = {
      ...{ apiKey: 'a', api_key: 'b', authToken: 'c', password: 1, usesToken: true },
      ...{ datadogApplicationKey: 'h', encryptionKey: 'i', passcode: 'j', projectKey: 'OPS' },
      headers: { Authorization: 'e', 'X-Any': 'f', 'X-Pin': 1234 },
      actions: [{ headers: [{ name: 'X-Any', value: 'g' }] }],
    };
    expect(masked(thing, 'integrations')).toEqual({
      ...{ apiKey: '*****', api_key: '*****', authToken: '*****', password: '*****', usesToken: true },
      ...{ datadogApplicationKey: '*****', encryptionKey: '*****', passcode: '*****', projectKey: 'OPS' },
      headers: { Authorization: '*****', 'X-Any': '*****', 'X-Pin': '*****' },
      actions: [{ headers: [{ name: 'X-Any', value: '*****' }] }],
    });
  });

  it('are masked in addresses of integrations, where the host and what a person named stay', () => {
    const address = (url: string): unknown => masked({ url }, 'integrations');
    expect(address('https://me:pass@chat.example/hooks/T0/8fj3kd93jd8f3jd8?token=x#y')).toEqual({
      url: 'https://*****@chat.example/hooks/T0/*****?token=*****#*****',
    });
    expect(address('https://tocsin.example/alerts')).toEqual({ url: 'https://tocsin.example/alerts' });
  });

  it('are not looked for in conditions, templates and lists of people', () => {
    const policy = {
      filter: { conditions: [{ field: 'extra-properties', key: 'cluster', expectedValue: 'prod' }] },
      description: 'See https://wiki.example/runbooks/0198c0de5b1f7c3a9d1e?page=2',
      tags: null,
    };
    expect(masked(policy, 'policies')).toEqual(policy);
  });
});
