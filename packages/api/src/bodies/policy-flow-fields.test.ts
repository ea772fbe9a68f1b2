import { describe, expect, it } from '@jest/globals';
import { CreatePolicyBody, CreatePolicyV2Body } from '../resources/policy-bodies.ts';
import { DEDUPLICATION, DELAY, HOUR, notification, problems, v1 } from '../testing/policy-bodies.ts';
import { DELAY_OPTIONS } from './policy-effects.ts';

describe('both bodies of what a notification policy does', () => {
  const ofFlow = [
    ['version 1', CreatePolicyBody, '', (action: string, fields: object) => v1(V1_TYPE_OF[action] ?? '', fields)],
    ['version 2', CreatePolicyV2Body, '.', (action: string, fields: object) => notification({ [action]: fields })],
  ] as const;
  const V1_TYPE_OF: Readonly<Record<string, string>> = {
    delayAction: 'notification-delay',
    deduplicationAction: 'notification-deduplication',
    autoCloseAction: 'auto-close',
    autoRestartAction: 'auto-restart-notifications',
  };

  it.each([
    ['delayAction', DELAY, 'untilHour', [0, 23], [-1, 24, 7.5, '8.5'], 'should be a whole number from 0 to 23'],
    ['delayAction', DELAY, 'untilMinute', [0, 59], [-1, 60], 'should be a whole number from 0 to 59'],
    [
      'deduplicationAction',
      DEDUPLICATION,
      'count',
      [2, 100],
      [0, 1, 101, 2.5],
      'should be a whole number from 2 to 100',
    ],
    [
      'autoRestartAction',
      { duration: HOUR },
      'maxRepeatCount',
      [0, 20],
      [-1, 21],
      'should be a whole number from 0 to 20',
    ],
    [
      'delayAction',
      DELAY,
      'delayOption',
      [...DELAY_OPTIONS.slice(1), 'Next-Monday'],
      ['next-month', '', 5],
      `should be one of [ ${DELAY_OPTIONS.join(', ')} ]`,
    ],
    [
      'deduplicationAction',
      { ...DEDUPLICATION, duration: HOUR },
      'deduplicationActionType',
      ['value-based', 'frequency-based', 'Frequency-Based'],
      ['count-based', ''],
      'should be one of [ value-based, frequency-based ]',
    ],
  ])('of %s %j take as %s any of %j and none of %j', (action, fields, field, good, bad, message) => {
    for (const [version, schema, separator, bodyOf] of ofFlow) {
      const path = separator === '' ? field : `${action}.${field}`;
      for (const value of good)
        expect([version, value, problems(schema, bodyOf(action, { ...fields, [field]: value }))]).toEqual([
          version,
          value,
          [],
        ]);
      for (const value of bad)
        expect([version, value, problems(schema, bodyOf(action, { ...fields, [field]: value }))]).toEqual([
          version,
          value,
          [[path, message]],
        ]);
    }
  });

  it.each([
    ['delayAction', { delayOption: 'For-Duration' }, 'delay', { option: 'for-duration', duration: HOUR }],
    [
      'deduplicationAction',
      { deduplicationActionType: 'frequency-based', count: 2 },
      'deduplication',
      { type: 'frequency-based', count: 2, duration: HOUR },
    ],
    ['autoCloseAction', {}, 'autoClose', { duration: HOUR }],
  ])('of %s %j need a duration, in any unit', (action, fields, effect, expected) => {
    for (const [, schema, separator, bodyOf] of ofFlow) {
      expect(schema.parse(bodyOf(action, { ...fields, duration: HOUR })).effects).toHaveProperty(effect, expected);
      const path = separator === '' ? 'duration' : `${action}.duration`;
      expect(problems(schema, bodyOf(action, fields)).map(([place]) => place)).toEqual([path]);
      const wrong = { ...fields, duration: { timeAmount: 0, timeUnit: 'hours' } };
      expect(problems(schema, bodyOf(action, wrong))).toEqual([
        [`${path}.timeAmount`, 'should be a whole number of at least 1'],
      ]);
    }
  });

  it('let a flow start again each minute, and not more often (P7)', () => {
    for (const [, schema, separator, bodyOf] of ofFlow) {
      const every = (timeAmount: number, timeUnit: string) =>
        problems(schema, bodyOf('autoRestartAction', { duration: { timeAmount, timeUnit }, maxRepeatCount: 1 }));
      expect([every(1, 'minutes'), every(60, 'seconds'), every(60_000, 'milliseconds')]).toEqual([[], [], []]);
      const path = `${separator === '' ? 'duration' : 'autoRestartAction.duration'}.timeAmount`;
      const refused = [[path, 'should be at least 1 minute']];
      expect([every(59, 'seconds'), every(59_999, 'milliseconds')]).toEqual([refused, refused]);
    }
  });

  it('keep no duration where none has an effect', () => {
    for (const [, schema, , bodyOf] of ofFlow) {
      const delayed = schema.parse(bodyOf('delayAction', { ...DELAY, duration: HOUR }));
      expect(delayed.effects).toHaveProperty('delay', { option: 'next-time', untilHour: 8, untilMinute: 30 });
      const deduplicated = schema.parse(bodyOf('deduplicationAction', { ...DEDUPLICATION, duration: HOUR }));
      expect(deduplicated.effects).toHaveProperty('deduplication', { type: 'value-based', count: 2 });
    }
  });
});
