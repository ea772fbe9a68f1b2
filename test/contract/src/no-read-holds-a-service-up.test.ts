import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';

/** Each has a test of the name of this one, in which all its reads are measured: on its database where it has one for tests. */
const owners = new Set(OPERATIONS.filter(({ method }) => method === 'GET').map(({ owner }) => owner));

const hasTest = (owner: string): boolean =>
  ['test.ts', 'integration.test.ts'].some((kind) =>
    existsSync(new URL(`../../../services/${owner}/src/no-read-holds-the-service-up.${kind}`, import.meta.url)),
  );

describe('every read', () => {
  it('is measured by the service that answers it', () => {
    expect(owners.size).toBe(7);
    expect([...owners].filter((owner) => !hasTest(owner))).toEqual([]);
  });
});
