import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import {
  changesBetween,
  type Escalation,
  type EscalationForm,
  formOf,
  movedRule,
  NEW_RULE,
  notifyOptions,
  readForm,
  refusedFields,
  repeatText,
  ruleText,
  withRecipient,
} from './escalation-form.ts';

const nights: Escalation['rules'][number] = {
  condition: 'if-not-acked',
  notifyType: 'default',
  delay: { timeAmount: 0, timeUnit: 'minutes' },
  recipient: { type: 'schedule', id: 's1', name: 'Nights' },
};
const ada: Escalation['rules'][number] = {
  condition: 'if-not-closed',
  notifyType: 'default',
  delay: { timeAmount: 5, timeUnit: 'minutes' },
  recipient: { type: 'user', id: 'u1', username: 'ada@example.com' },
};
const escalation: Escalation = { id: 'e1', name: 'Database', description: '', rules: [nights, ada] };
const repeat = { waitInterval: 10, count: 3, resetRecipientStates: true, closeAlertAfterAll: true };
const form = formOf(escalation);
const withRules = (rules: EscalationForm['rules']): EscalationForm => ({ ...form, rules });

describe('the form of an escalation', () => {
  test('A form that is not changed writes what was read, and names recipients by id.', () => {
    expect(readForm(formOf({ ...escalation, repeat })).body).toEqual({
      name: 'Database',
      description: '',
      rules: [
        { ...nights, delay: { timeAmount: 0 }, recipient: { type: 'schedule', id: 's1' } },
        { ...ada, delay: { timeAmount: 5 }, recipient: { type: 'user', id: 'u1' } },
      ],
      repeat,
    });
    expect(readForm(form).body?.repeat).toEqual({ waitInterval: 0 });
  });

  test('A recipient that was typed is named as it was typed, and one that was deleted stays.', () => {
    const typed = withRules([
      { ...NEW_RULE, to: 'Team: Ops' },
      withRecipient(form.rules[1] ?? NEW_RULE, 'bob@example.com'),
    ]);
    const gone = formOf({ ...escalation, rules: [{ ...nights, recipient: { type: 'schedule', id: 's9' } }] });

    expect(readForm(typed).body?.rules.map(({ recipient }) => recipient)).toEqual([
      { type: 'team', name: 'Ops' },
      { type: 'user', username: 'bob@example.com' },
    ]);
    expect(readForm(gone).body?.rules[0]?.recipient).toEqual({ type: 'schedule', id: 's9' });
  });

  test('Each fault stands at its field.', () => {
    const broken = withRules([
      { ...NEW_RULE, minutes: '1.5' },
      { ...NEW_RULE, to: 'Escalation: Other' },
    ]);

    expect(readForm({ ...broken, name: ' ', isRepeated: true, wait: '0', count: '' }).faults).toEqual({
      name: 'Type a name.',
      'rules[0].to': 'Type or choose a recipient.',
      'rules[0].minutes': 'Type a whole number of minutes.',
      'rules[1].to': 'A rule notifies a person, a schedule or a team.',
      wait: 'Type a whole number of minutes from 1 on.',
      count: 'Type a whole number.',
    });
  });

  test('So does what the server refuses.', () => {
    const refused = (status: number, message: string, fields = {}) =>
      refusedFields(new CallError({ status, message, fields }), form);

    expect(
      refused(422, 'Invalid', { 'rules[1].delay.timeAmount': 'should be at least 0', 'repeat.count': 'is too high' }),
    ).toEqual({
      'rules[1].minutes': 'The delay should be at least 0.',
      count: 'The number is too high.',
    });
    expect(refused(404, 'User with username [ada@example.com] does not exist.')).toEqual({
      'rules[1].to': 'User with username [ada@example.com] does not exist.',
    });
    expect(refused(409, 'Escalation with name [Database] already exists.')).toEqual({
      name: 'Escalation with name [Database] already exists.',
    });
    expect(refused(503, 'unavailable')).toEqual({});
  });

  test('A kind of recipient has its own choice of users, and keeps a choice that it knows.', () => {
    const next = { ...NEW_RULE, to: 'Schedule: Nights', notifyType: 'next' } as const;

    expect(notifyOptions(next).map(({ value }) => value)).toEqual(['default', 'next', 'previous']);
    expect(withRecipient(next, 'Schedule: Days').notifyType).toBe('next');
    expect(withRecipient(next, 'ada@example.com').notifyType).toBe('default');
  });

  test('A rule moves up and down, and not beyond the ends.', () => {
    const names = (rules: EscalationForm['rules']) => rules.map(({ to }) => to);

    expect(names(movedRule(form.rules, 1, -1))).toEqual(['ada@example.com', 'Schedule: Nights']);
    expect(names(movedRule(form.rules, 0, 1))).toEqual(['ada@example.com', 'Schedule: Nights']);
    expect(movedRule(form.rules, 0, -1)).toBe(form.rules);
    expect(movedRule(form.rules, 1, 1)).toBe(form.rules);
  });
});

describe('an escalation in words', () => {
  test('Its rules and its repetition are sentences.', () => {
    expect([nights, ada].map(ruleText)).toEqual([
      'At once: Schedule: Nights, who is on call, if the alert is not acknowledged',
      'After 5 min: ada@example.com, this user, if the alert is not closed',
    ]);
    expect(repeatText(undefined)).toBe('It is not repeated.');
    expect(repeatText(repeat)).toBe(
      'It is repeated 3 times, 10 min after its last rule. A repetition takes an acknowledgement back. Afterwards the alert is closed.',
    );
  });

  test('What another person changed is a sentence each, and nothing where nothing was.', () => {
    expect(changesBetween(escalation, escalation)).toEqual([]);
    expect(changesBetween(escalation, { ...escalation, name: 'DB', rules: [ada], repeat })).toEqual([
      'The name is “DB” now.',
      `Rule 1 is now: ${ruleText(ada)}.`,
      `A rule was removed: ${ruleText(ada)}.`,
      repeatText(repeat),
    ]);
  });
});
