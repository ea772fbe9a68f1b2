import { describe, expect, it } from '@jest/globals';
import {
  alert,
  COMMON,
  DEDUPLICATION,
  DELAY,
  HOUR,
  NO_CHANGE,
  NO_EFFECT,
  notification,
  problems,
} from '../testing/policy-bodies.ts';
import { CreatePolicyV2Body, UpdatePolicyV2Body } from './policy-bodies.ts';

describe('the body of a policy by version 2', () => {
  it('of an alert policy is its modification, enabled by default', () => {
    expect(CreatePolicyV2Body.parse(alert())).toEqual({ ...COMMON, effects: { kind: 'alert', modify: NO_CHANGE } });
    expect(CreatePolicyV2Body.parse(alert({ type: 'ALERT', enabled: 'false' }))).toHaveProperty('enabled', false);
  });

  it('of a notification policy is any of its effects, or none', () => {
    expect(CreatePolicyV2Body.parse(notification())).toEqual({ ...COMMON, effects: NO_EFFECT });
    const all = {
      suppress: 'true',
      delayAction: DELAY,
      deduplicationAction: DEDUPLICATION,
      autoCloseAction: { duration: HOUR },
      autoRestartAction: { duration: HOUR },
    };
    expect(CreatePolicyV2Body.parse(notification(all)).effects).toEqual({
      kind: 'notification',
      suppress: true,
      delay: { option: 'next-time', untilHour: 8, untilMinute: 30 },
      deduplication: { type: 'value-based', count: 2 },
      autoClose: { duration: HOUR },
      autoRestart: { duration: HOUR, maxRepeatCount: 0 },
    });
  });

  it('leaves enabled as it is where a PUT does not say', () => {
    expect(UpdatePolicyV2Body.parse(alert({ enabled: null })).enabled).toBeUndefined();
    expect(UpdatePolicyV2Body.parse(notification({ enabled: true })).enabled).toBe(true);
  });

  it.each(['notification-renotify', 'modify', undefined, null])('refuses the type %s, naming it', (type) => {
    const refused = [['type', 'should be one of [ alert, notification ]']];
    expect(problems(CreatePolicyV2Body, { ...alert(), type })).toEqual(refused);
    expect(problems(UpdatePolicyV2Body, { ...alert(), type })).toEqual(refused);
  });

  it.each([
    [{ deduplicationAction: DEDUPLICATION }],
    [{ deduplicationActionAction: DEDUPLICATION }],
    [{ deduplicationActionAction: { deduplicationType: 'Value-Based', count: 2 } }],
  ])('reads %j as one deduplication: clients differ in the names (wire facts 5)', (fields) => {
    const { effects } = CreatePolicyV2Body.parse(notification(fields));
    expect(effects).toHaveProperty('deduplication', { type: 'value-based', count: 2 });
  });

  it('takes alertDescription and description for the template, policyDescription for its own text', () => {
    const read = (fields: object) => {
      const { description, effects } = CreatePolicyV2Body.parse(alert(fields));
      return [description, effects.kind === 'alert' && effects.modify.description];
    };
    expect(read({ description: 'd' })).toEqual(['', 'd']);
    expect(read({ alertDescription: 'a', description: 'd', policyDescription: 'p' })).toEqual(['p', 'a']);
  });

  it('lets ignoreOriginalResponders stand for the two flags of version 1', () => {
    const { effects } = CreatePolicyV2Body.parse(alert({ ignoreOriginalResponders: 'TRUE' }));
    const both = { ignoreOriginalRecipients: true, ignoreOriginalTeams: true };
    expect(effects).toEqual({ kind: 'alert', modify: { ...NO_CHANGE, ...both } });
  });

  it.each(['continue', 'ignoreOriginalActions', 'ignoreOriginalDetails', 'ignoreOriginalTags'])(
    'reads the flag %s by itself, and refuses what is none',
    (field) => {
      const { effects } = CreatePolicyV2Body.parse(alert({ [field]: 'true' }));
      expect(effects).toEqual({ kind: 'alert', modify: { ...NO_CHANGE, [field]: true } });
      expect(problems(CreatePolicyV2Body, alert({ [field]: 1 }))).toEqual([[field, 'should be true or false']]);
    },
  );

  it.each([
    ['suppress', 'no', 'suppress', 'should be true or false'],
    ['delayAction', 'next-time', 'delayAction', 'should be an object'],
    ['delayAction', { delayOption: 'for-duration' }, 'delayAction.duration', 'should be provided'],
    ['deduplicationAction', [], 'deduplicationAction', 'should be an object'],
    ['deduplicationAction', { count: 2 }, 'deduplicationAction.deduplicationActionType', 'should be provided'],
    ['autoCloseAction', {}, 'autoCloseAction.duration', 'should be an object with timeAmount and timeUnit'],
    ['autoRestartAction', {}, 'autoRestartAction.duration', 'should be an object with timeAmount and timeUnit'],
  ])('refuses as %s %j', (field, value, path, message) => {
    expect(problems(CreatePolicyV2Body, notification({ [field]: value }))).toEqual([[path, message]]);
  });
});
