import { describe, expect, it } from '@jest/globals';
import { ada, page } from '../testing/page-samples.ts';
import { expandPage, waitingPage } from './expanded-page.ts';

const late = new Date(Date.parse(page().pagedAt) + 90_000);

describe('the decision on a page that was due long before', () => {
  it('is of when it was made, so that its cause is first in the log of the alert', () => {
    const { decision } = expandPage(page(), { user: ada(), channels: new Set(['email']), now: late });
    expect(decision?.at).toBe(late.toISOString());
    expect(waitingPage(page(), late).decision?.at).toBe(late.toISOString());
  });
});
