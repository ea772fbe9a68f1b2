import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EventParser } from './event-parser.ts';

const STREAM =
  'retry: 5000\nevent: ready\ndata: {}\n\n:\n\nevent: changes\ndata: {"alerts":[{"id":"a","version":"1"}]}\n\n:\n\n';
const EVENTS = [
  { name: 'ready', data: '{}' },
  { name: 'changes', data: '{"alerts":[{"id":"a","version":"1"}]}' },
];

describe('the events of a stream', () => {
  test('They are the same wherever the text is cut, and comments are none.', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), STREAM.length];
        const parser = new EventParser();
        const taken = places.slice(1).flatMap((end, index) => parser.take(STREAM.slice(places[index], end)));

        expect(taken).toEqual(EVENTS);
      }),
    );
  });

  test('An event that is not complete is not taken.', () => {
    expect(new EventParser().take('event: ready\ndata: {}\n')).toEqual([]);
  });
});
