import { describe, expect, test } from '@jest/globals';
import { typedFields } from './typed-fields.ts';

describe('the fields of a form', () => {
  const initial = { name: 'Database', description: 'Disks' };

  test('They are as at first where nothing was typed.', () => {
    expect(typedFields(undefined, initial)).toEqual(initial);
  });

  test('They are as they were typed, also where a field was emptied.', () => {
    expect(typedFields(JSON.stringify({ name: 'Storage', description: '' }), initial)).toEqual({
      name: 'Storage',
      description: '',
    });
  });

  test('A field that was not there when the others were typed is as at first, and one that is gone is dropped.', () => {
    expect(typedFields(JSON.stringify({ name: 'Storage', zone: 'UTC' }), initial)).toEqual({
      name: 'Storage',
      description: 'Disks',
    });
  });
});
