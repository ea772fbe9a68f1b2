import { expect, it } from '@jest/globals';
import { create } from '../testing/commands-samples.ts';
import { condition, POLICY_CONTEXT, modifies, notifies, rulesOf } from '../testing/policy-rules-samples.ts';
import { applyPolicies } from './apply-policies.ts';

const wide = (count: number) => '\u{1F600}'.repeat(count);

it('an entry is at most 8 kB, its text and facts together, for any policies', () => {
  const filter = { conditions: [condition('description', 'contains', `${wide(999)}x`)] };
  const policies = [
    ...Array.from({ length: 20 }, (_, n) =>
      modifies(wide(500), {
        continue: true,
        message: `${n}${wide(100)}`,
        alias: `${n}${wide(100)}`,
        entity: `${n}${wide(100)}`,
        source: `${n}${wide(90)}`,
        description: `${n}${wide(100)}`,
        tags: [`${n}${wide(90)}`],
        details: [['a', `${n}${wide(100)}`]],
        ignoreOriginalTags: true,
      }),
    ),
    ...Array.from({ length: 20 }, () => notifies(wide(500), { suppress: true }, { filter })),
  ];
  const { entry } = applyPolicies(rulesOf(policies), create('x'), POLICY_CONTEXT);
  expect(entry?.log).toMatch(/^Policies: .+…$/u);
  expect(entry?.log).not.toContain('\uFFFD');
  // Includes the fields around text and facts.
  expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(8_500);
  expect(entry?.decision?.facts).toMatchObject({ appliedCount: 20, skippedCount: 20 });
});

it('an entry, and the reason of a suppression, are one line, whatever the name of a policy contains', () => {
  const forged = notifies('Nights]\r\nAlert was acknowledged by [admin@example.com\u202e', { suppress: true });
  const { entry, flow } = applyPolicies(rulesOf([forged]), create('x'), POLICY_CONTEXT);
  expect(entry?.log).not.toMatch(/[\r\n\u202e]/);
  expect(flow.suppressed).not.toMatch(/[\r\n\u202e]/);
});
