import { describe, expect, it } from '@jest/globals';
import {
  CreatePolicyBody,
  UpdatePolicyBody,
  UpdatePolicyV2Body,
  type PolicyEffectsOf,
  type RecipientReference,
  type WrittenPolicy,
} from '@tocsin/api';
import { MATCH_ALL } from '@tocsin/events';
import fc from 'fast-check';
import type { NotificationEffects, Policy, PolicyEffects, PolicyRecipient } from './policy.ts';
import { isInVersionOne, replacedByVersionOne, replacedByVersionTwo, versionOneType } from './versions.ts';
import { anyPolicy } from '../testing/any-policy.ts';
import { modifying, notifying, policyOf } from '../testing/policy-samples.ts';
import { policyV1Created, policyV1Item, policyV1View, policyV2Created, policyV2Item, policyV2View } from './views.ts';

const hour = { timeAmount: 1, timeUnit: 'hours' } as const;
const NAMES: Readonly<Record<string, string>> = { u1: 'ann@example.com', t1: 'Ops' };
const nameOf = ({ id }: { readonly id: string }) => NAMES[id];
const v1 = (shown: Policy) => policyV1View(shown, nameOf);

const COMMON = { id: 'p1', name: 'Nights', enabled: true, policyDescription: '' };
const suppressing = notifying({ suppress: true });
const policy = (fields: Partial<Policy> = {}) =>
  policyOf('p1', { name: 'Nights', filter: { set: MATCH_ALL, written: {} }, effects: suppressing, ...fields });
const flow = (effects: Partial<NotificationEffects>) => policy({ effects: notifying(effects) });

/** The JSON that goes over the wire. */
const sent = (view: object): unknown => JSON.parse(JSON.stringify(view));

describe('a policy in version 1', () => {
  it.each([
    [flow({ suppress: true }), { type: 'notification-suppress' }],
    [
      flow({ delay: { option: 'for-duration', duration: hour } }),
      { type: 'notification-delay', delayOption: 'for-duration', duration: hour },
    ],
    [
      flow({ delay: { option: 'next-monday', untilHour: 0, untilMinute: 0 } }),
      { type: 'notification-delay', delayOption: 'next-monday', untilHour: 0, untilMinute: 0 },
    ],
    [
      flow({ deduplication: { type: 'value-based', count: 2 } }),
      { type: 'notification-deduplication', deduplicationActionType: 'value-based', count: 2 },
    ],
    [
      flow({ deduplication: { type: 'frequency-based', count: 2, duration: hour } }),
      { type: 'notification-deduplication', deduplicationActionType: 'frequency-based', count: 2, duration: hour },
    ],
    [flow({ autoClose: { duration: hour } }), { type: 'auto-close', duration: hour }],
    [
      flow({ autoRestart: { duration: hour, maxRepeatCount: 0 } }),
      { type: 'auto-restart-notifications', duration: hour, maxRepeatCount: 0 },
    ],
  ])('shows the fields of its type', (shown, fields) => {
    expect(v1(shown)).toEqual({ ...COMMON, ...fields });
  });

  it('shows, of several effects, the one that gives its type', () => {
    const several = flow({ deduplication: { type: 'value-based', count: 2 }, autoClose: { duration: hour } });
    expect(v1(several)).not.toHaveProperty('duration');
    expect(v1(several)).toMatchObject({ type: 'notification-deduplication', count: 2 });
  });

  const recipients: readonly PolicyRecipient[] = [
    { type: 'user', id: 'u1' },
    { type: 'team', id: 't1' },
    { type: 'schedule', id: 'gone' },
    { type: 'all' },
  ];

  it('shows every field of a modification, recipients by id and name, deleted ones by id alone (E10)', () => {
    const effects = modifying({ recipients, details: [['a.b', 'x']], priority: 'P2', ignoreOriginalTeams: true });
    expect(v1(policy({ effects }))).toEqual({
      ...COMMON,
      type: 'modify',
      message: '{{message}}',
      continue: false,
      alias: '{{alias}}',
      description: '{{description}}',
      entity: '{{entity}}',
      source: '{{source}}',
      ignoreOriginalAlertActions: false,
      ignoreOriginalDetails: false,
      ignoreOriginalRecipients: false,
      ignoreOriginalTeams: true,
      ignoreOriginalTags: false,
      alertActions: [],
      actions: [],
      details: { 'a.b': 'x' },
      recipients: [
        { type: 'user', id: 'u1', username: 'ann@example.com' },
        { type: 'team', id: 't1', name: 'Ops' },
        { type: 'schedule', id: 'gone' },
        { type: 'all' },
      ],
      tags: [],
      priority: 'P2',
    });
  });

  it('has a short form for creates and lists', () => {
    const short = { id: 'p1', name: 'Nights', type: 'notification-suppress', enabled: true };
    expect(policyV1Created(policy())).toEqual(short);
    expect(policyV1Item(policy({ order: 9 }), 2)).toEqual({ ...short, order: 2 });
  });
});

describe('a policy in version 2', () => {
  it('shows all effects of a notification policy, and nothing else', () => {
    expect(policyV2View(flow({}))).toEqual({ ...COMMON, type: 'notification', suppress: false });
    const all = flow({
      suppress: true,
      delay: { option: 'next-time', untilHour: 7, untilMinute: 30 },
      deduplication: { type: 'frequency-based', count: 2, duration: hour },
      autoClose: { duration: hour },
      autoRestart: { duration: hour, maxRepeatCount: 3 },
    });
    expect(policyV2View({ ...all, teamId: 't1' })).toEqual({
      ...COMMON,
      type: 'notification',
      teamId: 't1',
      suppress: true,
      delayAction: { delayOption: 'next-time', untilHour: 7, untilMinute: 30 },
      deduplicationAction: { deduplicationActionType: 'frequency-based', count: 2, duration: hour },
      autoCloseAction: { duration: hour },
      autoRestartAction: { duration: hour, maxRepeatCount: 3 },
    });
  });

  it('shows every field of a modification, and responders without names, which plans would take for a change', () => {
    const effects = modifying({ description: 'why', recipients: [{ type: 'user', id: 'u1' }], tags: ['x'] });
    expect(policyV2View(policy({ effects }))).toEqual({
      ...COMMON,
      type: 'alert',
      message: '{{message}}',
      continue: false,
      alias: '{{alias}}',
      description: 'why',
      alertDescription: 'why',
      entity: '{{entity}}',
      source: '{{source}}',
      ignoreOriginalActions: false,
      ignoreOriginalDetails: false,
      ignoreOriginalResponders: false,
      ignoreOriginalTags: false,
      actions: [],
      details: {},
      responders: [{ type: 'user', id: 'u1' }],
      tags: ['x'],
    });
  });

  it.each([
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [true, true, true],
  ])('shows the flags of version 1, %s and %s, as one: %s', (recipients, teams, both) => {
    const effects = modifying({ ignoreOriginalRecipients: recipients, ignoreOriginalTeams: teams });
    const view = policyV2View(policy({ effects }));
    expect(view).toHaveProperty('ignoreOriginalResponders', both);
  });

  it('has a short form for creates and lists', () => {
    const short = { id: 'p1', name: 'Nights', type: 'notification', enabled: true };
    expect(policyV2Created(policy())).toEqual(short);
    expect(policyV2Item(policy({ order: 9 }))).toEqual({ ...short, order: 9 });
  });
});

describe('both versions', () => {
  it('show a filter and a time restriction only if one was written, conditions with their order', () => {
    const condition = { field: 'message', operation: 'contains', expectedValue: 'x', not: false };
    const timeRestrictions = {
      type: 'time-of-day',
      restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
    } as const;
    const read = CreatePolicyBody.parse({
      type: 'notification-suppress',
      name: 'p',
      enabled: true,
      filter: { type: 'match-all-conditions', conditions: [condition] },
      timeRestrictions,
    });
    const shown = policy({ filter: read.filter, timeRestriction: read.timeRestriction });
    const filter = { type: 'match-all-conditions', conditions: [{ ...condition, order: 0 }] };
    expect(v1(shown)).toMatchObject({ filter, timeRestrictions });
    expect(policyV2View(shown)).toMatchObject({ filter, timeRestrictions });
    for (const view of [v1(policy()), policyV2View(policy())]) {
      expect(view).not.toHaveProperty('filter');
      expect(view).not.toHaveProperty('timeRestrictions');
    }
  });
});

/** `stored` after a PUT of `written`; undefined if that is of another type. */
function replaced(
  stored: Policy,
  { enabled, ...written }: WrittenPolicy,
  merge: typeof replacedByVersionOne<RecipientReference>,
): Policy | undefined {
  const effects = merge(stored.effects, written.effects);
  return effects && { ...stored, ...written, enabled: enabled ?? stored.enabled, effects: byId(effects) };
}

type Written = PolicyEffectsOf<RecipientReference>;

function byId(effects: Written): PolicyEffects {
  if (effects.kind === 'notification') return effects;
  const recipients = effects.modify.recipients.map((recipient): PolicyRecipient =>
    'id' in recipient ? { type: recipient.type, id: recipient.id ?? '' } : recipient,
  );
  return { ...effects, modify: { ...effects.modify, recipients } };
}

describe('a policy that is written unchanged', () => {
  it('is unchanged by version 1, including fields that only version 2 shows (E10)', () => {
    fc.assert(
      fc.property(anyPolicy.filter(isInVersionOne), (stored) => {
        const written = UpdatePolicyBody.parse(sent(v1(stored)));
        expect(replaced(stored, written, replacedByVersionOne)).toEqual(stored);
      }),
    );
  });

  it('is unchanged by version 2, including fields that only version 1 shows (E10)', () => {
    fc.assert(
      fc.property(anyPolicy, (stored) => {
        const written = UpdatePolicyV2Body.parse(sent(policyV2View(stored)));
        expect(replaced(stored, written, replacedByVersionTwo)).toEqual(stored);
      }),
    );
  });

  it('looks the same in version 2 if version 2 creates it anew', () => {
    fc.assert(
      fc.property(anyPolicy, (stored) => {
        const { effects } = UpdatePolicyV2Body.parse(sent(policyV2View(stored)));
        const again = policyV2View({ ...stored, effects: byId(effects) });
        expect(again).toEqual(policyV2View(stored));
      }),
    );
  });

  it('has one type in version 1, and a PUT of another type is refused', () => {
    fc.assert(
      fc.property(anyPolicy, anyPolicy.filter(isInVersionOne), (stored, other) => {
        const written = UpdatePolicyBody.parse(sent(v1(other)));
        const same = versionOneType(stored.effects) === versionOneType(other.effects);
        expect(replaced(stored, written, replacedByVersionOne) !== undefined).toBe(same);
      }),
    );
  });
});

describe('a field that a version shows under two names', () => {
  const stored = policy({ effects: modifying({ description: 'old', actions: ['old'] }) });
  const byOne = (change: object) =>
    replaced(stored, UpdatePolicyBody.parse({ ...v1(stored), ...change }), replacedByVersionOne)?.effects;
  const byTwo = (change: object) =>
    replaced(stored, UpdatePolicyV2Body.parse({ ...policyV2View(stored), ...change }), replacedByVersionTwo)?.effects;

  it.each([
    ['alertActions', ['new'], { actions: ['new'] }],
    ['actions', ['new'], { actions: ['new'] }],
    ['alertActions', [], { actions: [] }],
    ['actions', [], { actions: [] }],
  ])('takes the value of %s if only that was changed, by version 1', (field, value, expected) => {
    expect(byOne({ [field]: value })).toEqual(modifying({ description: 'old', ...expected }));
  });

  it.each(['description', 'alertDescription'])(
    'takes the value of %s if only that was changed, by version 2',
    (field) => {
      expect(byTwo({ [field]: 'new' })).toEqual(modifying({ description: 'new', actions: ['old'] }));
    },
  );

  it('takes the value of the first name if both were changed', () => {
    expect(byOne({ alertActions: ['a'], actions: ['b'] })).toMatchObject({ modify: { actions: ['a'] } });
    expect(byTwo({ alertDescription: 'a', description: 'b' })).toMatchObject({ modify: { description: 'a' } });
  });
});

describe('a replacement by version 2', () => {
  it('writes both flags of version 1 if its one flag is changed, and neither if it is not', () => {
    const present = modifying({ ignoreOriginalRecipients: true });
    const flagged = (on: boolean) =>
      modifying({ message: 'new', ignoreOriginalRecipients: on, ignoreOriginalTeams: on });
    expect(replacedByVersionTwo(present, flagged(false))).toEqual(
      modifying({ message: 'new', ignoreOriginalRecipients: true }),
    );
    expect(replacedByVersionTwo(present, flagged(true))).toEqual(flagged(true));
  });

  it('is refused if it is of another kind', () => {
    expect(replacedByVersionTwo(notifying(), modifying())).toBeUndefined();
    expect(replacedByVersionTwo(modifying(), notifying())).toBeUndefined();
  });
});
