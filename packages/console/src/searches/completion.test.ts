import { describe, expect, test } from '@jest/globals';
import { completionsOf } from './completion.ts';

const names = (text: string) => completionsOf(text).map(({ name }) => name);
const texts = (text: string) => completionsOf(text).map((each) => each.text);

describe('the completion of a search', () => {
  test('A word goes on as the name of a field, in any case, those that are searched most first.', () => {
    expect(texts('pri')).toEqual(['priority:']);
    expect(names('S')).toEqual(['status:', 'snoozed:', 'source:', 'snoozedUntil:']);
    expect(texts('status:open AND (ow')).toEqual(['status:open AND (owner:']);
    expect(names('integration.')).toEqual(['integration.name:', 'integration.type:']);
  });

  test('The values of a field are offered, all of them after its colon.', () => {
    expect(names('priority:')).toEqual(['P1', 'P2', 'P3', 'P4', 'P5']);
    expect(texts('tag:disk AND Status: o')).toEqual(['tag:disk AND Status: open ']);
    expect(texts('priority:(p1')).toEqual([]);
    expect(texts('acknowledged:t')).toEqual(['acknowledged:true ']);
    expect(names('owner:a')).toEqual([]);
  });

  test('Nothing is offered after a blank, in quotes, and for what is complete.', () => {
    for (const text of ['', 'status:open ', 'message:"pri', 'status:open', 'xyz']) expect(names(text)).toEqual([]);
  });
});
