import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { detailsBody, detailsFaults, type DetailsForm, refusedDetails } from './details-form.ts';

const seen: DetailsForm = { name: 'Ops', zone: 'Europe/Berlin', description: '', teamId: 't1', isEnabled: true };

describe('the form of a schedule', () => {
  test('A new schedule has all of it, and a changed one what differs.', () => {
    expect(detailsBody(seen)).toEqual({
      name: 'Ops',
      timezone: 'Europe/Berlin',
      description: '',
      ownerTeam: { id: 't1' },
      enabled: true,
    });
    expect(detailsBody(seen, seen)).toEqual({});
    expect(detailsBody({ ...seen, zone: 'UTC', isEnabled: false }, seen)).toEqual({ timezone: 'UTC', enabled: false });
  });

  test('It says at their fields that a name is missing and that a zone is none.', () => {
    expect(detailsFaults(seen)).toEqual({});
    expect(detailsFaults({ ...seen, name: ' ', zone: 'Europe/Nowhere' })).toEqual({
      name: 'Type a name.',
      zone: 'Type a time zone such as Europe/Berlin.',
    });
  });

  test('A name that is taken and a field that is refused are said at their fields.', () => {
    const taken = new CallError({ status: 409, message: 'Schedule with name [Ops] already exists.' });
    expect(refusedDetails(taken)).toEqual({ name: 'Schedule with name [Ops] already exists.' });
    const fields = { timezone: 'should be an IANA time zone', 'rotations[0].name': 'should be a text' };
    expect(refusedDetails(new CallError({ status: 422, message: 'No.', fields }))).toEqual({
      zone: 'The time zone should be an IANA time zone.',
    });
  });
});
