import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { commandIn } from './request.ts';

const slack = {
  command: '/tocsin',
  text: 'note 12 a &lt;b&gt; &amp;amp; c',
  user_id: 'U0ADA',
  team_id: 'T0TOCSIN',
  response_url: 'https://hooks.slack.com/commands/1',
  trigger_id: '13345224609.738474920.8088930838d88f008e0',
};
const bodyOf = (fields: object): string => new URLSearchParams({ ...fields }).toString();

describe('the form of a command', () => {
  it('of Slack has texts as they were written', () => {
    expect(commandIn('slack', bodyOf(slack))).toEqual({
      account: 'U0ADA',
      text: 'note 12 a <b> &amp; c',
      trigger: slack.trigger_id,
      token: '',
      answerAt: slack.response_url,
    });
  });

  it('of Mattermost has the token of the command', () => {
    const fields = { command: '/genie', text: 'a &lt;', user_id: 'ada'.padEnd(26, '0'), token: 't', trigger_id: 'x' };
    expect(commandIn('mattermost', bodyOf(fields))).toEqual({
      account: fields.user_id,
      text: 'a &lt;',
      trigger: 'x',
      token: 't',
    });
  });

  it.each([{ user_id: 'ada@example.com' }, { user_id: '' }, { trigger_id: '' }])('with %j is none', (fields) => {
    for (const provider of ['slack', 'mattermost'] as const)
      expect(commandIn(provider, bodyOf({ ...slack, ...fields }))).toBeUndefined();
  });

  it('is undefined for any other body', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (body) => {
        expect(commandIn('slack', body)).toBeUndefined();
      }),
    );
  });
});
