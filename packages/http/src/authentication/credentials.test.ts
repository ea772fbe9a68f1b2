import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hashKey, isKeyShaped, parseCredentials } from './index.ts';

const key = '0f8fad5b-d9cb-469f-a165-70867728950e';
const schemes = ['ServiceKey', 'GenieKey'];
const base64 = (text: string) => Buffer.from(text).toString('base64');
const parsed = (authorization?: string, otherKey?: string) => parseCredentials({ authorization, otherKey, schemes });

describe('parseCredentials', () => {
  it.each([
    ['the scheme of the specification', `ServiceKey ${key}`],
    ['the scheme of existing clients', `GenieKey ${key}`],
    ['a scheme in another case', `geniekey ${key}`],
    ['white space around the key', `  GenieKey   ${key} \t`],
    ['a password', `Basic ${base64(`:${key}`)}`],
    ['a password with a user name', `basic ${base64(`ada:${key}`)}`],
    ['a whole credential', `Basic ${base64(key)}`],
    ['a whole credential with the line feed of a key file', `Basic ${base64(`${key}\n`)}`],
    ['a user name without a password', `Basic ${base64(`${key}:`)}`],
    ['a whole credential that is not encoded', `Basic ${key}`],
  ])('finds the key in %s (K1)', (_, authorization) => {
    expect(parsed(authorization)).toEqual({ kind: 'key', key });
  });

  it('finds the key in the query where the header has none (K1)', () => {
    expect(parsed(undefined, ` ${key}\n`)).toEqual({ kind: 'key', key });
    expect(parsed('Bearer of-a-proxy', key)).toEqual({ kind: 'key', key });
  });

  it('prefers the header', () => {
    expect(parsed(`GenieKey ${key}`, 'something else')).toEqual({ kind: 'key', key });
  });

  it.each([undefined, '', 'GenieKey', 'GenieKey ', `Bearer ${key}`, key, 'Basic'])(
    'refuses %p as unauthenticated: there is no key (E4)',
    (authorization) => {
      expect(parsed(authorization)).toMatchObject({ kind: 'refused', error: { code: 'unauthenticated' } });
    },
  );

  it.each(['GenieKey 42', `GenieKey ${key}0`, `GenieKey "${key}"`, `Basic ${base64('ada:secret')}`])(
    'refuses %s as invalid: that is no UUID (E4)',
    (authorization) => {
      expect(parsed(authorization)).toMatchObject({
        kind: 'refused',
        error: { code: 'invalid', message: 'Key format is not valid!' },
      });
    },
  );

  it('reads schemes from the setting alone', () => {
    expect(parseCredentials({ authorization: `GenieKey ${key}`, otherKey: undefined, schemes: ['Own'] }).kind).toBe(
      'refused',
    );
    expect(parseCredentials({ authorization: `OWN ${key}`, otherKey: undefined, schemes: ['Own'] }).kind).toBe('key');
  });

  it('never throws and never lets through what is not a key', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (header, query) => {
        const found = parsed(header, query);
        expect(found.kind === 'refused' || isKeyShaped(found.key)).toBe(true);
      }),
    );
  });
});

describe('hashKey', () => {
  it('is the same for every spelling of one key, and is not the key (K2)', () => {
    expect(hashKey(key.toUpperCase())).toBe(hashKey(key));
    expect(hashKey(key)).toMatch(/^[0-9a-f]{64}$/);
  });
});
