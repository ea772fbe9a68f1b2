import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { readLinkSubject, writeLinkSubject } from './acknowledge-link.ts';

const digest = (pageId: string): string => `of ${pageId}`;
const anyText = fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 100 });

describe('the content of an acknowledge link', () => {
  it('is read as it was written, needs no escapes in a path, and has no text of the alert (A6)', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (alertId, userId, pageId) => {
        const said = writeLinkSubject(deliveryOf(page({ alertId, userId, pageId }), { method: 'mobile' }), digest);
        const link = { alertId, userId, method: 'mobile', tinyId: '7', priority: 'P1' };
        expect(readLinkSubject(said)).toEqual({ ...link, page: digest(pageId) });
        expect(said).toMatch(/^[\w-]{1,2000}$/);
      }),
    );
  });

  it('is undefined for a link that we did not write', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          fc.json().map((json) => Buffer.from(json).toString('base64url')),
        ),
        (said) => {
          expect(readLinkSubject(said)).toBeUndefined();
        },
      ),
    );
  });
});
