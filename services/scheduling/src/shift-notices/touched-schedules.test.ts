import { describe, expect, it } from '@jest/globals';
import { forwardingOf, rotationOf, scheduleOf } from '../testing/on-call-samples.ts';
import { applyChange, EMPTY_CONFIGURATION, type Change } from '../configuration/configuration.ts';
import { touchedSchedules } from './touched-schedules.ts';

const of = (id: string, ...userIds: readonly string[]) =>
  scheduleOf(id, [rotationOf(userIds.map((userId) => ({ type: 'user', id: userId })))]);
const schedules = [of('ada', 'ada'), of('bob', 'bob'), of('both', 'ada', 'bob'), of('eve', 'eve')];
const present = applyChange(EMPTY_CONFIGURATION, {
  schedules: { put: schedules },
  forwardingRules: { put: [forwardingOf('ada', 'bob')] },
  answer: undefined,
});

const touched = (change: Omit<Change<undefined>, 'answer'>) => {
  const { kept, removed } = touchedSchedules(present, { ...change, answer: undefined });
  return { kept: kept.toSorted(), removed };
};

describe('a change of the configuration', () => {
  it('touches the schedules that it writes', () => {
    expect(touched({ schedules: { put: [of('new', 'kim'), of('eve', 'ada')], removed: [of('bob')] } })).toEqual({
      kept: ['eve', 'new'],
      removed: ['bob'],
    });
  });

  it('affects those with the user whose duty a forwarding rule forwards', () => {
    expect(touched({ forwardingRules: { put: [forwardingOf('eve', 'kim')] } }).kept).toEqual(['eve']);
    expect(touched({ forwardingRules: { removed: [forwardingOf('ada', 'bob')] } }).kept).toEqual(['ada', 'both']);
  });

  it('affects those with users whose duty reaches that user through other rules', () => {
    expect(touched({ forwardingRules: { put: [forwardingOf('bob', 'eve')] } }).kept).toEqual(['ada', 'bob', 'both']);
  });

  it('touches those with the user whom a rule concerned before it was replaced', () => {
    const replaced = { ...forwardingOf('eve', 'bob'), id: 'ada-bob' };
    expect(touched({ forwardingRules: { put: [replaced] } }).kept).toEqual(['ada', 'both', 'eve']);
  });

  it('touches no schedule where it changes escalations alone', () => {
    expect(touched({ escalations: {} })).toEqual({ kept: [], removed: [] });
  });
});
