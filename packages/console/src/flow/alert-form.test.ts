import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import {
  formOfSearch,
  MAX_SEARCH_LENGTH,
  readAlert,
  refusedFields,
  searchOfForm,
  withResponder,
} from './alert-form.ts';

const disk = formOfSearch({
  message: 'Disk full & hot',
  tags: 'db, eu , ',
  details: 'host: db-1\nurl: http://db-1:80/',
  responders: 'Team: Database\nada@example.com',
  integration: 'i1',
  at: '2026-03-29T00:30:00.000Z',
});

describe('the alert of an address', () => {
  test('An address that a form makes gives the same form again.', () => {
    const search = searchOfForm(disk) ?? '';

    expect(formOfSearch(Object.fromEntries(new URLSearchParams(search)))).toEqual(disk);
    expect(searchOfForm(formOfSearch({}))).toBe('');
  });

  test('What an address has beside an alert is no part of it.', () => {
    expect(formOfSearch({ range: '3m', message: 5 })).toEqual(formOfSearch({}));
  });

  test('An alert that is too long for an address has none.', () => {
    const message = 'x'.repeat(MAX_SEARCH_LENGTH);

    expect(searchOfForm({ ...disk, message })).toBeUndefined();
  });
});

describe('the alert of a form', () => {
  test('It is the body of a create, with what was typed.', () => {
    expect(readAlert(disk).alert).toEqual({
      message: 'Disk full & hot',
      tags: ['db', 'eu'],
      details: { host: 'db-1', url: 'http://db-1:80/' },
      responders: [
        { type: 'team', name: 'Database' },
        { type: 'user', username: 'ada@example.com' },
      ],
      integrationId: 'i1',
      at: '2026-03-29T00:30:00.000Z',
    });
    expect(readAlert(formOfSearch({ message: 'a' })).alert).toEqual({ message: 'a' });
  });

  test('A responder is in it once, also where they were typed and not added.', () => {
    const responders = 'ada@example.com\nTeam: Database';

    expect(withResponder(disk, ' Team: Database ').responders).toBe(responders);
    expect(withResponder(disk, ' ')).toEqual(disk);
  });

  test('A fault stands at its field.', () => {
    const broken = formOfSearch({ message: ' ', details: 'host: db-1\nhost', at: 'tomorrow' });

    expect(readAlert(broken).faults).toEqual({
      message: 'Type a message.',
      details: 'Line 2 is not of the form “key: value”.',
      at: 'Choose a date and a time.',
    });
  });

  test('So does what the server refuses.', () => {
    const refused = new CallError({
      status: 422,
      message: 'Invalid',
      fields: { 'responders[0].type': 'should be one of [ user ]', integrationId: 'is too long', other: 'is wrong' },
    });

    expect(refusedFields(refused)).toEqual({
      responders: 'Responders should be one of [ user ].',
      integration: 'Integration is too long.',
    });
    expect(refusedFields(new CallError({ status: 404, message: 'Integration does not exist with id: i1' }))).toEqual({
      integration: 'Integration does not exist with id: i1.',
    });
    expect(refusedFields(new CallError({ status: 503, message: 'unavailable' }))).toEqual({});
  });
});
