import { describe, expect, test } from '@jest/globals';
import { bodyWith, formOf, placeNow, refusedOf } from './action-form.ts';
import type { Action } from './actions.ts';
import type { Actions } from './queries.ts';

const ignore = (name: string, alias = '{{alias}}'): Action => ({
  type: 'ignore',
  name,
  order: 0,
  filter: { conditionMatchType: 'match-all', conditions: [] },
  alias,
  user: '{{user}}',
  note: '{{note}}',
});
const actionsOf = (...ignored: readonly Action[]): Actions =>
  ({
    _parent: { id: '1', name: 'Scripts', enabled: true, type: 'API' },
    ignore: ignored,
    create: [],
    close: [],
    acknowledge: [],
    addNote: [],
  }) as Actions;
const place = (index: number) => ({ type: 'ignore', index }) as const;

describe('the form of an action', () => {
  test('The one that is changed takes its place, and the others stay.', () => {
    const actions = actionsOf(ignore('Tests'), ignore('Builds'));
    const form = { ...formOf(actions.ignore[0]), name: ' Trials ' };

    expect(bodyWith(form, place(0), actions)).toMatchObject({
      ignore: [
        { name: 'Trials', order: 0 },
        { name: 'Builds', order: 1 },
      ],
      create: [],
    });
  });

  test('A new one is after the others.', () => {
    const body = bodyWith({ ...formOf(undefined), name: 'New' }, place(1), actionsOf(ignore('Tests')));

    expect(body).toMatchObject({ ignore: [{ name: 'Tests' }, { name: 'New', order: 1 }] });
  });

  test('It is found where another person moved it or changed it, and is after the others where it was deleted.', () => {
    const seen = actionsOf(ignore('Tests'), ignore('Builds'));

    expect(placeNow(place(0), seen, actionsOf(ignore('Builds'), ignore('Tests')))).toEqual(place(1));
    expect(placeNow(place(0), seen, actionsOf(ignore('Builds'), ignore('Tests', 'x')))).toEqual(place(1));
    expect(placeNow(place(0), seen, actionsOf(ignore('Builds')))).toEqual(place(1));
    expect(placeNow(place(2), seen, seen)).toEqual(place(2));
  });

  test('What the server refuses of it has the names of its fields.', () => {
    const fields = {
      'ignore[1].name': 'Name can not be empty.',
      'ignore[0].alias': 'is long',
      'ignore[10].note': 'is long',
    };

    expect(refusedOf(fields, place(1))).toEqual({ name: 'Name can not be empty.' });
  });
});
