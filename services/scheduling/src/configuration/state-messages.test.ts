import { describe, expect, it } from '@jest/globals';
import { Escalations, NotifyType, Schedules } from '@tocsin/events';
import fc from 'fast-check';
import { escalationOf, ruleFor, scheduleOf } from '../testing/on-call-samples.ts';
import { aRotation, aZone, NORMAL, runs } from '../testing/random-schedules.ts';
import { escalationMessage } from '../escalations/escalation.ts';
import { scheduleMessage } from '../schedules/schedule.ts';

const anOwner = fc.option(fc.constantFrom('sre', 'web'), { nil: undefined });
const aText = fc.string({ unit: 'grapheme' });

const aSchedule = aZone.chain((timezone) =>
  fc
    .record({
      rotations: fc.array(aRotation(timezone), { maxLength: 3 }),
      name: aText,
      description: aText,
      enabled: fc.boolean(),
      ownerTeamId: anOwner,
    })
    .map(({ rotations, ...rest }) => scheduleOf('s', rotations, { ...rest, timezone })),
);

const aRule = fc
  .record({
    condition: fc.constantFrom('if-not-acked' as const, 'if-not-closed' as const),
    notifyType: fc.constantFrom(...NotifyType.options),
    delayMinutes: fc.nat(1_000_000),
    type: fc.constantFrom('user' as const, 'schedule' as const, 'team' as const),
  })
  .map(({ type, ...rule }) => ruleFor({ type, id: 'someone' }, rule));

const aRepeat = fc.record({
  waitMinutes: fc.integer({ min: 1, max: 1_000_000 }),
  count: fc.nat(20),
  resetRecipientStates: fc.boolean(),
  closeAlertAfterAll: fc.boolean(),
});

const anEscalation = fc
  .record({
    rules: fc.array(aRule, { minLength: 1, maxLength: 4 }),
    repeat: fc.option(aRepeat, { nil: undefined }),
    name: aText,
    description: aText,
    ownerTeamId: anOwner,
  })
  .map(({ rules, ...rest }) => escalationOf('e', rules, rest));

/** A message as a consumer reads it. */
const asRead = (topic: typeof Schedules | typeof Escalations, message: unknown): unknown =>
  topic.schema.parse(JSON.parse(JSON.stringify(message)));

describe('a published state', () => {
  it('of a schedule, reads with the schema of its topic as it was, field by field', () => {
    fc.assert(
      fc.property(aSchedule, (schedule) => {
        const message = scheduleMessage(schedule);
        expect(asRead(Schedules, message)).toEqual(message);
      }),
      runs(NORMAL),
    );
  });

  it('of an escalation, too', () => {
    fc.assert(
      fc.property(anEscalation, (escalation) => {
        const message = escalationMessage(escalation);
        expect(asRead(Escalations, message)).toEqual(message);
      }),
      runs(NORMAL),
    );
  });
});
