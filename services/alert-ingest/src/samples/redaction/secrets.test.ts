import { describe, expect, it } from '@jest/globals';
import { leastMeasured, MAX_TURN_MS, startProcessorTime } from '@tocsin/testkit';
import { isSecretName, withoutSecrets } from './secrets.ts';

const KEY = '7b1f0a52-6d2b-4e0f-9d3f-2f6f3c1f5a22';
const redacted = (text: string) => withoutSecrets(text, (uuid) => uuid.toLowerCase() === KEY);

describe('a name', () => {
  it.each([
    ...['password', 'dbPassword', 'DB_PASSWORD', 'passwd', 'user.pass', 'pwd', 'client-secret', 'accessToken', 'Token'],
    ...['apiKey', 'X-API-Key', 'routing_key', 'ssh key', 'access_key_id', 'Authorization', 'auth', 'Set-Cookie'],
    ...['Signature', 'sig', 'credentials', 'jwt'],
  ])('%s is that of a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    ...['key', 'groupKey', 'dedup_key', 'eventKey', 'author', 'passed', 'bypass_url', 'signal', 'assigned'],
    ...['message', 'status', '', 'monkeys_uncle'],
  ])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('a text', () => {
  it.each([
    ['token=canary&state=open', 'token=***&state=open'],
    ['https://a.example.com/?x=1&access_token=canary', 'https://a.example.com/?x=1&access_token=***'],
    ['https://user:canary@a.example.com/x', 'https://***@a.example.com/x'],
    ['Authorization: Bearer canary-1 more', 'Authorization: ***'],
    ['curl -H "Cookie: a=canary; b=canary" x', 'curl -H "Cookie: ***" x'],
    [String.raw`{\"Cookie\":[\"canary\"],\"a\":1}`, String.raw`{\"Cookie\":***`],
    ['sent by GenieKey canary-1', 'sent by GenieKey ***'],
    ['{"msg": "failed", "password" : "can\\"ary", "a": 1', '{"msg": "failed", "password" : ***, "a": 1'],
    [String.raw`{\"secret\":\"canary\",\"a\":1}`, String.raw`{\"secret\":***,\"a\":1}`],
    ['{"a":1,"auth":{"user":"canary","list":["canary"]', '{"a":1,"auth":***'],
    ['"url": "https://a/?token=canary"', '"url": "https://a/?token=***"'],
    ["{'password' => 'canary'}", "{'password' => ***}"],
    ['["password", "canary"', '["password", ***'],
    [String.raw`{\"name\":\"password\",\"value\":\"canary\"}`, String.raw`{\"name\":\"password\",***`],
    ['<login><password>canary</password></login>', '<login><password>***</password></login>'],
    ['<entry key="apiKey">canary</entry>', '<entry key="apiKey">***</entry>'],
    [`key ${KEY.toUpperCase()} of ${KEY}`, 'key *** of ***'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl', '***'],
  ])('%j is %j', (written, expected) => {
    expect(redacted(written)).toBe(expected);
  });

  it.each([
    'Disk of db-1 is full: 94 % used, at 12:30, see https://a.example.com/d/1?x=2',
    'id 0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40',
    '<status code="1">open</status>',
    'login, password, "reset"',
  ])('%j stays as it is', (written) => {
    expect(redacted(written)).toBe(written);
  });

  it.each([
    ...['a', 'a=', 'abc=', 'a.c=', 'aBc=', 'xOtp=', 'eyJ-', '<a ', '://', 'Basic ', 'password=', '\\', '"', 'a\\', '0'],
    ...['token:[', '<a b>', 'auth: "'],
  ])('of %j over and over takes at most 20 ms of processor time', async (part) => {
    const text = part.repeat(70_000 / part.length);
    const { ms } = await leastMeasured(MAX_TURN_MS, () => {
      const elapsed = startProcessorTime();
      redacted(text);
      return { ms: elapsed() };
    });
    expect(ms).toBeLessThanOrEqual(MAX_TURN_MS);
  });
});
