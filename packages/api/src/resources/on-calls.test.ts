import { describe, expect, it } from '@jest/globals';
import { GetOnCallsQuery, ListOnCallsQuery, TimelineQuery } from './on-calls.ts';

/** The query value that is refused; undefined where none is. */
const refused = (schema: typeof GetOnCallsQuery | typeof TimelineQuery, query: object) =>
  schema.safeParse(query).error?.issues[0]?.path[0];

describe('an on-call query', () => {
  it('asks for now and the nested form of a schedule by id, by default', () => {
    expect(ListOnCallsQuery.parse({ flat: '', date: '' })).toEqual({ flat: false, at: undefined });
    expect(GetOnCallsQuery.parse({})).toEqual({ flat: false, at: undefined, identifierType: 'id' });
  });

  it('is read in any letter case, and the kind of identifier under both of its names (E5)', () => {
    const date = '2026-01-31T09:00:00 01:00';
    expect(GetOnCallsQuery.parse({ flat: 'True', date, identifierType: 'NAME' })).toEqual({
      flat: true,
      at: new Date('2026-01-31T08:00:00Z'),
      identifierType: 'name',
    });
    const both = { scheduleIdentifierType: 'Name', identifierType: 'id' };
    expect(GetOnCallsQuery.parse(both)).toMatchObject({ identifierType: 'name' });
  });

  it.each([
    ['flat', 'maybe'],
    ['date', '2026-01-31'],
    ['date', '1899-12-31T23:59:59Z'],
    ['scheduleIdentifierType', 'tiny'],
  ])('with %s=%s is refused', (name, value) => {
    expect(refused(GetOnCallsQuery, { [name]: value })).toBe(name);
  });
});

describe('a query for a timeline', () => {
  it('asks for one week from now on, without further layers, by default', () => {
    const standard = { identifierType: 'id', expand: [], interval: 1, unit: 'weeks', date: undefined };
    expect(TimelineQuery.parse({})).toEqual(standard);
    expect(TimelineQuery.parse({ expand: '', interval: '', intervalUnit: '', date: '' })).toEqual(standard);
  });

  it('is read in any letter case', () => {
    const query = {
      identifierType: 'NAME',
      expand: 'Base, OVERRIDE,forwarding',
      interval: '2',
      intervalUnit: 'Months',
    };
    expect(TimelineQuery.parse(query)).toMatchObject({
      identifierType: 'name',
      expand: ['base', 'override', 'forwarding'],
      interval: 2,
      unit: 'months',
    });
  });

  it.each([
    ['days', 366],
    ['weeks', 53],
    ['months', 12],
  ])('counts at most about a year of %s: %d', (intervalUnit, most) => {
    expect(TimelineQuery.parse({ interval: String(most), intervalUnit }).interval).toBe(most);
    expect(refused(TimelineQuery, { interval: String(most + 1), intervalUnit })).toBe('interval');
  });

  it.each([
    ['interval', '0'],
    ['interval', '-1'],
    ['interval', '1.5'],
    ['interval', '1e1'],
    ['interval', 'x'],
    ['intervalUnit', 'years'],
    ['expand', 'base,final'],
    ['identifierType', 'tiny'],
    ['date', 'now'],
  ])('with %s=%s is refused', (name, value) => {
    expect(refused(TimelineQuery, { [name]: value })).toBe(name);
  });
});
