import type { RuleInput } from '@tocsin/testkit';
import fc from 'fast-check';

/** The possible recipients of a random escalation, besides the schedule "Duty". */
export const PEOPLE = ['ada', 'grace', 'edsger'] as const;

const ANY_USER: readonly RuleInput['to'][] = [
  ...PEOPLE.map((name) => ({ type: 'user' as const, name })),
  { type: 'schedule', name: 'Duty' },
];

interface EscalationByChance {
  readonly rules: readonly RuleInput[];
  /** As the API takes it. */
  readonly repeat: object | undefined;
}

/**
 * An escalation by chance: whom it reaches after how many minutes, under which condition, and how it repeats. Where
 * `untilClosed` names a user, an acknowledgement stops all rules but those that reach them.
 */
export function anyEscalation({
  untilClosed,
}: { readonly untilClosed?: string } = {}): fc.Arbitrary<EscalationByChance> {
  const rule =
    untilClosed === undefined
      ? anyRule(ANY_USER, 'if-not-acked', 'if-not-closed')
      : fc.oneof(anyRule(ANY_USER, 'if-not-acked'), anyRule([{ type: 'user', name: untilClosed }], 'if-not-closed'));
  const repeat = fc.record({
    waitInterval: fc.integer({ min: 1, max: 5 }),
    count: fc.integer({ min: 1, max: 2 }),
    resetRecipientStates: fc.boolean(),
    closeAlertAfterAll: fc.boolean(),
  });
  return fc.record({
    rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
    repeat: fc.option(repeat, { nil: undefined }),
  });
}

function anyRule(
  recipients: readonly RuleInput['to'][],
  ...conditions: readonly ('if-not-acked' | 'if-not-closed')[]
): fc.Arbitrary<RuleInput> {
  return fc.record({
    delay: fc.integer({ min: 0, max: 12 }),
    to: fc.constantFrom(...recipients),
    condition: fc.constantFrom(...conditions),
  });
}
