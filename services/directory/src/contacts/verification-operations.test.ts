import { describe, expect, it } from '@jest/globals';
import { CodeSealer } from '@tocsin/http';
import { freshCode, isCode, randomCode } from './verification-operations.ts';

describe('a code', () => {
  it('is six digits, and hardly ever the same twice', () => {
    const codes = Array.from({ length: 1_000 }, randomCode);
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(new Set(codes).size).toBeGreaterThan(980);
  });

  it('is recognised by a hash that differs for two equal codes', () => {
    const codeSealer = new CodeSealer(['a signing key']);
    let ids = 0;
    const sources = { newId: () => `id-${(ids += 1)}`, newCode: () => '012345', codeSealer };
    const [one, other] = [freshCode(sources), freshCode(sources)];
    const kept = { ...one, expiresAt: new Date(0), triesLeft: 5 };
    expect(isCode('012345', kept)).toBe(true);
    expect(isCode('012346', kept)).toBe(false);
    expect(isCode('', kept)).toBe(false);
    expect(one.hash).not.toBe(other.hash);
    expect(one.hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
