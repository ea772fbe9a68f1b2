import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LinkSigner, PrincipalSigner, PrincipalVerifier } from './index.ts';

const now = new Date('2026-01-05T08:00:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const OLD = 'the old signing key of the installation';
const NEW = 'the new signing key of the installation';

describe('a signed link', () => {
  it('opens what it was signed for until its instant, and not at it', () => {
    const links = new LinkSigner([OLD], 'file');
    const token = links.sign('42', later(15 * 60_000));
    expect(links.read(token, now)).toEqual({ kind: 'valid', subject: '42' });
    expect(links.read(token, later(15 * 60_000 - 1))).toEqual({ kind: 'valid', subject: '42' });
    expect(links.read(token, later(15 * 60_000))).toEqual({ kind: 'expired' });
  });

  it('may stand in a path as it is', () => {
    expect(new LinkSigner([OLD], 'file').sign('42', now)).toMatch(/^[\w.-]+$/);
  });

  it('of the key before is believed while the key rotates, and not after', () => {
    const token = new LinkSigner([OLD], 'file').sign('42', later(1_000));
    expect(new LinkSigner([NEW, OLD], 'file').read(token, now).kind).toBe('valid');
    expect(new LinkSigner([NEW], 'file').read(token, now)).toEqual({ kind: 'forged' });
  });

  it('in which anything was changed opens nothing', () => {
    const links = new LinkSigner([OLD], 'file');
    const token = links.sign('42', later(60_000));
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
        (at, sign) => {
          const changed = token.slice(0, at) + sign + token.slice(at + 1);
          fc.pre(changed !== token && at < token.length - 1);
          expect(links.read(changed, now)).toEqual({ kind: 'forged' });
        },
      ),
    );
    expect(links.read(token.replace('42.', '43.'), now)).toEqual({ kind: 'forged' });
    expect(links.read('', now)).toEqual({ kind: 'forged' });
  });

  it('of another purpose opens nothing, though one key signs both', () => {
    const purposes = ['file', 'acknowledge', 'callback', 'call-key', 'browser'] as const;
    for (const purpose of purposes) {
      const token = new LinkSigner([OLD], purpose).sign('42', later(60_000));
      const opens = purposes.filter((other) => new LinkSigner([OLD], other).read(token, now).kind !== 'forged');
      expect(opens).toEqual([purpose]);
    }
  });

  it('to a file has the form and the signature that it always had, so that a link of the release before opens it', () => {
    const token = new LinkSigner([OLD], 'file').sign('42', later(60_000));
    const key = createHmac('sha256', OLD).update('tocsin link v1').digest();
    const said = `42.${String(later(60_000).getTime() / 1_000)}`;
    expect(token).toBe(`${said}.${createHmac('sha256', key).update(said).digest('base64url')}`);
  });

  it('says any word that can stand in a path', () => {
    const links = new LinkSigner([OLD], 'callback');
    fc.assert(
      fc.property(fc.base64String({ minLength: 1 }), (text) => {
        const subject = Buffer.from(`x${text}`).toString('base64url');
        expect(links.read(links.sign(subject, later(60_000)), now)).toEqual({ kind: 'valid', subject });
      }),
    );
  });

  it('is not the word for a caller, though one key signs both (K6)', async () => {
    const word = await new PrincipalSigner([OLD]).sign({ service: 'gateway' }, 'alert-processor', now);
    expect(new LinkSigner([OLD], 'file').read(word, now)).toEqual({ kind: 'forged' });
  });

  it('opens no service as the word for a caller (K6)', async () => {
    const link = new LinkSigner([OLD], 'file').sign('42', later(60_000));
    const verifier = new PrincipalVerifier([OLD], 'alert-processor');
    await expect(verifier.verify(link, now)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
