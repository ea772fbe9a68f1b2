import { describe, expect, test } from '@jest/globals';
import { writeUnlessChanged } from './checked-write.ts';

interface Thing {
  readonly name: string;
}

function written(seen: Thing, present: Thing | undefined) {
  let sent = 0;
  const result = writeUnlessChanged(seen, {
    read: () => Promise.resolve(present),
    send: () => Promise.resolve((sent += 1)),
  });
  return result.then((each) => ({ ...each, sent }));
}

describe('a write of what a person saw', () => {
  test('It is sent where that is still so.', async () => {
    expect(await written({ name: 'a' }, { name: 'a' })).toEqual({ kind: 'sent', sent: 1 });
  });

  test('It is not sent where another person changed or deleted it, and gives what is there.', async () => {
    expect(await written({ name: 'a' }, { name: 'b' })).toEqual({ kind: 'changed', present: { name: 'b' }, sent: 0 });
    expect(await written({ name: 'a' }, undefined)).toEqual({ kind: 'missing', sent: 0 });
  });
});
