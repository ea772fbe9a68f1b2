import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/contracts';

/** Each has a test of the name of this one, in which all its reads are measured. */
const owners = new Set(OPERATIONS.filter(({ method }) => method === 'GET').map(({ owner }) => owner));

const testOf = (owner: string) =>
  new URL(`../../../services/${owner}/src/no-read-holds-the-service-up.test.ts`, import.meta.url);

describe('every read', () => {
  it('is measured by the service that answers it', () => {
    expect(owners.size).toBe(7);
    expect([...owners].filter((owner) => !existsSync(testOf(owner)))).toEqual([]);
  });
});
