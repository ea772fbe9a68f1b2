import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Alert } from './alert.ts';
import { alertDocument, alertOfWhole, alertUpdate } from './document.ts';
import { anyAlert } from '../testing/search-samples.ts';

const anyChange: fc.Arbitrary<Partial<Alert>> = anyAlert.chain((other) =>
  fc.subarray(Object.keys(other).filter((field) => field !== 'id')).map((fields) => {
    const values = other as unknown as Record<string, unknown>;
    return Object.fromEntries(fields.map((field) => [field, values[field]]));
  }),
);

describe('the update of a stored alert', () => {
  it('turns the stored alert into the new one, whatever has changed', () => {
    fc.assert(
      fc.property(anyAlert, anyChange, (before, change) => {
        const after = { ...before, ...change };
        const { $set, $unset = {} } = alertUpdate(before, after);
        const updated = Object.entries({ ...alertDocument(before), ...$set }).filter(([field]) => !(field in $unset));
        expect(Object.fromEntries(updated)).toMatchObject(alertDocument(after));
        expect('nextDueAt' in Object.fromEntries(updated)).toBe('nextDueAt' in alertDocument(after));
      }),
    );
  });

  it('is a few short values for a repeat', () => {
    const [before] = fc.sample(anyAlert, { numRuns: 1, seed: 7 }) as [Alert];
    const after = { ...before, count: before.count + 1, version: before.version + 1 };
    expect(alertUpdate(before, after)).toEqual({ $set: { count: after.count, version: after.version } });
  });
});

describe('the document of an alert that was read as a whole', () => {
  it('is the alert', () => {
    fc.assert(
      fc.property(anyAlert, (alert) => {
        expect(alertOfWhole({ ...alertDocument(alert), touchedBy: 'x' })).toEqual(alert);
      }),
    );
  });
});
