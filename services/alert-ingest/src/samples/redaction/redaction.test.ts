import { describe, expect, it } from '@jest/globals';
import { finished } from '@tocsin/core';
import fc from 'fast-check';
import { Redaction } from './redaction.ts';
import { isSecretName } from './secrets.ts';

const MAX = 2_000;
const redacted = (value: unknown, max = MAX) => {
  const redaction = new Redaction(max, () => false);
  return { written: finished(redaction.json(value)), isTruncated: redaction.isTruncated };
};
const read = (value: unknown) => JSON.parse(redacted(value).written) as unknown;

const CANARY = 'canary-1f7';
const SECRET_NAMES = ['password', 'apiKey', 'x-auth-token', 'clientSecret', 'Cookie', 'signature'];

/** JSON with the canary below secret names, in any depth and form. */
const withCanaries: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; secret: unknown }>((tie) => ({
  secret: fc.oneof(
    fc.constant(CANARY),
    fc.array(fc.constant(CANARY), { minLength: 1, maxLength: 3 }),
    fc.record({ user: fc.constant(CANARY), other: fc.jsonValue({ maxDepth: 1 }) }),
  ),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 8 }), tie('value'), { maxKeys: 4 }),
    fc.tuple(fc.constantFrom(...SECRET_NAMES), tie('secret')).map(([name, secret]) => ({ [name]: secret })),
    fc.constantFrom(...SECRET_NAMES).map((name) => ({ name, value: CANARY })),
    fc.constantFrom(...SECRET_NAMES).map((name) => [name, CANARY]),
    fc.constantFrom(...SECRET_NAMES).map((name) => `see https://a.example.com/?${name}=${CANARY}`),
    tie('value').map((value) => JSON.stringify({ inner: value })),
    tie('value').map((value) => ({ [JSON.stringify(value)]: 1 })),
  ),
})).value;

/** Whether a text or a name in the JSON is the name of a secret: fast-check makes `Key` too. */
const namesSecrets = (json: string): boolean =>
  [...json.matchAll(/"((?:[^"\\]|\\.)*)"/g)].some(([, text = '']) => isSecretName(text));

describe('JSON', () => {
  it('without secrets stays as it is', () => {
    fc.assert(
      fc.property(
        fc
          .jsonValue({ maxDepth: 4 })
          .filter((value) => JSON.stringify(value).length < 500 && !namesSecrets(JSON.stringify(value))),
        (value) => {
          expect(JSON.stringify(read(value))).toBe(JSON.stringify(value));
        },
      ),
    );
  });

  it('has no value of a secret name, wherever and in whatever form it stands, and is JSON however little of it fits', () => {
    fc.assert(
      fc.property(withCanaries, fc.integer({ min: 1, max: MAX }), (value, max) => {
        const { written } = redacted(value, max);
        expect(written).not.toContain(CANARY);
        expect(written).not.toContain(CANARY.slice(0, 7));
        expect(() => JSON.parse(written) as unknown).not.toThrow();
      }),
      { numRuns: 300, examples: [[[JSON.stringify(['password', CANARY]), ''], MAX]] },
    );
  });

  it('keeps the names of secrets, and what holds none', () => {
    expect(
      read({ a: { password: 'x', empty: '', tokens: ['x'] }, auth: null, hasToken: true, key: 'disk-1', secret: 7 }),
    ).toEqual({
      a: { password: '***', empty: '', tokens: '***' },
      auth: null,
      hasToken: true,
      key: 'disk-1',
      secret: '***',
    });
    expect(
      read([{ name: 'X-Api-Key', value: 'x' }, { name: 'Password reset fails', value: 'x' }, ['auth', 'x']]),
    ).toEqual([{ name: 'X-Api-Key', value: '***' }, { name: 'Password reset fails', value: 'x' }, ['auth', '***']]);
  });

  it('in a text of it is JSON in a text again', () => {
    expect(read({ Message: JSON.stringify({ state: 'ALARM', token: 'x' }) })).toEqual({
      Message: '{"state":"ALARM","token":"***"}',
    });
  });

  it('that is too long ends early, and says so', () => {
    const { written, isTruncated } = redacted(
      Array.from({ length: 1_000 }, (_, index) => ({ index, text: 'x'.repeat(50) })),
    );
    expect(isTruncated).toBe(true);
    expect(written.length).toBeLessThan(MAX + 200);
    expect((JSON.parse(written) as unknown[])[0]).toEqual({ index: 0, text: 'x'.repeat(50) });
    expect(redacted(['\u0000'.repeat(5_000)])).toMatchObject({ isTruncated: true });
    expect(redacted(['a'.repeat(100)])).toMatchObject({ isTruncated: false });
  });

  it('has no beginning of a secret that is cut', () => {
    for (let max = 1; max < 60; max += 1)
      expect(redacted(`${'a'.repeat(20)} https://user:${CANARY}@a.example.com/`, max).written).not.toContain('can');
  });
});
