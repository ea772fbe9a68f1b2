import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { alertEvent, open } from '../testing/page-samples.ts';
import { mayEndPages, standingAfter, unwanted, type AlertStanding } from './wanted.ts';

const whileUnacked = {
  actionType: 'create-alert' as const,
  alertVersion: 1,
  cycle: 1,
  wantedWhile: 'unacked' as const,
};
const whileOpen = { ...whileUnacked, wantedWhile: 'open' as const };
const afterwards = { ...whileUnacked, alertVersion: 2 };

const pages = fc.record({
  actionType: fc.constantFrom('create-alert' as const, 'renotified-alert' as const),
  alertVersion: fc.integer({ min: 1, max: 6 }),
  cycle: fc.integer({ min: 1, max: 3 }),
  wantedWhile: fc.constantFrom('unacked' as const, 'open' as const),
});

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
    [{ ...whileOpen, whileSnoozed: true }, { ...open, snoozed: true }, undefined],
    [{ ...whileOpen, whileSnoozed: true }, { ...open, version: 3, snoozed: true, undoneVersion: 3 }, undefined],
    [whileOpen, { ...open, cycle: 2 }, 'the notification flow has started again'],
  ] as const)('of %j with %j is %s (U5)', (page, standing, expected) => {
    expect(unwanted(page, standing)).toBe(expected);
  });

  it.each(['acknowledged-alert', 'closed-alert', 'add-note', 'assigned-alert'] as const)(
    'of an %s page has no reason but that the alert was deleted: it is wanted because of what happened (U15)',
    (actionType) => {
      const states = [{ acknowledged: true }, { snoozed: true }, { status: 'closed' as const }, { cycle: 5 }];
      for (const state of states)
        expect(unwanted({ ...afterwards, actionType }, { ...open, version: 9, ...state })).toBe(undefined);
      expect(unwanted({ ...afterwards, actionType }, { ...open, status: 'deleted' })).toBe('the alert was deleted');
    },
  );

  it('is never undefined for a closed alert: a closed alert never calls anybody', () => {
    fc.assert(
      fc.property(pages, fc.boolean(), fc.boolean(), (page, acknowledged, snoozed) => {
        expect(unwanted(page, { ...open, status: 'closed', acknowledged, snoozed })).toBeDefined();
      }),
    );
  });
});

describe('mayEndPages', () => {
  const state = fc.record({
    status: fc.constantFrom('open' as const, 'closed' as const),
    acknowledged: fc.boolean(),
    snoozed: fc.boolean(),
  });
  const versions = fc.array(state, { minLength: 6, maxLength: 6 });
  const order = fc.array(fc.nat({ max: 5 }));

  it('passes over no event that would make a difference to a page, in whatever order events come', () => {
    fc.assert(
      fc.property(pages, versions, order, (page, states, heard) => {
        const ofVersion = states.map((change, index) => alertEvent(index + 1, { ...change, cycle: index > 2 ? 2 : 1 }));
        const all = heard.flatMap((index) => ofVersion[index] ?? []);
        const after = (some: typeof all) =>
          some.reduce<AlertStanding | undefined>((standing, event) => standingAfter(standing, event), undefined);
        expect(unwanted(page, after(all.filter(mayEndPages)))).toBe(unwanted(page, after(all)));
      }),
    );
  });

  it('needs no event from before the first responder to tell whether a page is wanted (F4)', () => {
    fc.assert(
      fc.property(pages, versions, fc.integer({ min: 1, max: 6 }), (page, states, first) => {
        const events = states.map((change, index) =>
          alertEvent(index + 1, { ...change, ...(index + 1 < first && { responders: [] }) }),
        );
        const paging = events[page.alertVersion - 1]?.state;
        fc.pre(paging !== undefined && paging.responders.length > 0);
        fc.pre(page.wantedWhile === 'open' || !paging.acknowledged);
        const after = (some: typeof events) =>
          some.reduce<AlertStanding | undefined>((standing, event) => standingAfter(standing, event), undefined);
        for (const [index] of events.entries()) {
          const heard = events.slice(0, index + 1);
          const told = heard.filter(({ state: { responders } }) => responders.length > 0);
          expect(unwanted(page, after(told))).toBe(told.length === 0 ? undefined : unwanted(page, after(heard)));
        }
      }),
    );
  });

  it('passes over alerts without responders, and the word that one was made', () => {
    expect(mayEndPages(alertEvent(4, { responders: [], status: 'closed' }))).toBe(false);
    expect(mayEndPages(alertEvent(1, {}))).toBe(false);
    expect(mayEndPages(alertEvent(4, { responders: [], status: 'deleted' }))).toBe(true);
    expect(mayEndPages(alertEvent(2, {}))).toBe(true);
    expect(mayEndPages(alertEvent(1, { acknowledged: true }))).toBe(true);
  });
});
