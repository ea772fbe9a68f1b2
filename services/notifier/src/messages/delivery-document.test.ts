import { describe, expect, it } from '@jest/globals';
import { beginAttempt } from './attempts.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { deliveryUpdate } from './delivery-document.ts';

describe('a delivery that is begun', () => {
  const waiting = deliveryOf(page());
  const late = new Date(waiting.dueAt.getTime() + 60 * 60_000);

  it('is stored with when its tries began', () => {
    expect(deliveryUpdate(beginAttempt(waiting, late), { now: late }).$set).toMatchObject({ triedSince: late });
  });
});
