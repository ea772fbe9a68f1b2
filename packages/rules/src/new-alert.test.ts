import { describe, expect, it } from '@jest/globals';
import type { CreateAlertBody } from '@tocsin/api';
import { ALERT_LIMITS, NewAlert, type ResponderReference } from '@tocsin/events';
import { InvalidError } from '@tocsin/core';
import fc from 'fast-check';
import { newAlert } from './new-alert.ts';

const types = fc.constantFrom('user' as const, 'team' as const, 'schedule' as const, 'escalation' as const);
const names = fc.constantFrom('a', 'b', 'c');
const references = (type: fc.Arbitrary<ResponderReference['type']>) =>
  fc.array(fc.oneof(fc.record({ type, id: names }), fc.record({ type, name: names })), { maxLength: 60 });

const bodies: fc.Arbitrary<CreateAlertBody> = fc.record({
  message: fc.string({ minLength: 1 }),
  responders: references(types),
  teams: references(fc.constant('team')),
  visibleTo: references(fc.constant('user')),
  actions: fc.array(fc.string(), { maxLength: 20 }),
  tags: fc.array(fc.string(), { maxLength: 30 }),
  details: fc.dictionary(fc.string({ minLength: 1 }), fc.string()),
});

const keys = (list: readonly ResponderReference[]) =>
  list.map(({ type, id, name }) => JSON.stringify([type, id, name]));
const origin = { alertId: 'alert-1', ownerTeamId: undefined, cutExcess: true };

describe('a new alert', () => {
  it('names each responder once, in the order in which they were named first, and none that was not (A10)', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const asked = keys([...body.responders, ...body.teams]);
        const { responders } = newAlert(body, { ...origin, cutExcess: false });
        expect(keys(responders)).toEqual([...new Set(asked)]);
      }),
    );
  });

  it('is a message of the topic whatever was cut of it, and within every limit (E8)', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const alert = newAlert(body, origin);
        expect(NewAlert.safeParse(alert).success).toBe(true);
        expect(alert.responders.length).toBeLessThanOrEqual(ALERT_LIMITS.responders);
        expect(alert.tags.length).toBeLessThanOrEqual(ALERT_LIMITS.tags);
        expect(alert.actions.length).toBeLessThanOrEqual(ALERT_LIMITS.actions);
      }),
    );
  });

  it('goes to the team of a team key alone (K4)', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const { responders } = newAlert(body, { ...origin, ownerTeamId: 'team-1' });
        expect(responders).toEqual([{ type: 'team', id: 'team-1' }]);
      }),
    );
  });

  it('has the lists of the body, and empty texts where the body has none', () => {
    const lists = { actions: ['restart'], tags: ['db'], details: { region: 'eu' }, visibleTo: [] };
    expect(newAlert({ message: 'x', responders: [], teams: [], ...lists }, origin)).toEqual({
      ...{ alertId: 'alert-1', alias: 'alert-1', message: 'x', description: '', entity: '', priority: 'P3' },
      ...{ ...lists, responders: [] },
    });
  });

  it('is refused when teams and responders together are too many', () => {
    const team = (at: number): ResponderReference => ({ type: 'team', id: `team-${at}` });
    const body: CreateAlertBody = {
      message: 'x',
      responders: Array.from({ length: 50 }, (_, at) => team(at)),
      teams: [team(50)],
      visibleTo: [],
      actions: [],
      tags: [],
    };
    const strict = { ...origin, cutExcess: false };
    expect(() => newAlert(body, strict)).toThrow(InvalidError);
    const sentence = 'should have at most 50 items, teams among them';
    expect(() => newAlert(body, strict)).toThrow(expect.objectContaining({ fields: { responders: sentence } }));
    expect(newAlert({ ...body, teams: [] }, strict).responders).toHaveLength(50);
    expect(newAlert(body, origin).responders).toHaveLength(50);
  });
});
