import { afterAll, expect, it } from '@jest/globals';
import {
  MATTERMOST_BOT,
  mattermostDirectChannel,
  SLACK_APP,
  slackDirectChannel,
  startMattermost,
  startSlack,
  stepTo,
} from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const [slack, mattermost] = await Promise.all([startSlack(), startMattermost()]);
const system = useSystem({
  SLACK_URL: slack.url,
  SLACK_BOT_TOKEN: SLACK_APP.token,
  MATTERMOST_URL: mattermost.url,
  MATTERMOST_BOT_TOKEN: MATTERMOST_BOT.token,
  OUTGOING_ALLOWED_RANGES: '127.0.0.1',
});
afterAll(() => Promise.all([slack.stop(), mattermost.stop()]));

const CODE = /(?<!\d)\d{6}(?!\d)/;
const USER = 'ada'.padEnd(26, '0');

it.each([
  { kind: 'slack', key: 'U0ADA', channel: slackDirectChannel('U0ADA'), double: slack },
  { kind: 'mattermost', key: USER, channel: mattermostDirectChannel(USER), double: mattermost },
] as const)(
  'a person is paged in $kind once the code from there is typed, and sees that another user acknowledged',
  async ({ channel, double, key, kind }) => {
    const scenario = system.scenario();
    await scenario.users('ada', 'bob');
    const devices = `/v2/users/${scenario.address('ada')}/devices`;
    const { id } = await system.api.create<{ id: string }>(devices, { name: 'Chat', kind, key });
    await system.settle();
    const code = await double.received((call) => call.channel === channel && CODE.test(written(call.content)));
    const steps = [stepTo(`${kind}:${key}`, 0, 'mobile')];
    await scenario.changeRule('ada', 'create-alert', { steps });
    await scenario.changeRule('ada', 'acknowledged-alert', { enabled: true, steps });
    await system.settle();
    const early = scenario.name('early');
    await scenario.alert({ message: 'Too early', alias: early, responders: [scenario.user('ada')] });
    await system.settle();
    expect(await scenario.logOf(early)).toContain('the contact is not verified');

    const confirm = `/v2/users/${scenario.address('ada')}/contacts/${id}/verification/confirm`;
    await system.api.expect(200, 'POST', confirm, { code: CODE.exec(written(code.content))?.[0] });
    await system.settle();
    const alias = scenario.name('disk');
    await scenario.alert({ message: 'Disk full', alias, responders: [scenario.user('ada')] });
    await system.settle();
    const page = await double.received((call) => call.kind === 'post' && written(call.content).includes('Disk full'));
    expect(page.channel).toBe(channel);
    await system.api.expect(202, 'POST', `/v2/alerts/${alias}/acknowledge?identifierType=alias`, {
      user: scenario.address('bob'),
    });
    await system.settle();
    const edit = await double.received((call) => call.kind === 'edit' && call.id === page.id);
    expect(written(edit.content)).toContain('acknowledged');
    expect(double.unexpected()).toEqual([]);
  },
);

const written = (content: object): string => JSON.stringify(content);
