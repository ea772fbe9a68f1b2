import { describe, expect, it } from '@jest/globals';
import { ALERT_LIMITS, type ResponderReference } from '@tocsin/events';
import { fitting, once } from './fitting.ts';

const team = (name: string): ResponderReference => ({ type: 'team', name });
const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `w${index}`);
const none = { responders: [], visibleTo: [], actions: [], tags: [], details: {} };

describe('the lists of a new alert', () => {
  it('have no remarks where each is within its limit', () => {
    const lists = { ...none, tags: words(ALERT_LIMITS.tags), details: { region: 'eu' } };
    expect(fitting(lists)).toEqual(lists);
  });

  it('are cut, with a remark for each of them that names it', () => {
    const references = (count: number) => words(count).map(team);
    const { remarks, ...kept } = fitting({
      responders: references(ALERT_LIMITS.responders + 1),
      visibleTo: references(ALERT_LIMITS.visibleTo + 2),
      actions: words(ALERT_LIMITS.actions + 3),
      tags: [...words(ALERT_LIMITS.tags - 1), 'x'.repeat(ALERT_LIMITS.tagLength + 1)],
      details: { first: 'x'.repeat(ALERT_LIMITS.details), second: 'y' },
    });
    expect(remarks).toEqual([
      `responders: 1 of ${ALERT_LIMITS.responders + 1} items were left out.`,
      `visibleTo: 2 of ${ALERT_LIMITS.visibleTo + 2} items were left out.`,
      `actions: 3 of ${ALERT_LIMITS.actions + 3} items were left out.`,
      `tags: 1 items were cut to ${ALERT_LIMITS.tagLength} characters.`,
      `details: [first] was left out, over ${ALERT_LIMITS.details} characters.`,
    ]);
    expect(kept).toMatchObject({ details: { second: 'y' }, actions: words(ALERT_LIMITS.actions) });
  });
});

describe('references', () => {
  it('are there once, at their first place, the id before the name', () => {
    const byId: ResponderReference = { type: 'user', id: '1', name: 'a' };
    const again: ResponderReference = { type: 'user', id: '1', name: 'b' };
    expect(once([team('b'), byId, team('b'), again])).toEqual([team('b'), byId]);
    expect(once([byId, again])).toEqual([byId]);
  });

  it('of different types are different, also with the same name', () => {
    expect(once([team('a'), { type: 'user', name: 'a' }])).toHaveLength(2);
  });
});
