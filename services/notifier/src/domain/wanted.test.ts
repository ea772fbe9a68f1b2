import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { open } from './page.samples.ts';
import { unwanted } from './wanted.ts';

const whileUnacked = { alertVersion: 1, cycle: 1, wantedWhile: 'unacked' as const };
const whileOpen = { alertVersion: 1, cycle: 1, wantedWhile: 'open' as const };
const afterwards = { ...whileUnacked, alertVersion: 2 };

describe('unwanted', () => {
  it.each([
    [whileUnacked, open, undefined],
    [whileUnacked, undefined, undefined],
    [whileUnacked, { ...open, acknowledged: true }, 'the alert was acknowledged'],
    [whileOpen, { ...open, acknowledged: true }, undefined],
    [afterwards, { ...open, acknowledged: true }, undefined],
    [afterwards, { ...open, acknowledged: true, version: 2 }, 'the alert was acknowledged'],
    [{ ...afterwards, cycle: 2 }, { ...open, snoozed: true }, undefined],
    [afterwards, { ...open, status: 'closed' }, 'the alert was closed'],
    [whileUnacked, { ...open, version: 3, undoneVersion: 3 }, 'the alert was acknowledged'],
    [whileOpen, { ...open, version: 3, undoneVersion: 3 }, undefined],
    [{ ...whileUnacked, alertVersion: 3 }, { ...open, version: 3, undoneVersion: 3 }, undefined],
    [whileOpen, { ...open, status: 'closed' }, 'the alert was closed'],
    [whileOpen, { ...open, status: 'deleted' }, 'the alert was deleted'],
    [whileOpen, { ...open, snoozed: true }, 'the alert was snoozed'],
    [whileOpen, { ...open, cycle: 2 }, 'the notification flow has started again'],
  ] as const)('of %j with %j is %s (U5)', (page, standing, expected) => {
    expect(unwanted(page, standing)).toBe(expected);
  });

  it('is never undefined for a closed alert: a closed alert never pages', () => {
    const pages = fc.record({
      alertVersion: fc.integer({ min: 1 }),
      cycle: fc.integer({ min: 1 }),
      wantedWhile: fc.constantFrom('unacked' as const, 'open' as const),
    });
    fc.assert(
      fc.property(pages, fc.boolean(), fc.boolean(), (page, acknowledged, snoozed) => {
        expect(unwanted(page, { ...open, status: 'closed', acknowledged, snoozed })).toBeDefined();
      }),
    );
  });
});
