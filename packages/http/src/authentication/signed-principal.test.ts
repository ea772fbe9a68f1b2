import { describe, expect, it } from '@jest/globals';
import { SignJWT, UnsecuredJWT } from 'jose';
import { type KeyPrincipal, PrincipalSigner, PrincipalVerifier, type UserPrincipal } from './index.ts';

const key = 'a-signing-key-of-the-installation';
const otherKey = 'the-signing-key-that-comes-after-it';
const start = new Date('2026-01-01T00:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
const monitoring: KeyPrincipal = {
  kind: 'key',
  integrationId: '5d1c8c1e-7d0a-4d1c-9d1d-0a7f3c1b2a3c',
  integrationName: 'Überwachung',
  integrationType: 'API',
  teamId: undefined,
  mayRead: true,
  mayWrite: true,
  mayConfigure: false,
};
const ada: UserPrincipal = {
  kind: 'user',
  userId: 'b0a4b3c6-6f1c-4f5c-8d5b-3b1c0c3c2a11',
  username: 'ada@example.com',
  role: 'user',
  teams: [{ id: 'b8f1d1b0-1d5c-4f0e-8a8a-6a3e7f0d9c11', role: 'admin' }],
};
const refusal = { code: 'unauthenticated', message: 'Could not authenticate' };

describe('a signed principal (K6)', () => {
  it.each([
    monitoring,
    { ...monitoring, teamId: 'b8f1d1b0-1d5c-4f0e-8a8a-6a3e7f0d9c11' },
    ada,
    { service: 'scheduling' as const },
  ])('arrives as it was sent', async (caller) => {
    const token = await new PrincipalSigner([key]).sign(caller, 'scheduling', start);
    expect(await new PrincipalVerifier([key], 'scheduling').verify(token, after(1))).toEqual(caller);
  });

  it('is believed for 60 s and a little disagreement of clocks, also once it is known', async () => {
    const token = await new PrincipalSigner([key]).sign(monitoring, 'scheduling', start);
    const verifier = new PrincipalVerifier([key], 'scheduling');
    expect(await verifier.verify(token, after(59))).toEqual(monitoring);
    await expect(verifier.verify(token, after(66))).rejects.toMatchObject(refusal);
    await expect(new PrincipalVerifier([key], 'scheduling').verify(token, after(66))).rejects.toMatchObject(refusal);
  });

  it('is believed under either key while keys are rotated', async () => {
    const token = await new PrincipalSigner([otherKey, key]).sign(monitoring, 'scheduling', start);
    expect(await new PrincipalVerifier([key, otherKey], 'scheduling').verify(token, start)).toEqual(monitoring);
    await expect(new PrincipalVerifier([key], 'scheduling').verify(token, start)).rejects.toMatchObject(refusal);
  });

  it('is refused when it is absent, damaged, unsigned, endless or names no key', async () => {
    const verifier = new PrincipalVerifier([key], 'scheduling');
    const secret = new TextEncoder().encode(key);
    const sign = (jwt: SignJWT) => jwt.setProtectedHeader({ alg: 'HS256' }).sign(secret);
    const token = await new PrincipalSigner([key]).sign(monitoring, 'scheduling', start);
    const forged = [
      undefined,
      '',
      'nonsense',
      `${token.slice(0, -2)}xx`,
      new UnsecuredJWT({ principal: monitoring }).setExpirationTime(after(60)).encode(),
      await sign(new SignJWT({ principal: { ...monitoring } }).setAudience('scheduling')),
      await sign(new SignJWT({ principal: { ...monitoring } }).setExpirationTime(after(60))),
      await sign(new SignJWT({}).setAudience('scheduling').setExpirationTime(after(60))),
    ];
    for (const each of forged) await expect(verifier.verify(each, start)).rejects.toMatchObject(refusal);
  });

  it.each([
    { ...monitoring, kind: undefined },
    { ...monitoring, kind: 'service' },
    { ...monitoring, mayWrite: 'true' },
    { ...ada, kind: 'key' },
    { ...ada, userId: '' },
    { ...ada, role: 'root' },
    { ...ada, teams: undefined },
    { ...ada, teams: [{ id: 'red', role: 'owner' }] },
  ])('is refused when it is neither a key nor a person: %j', async (principal) => {
    const token = await new SignJWT({ principal })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience('scheduling')
      .setExpirationTime(after(60))
      .sign(new TextEncoder().encode(key));
    await expect(new PrincipalVerifier([key], 'scheduling').verify(token, start)).rejects.toMatchObject(refusal);
  });

  it('for one service opens no other, also while it is believed by its own', async () => {
    const signer = new PrincipalSigner([key]);
    for (const caller of [monitoring, ada, { service: 'gateway' as const }]) {
      const token = await signer.sign(caller, 'scheduling', start);
      expect(await new PrincipalVerifier([key], 'scheduling').verify(token, start)).toEqual(caller);
      await expect(new PrincipalVerifier([key], 'directory').verify(token, start)).rejects.toMatchObject(refusal);
      expect(await signer.sign(caller, 'directory', start)).not.toBe(token);
    }
  });

  it('is made once for 20 s of calls with the same principal', async () => {
    const signer = new PrincipalSigner([key]);
    const first = await signer.sign(monitoring, 'scheduling', start);
    expect(await signer.sign(monitoring, 'scheduling', after(19))).toBe(first);
    expect(await signer.sign(monitoring, 'scheduling', after(20))).not.toBe(first);
    expect(await signer.sign({ ...monitoring, mayWrite: false }, 'scheduling', after(20))).not.toBe(
      await signer.sign(monitoring, 'scheduling', after(20)),
    );
  });

  it.each([[[]], [['']], [['a', 'b', 'c']]])('needs one or two keys', (keys: string[]) => {
    expect(() => new PrincipalSigner(keys)).toThrow(RangeError);
    expect(() => new PrincipalVerifier(keys, 'scheduling')).toThrow(RangeError);
  });
});
