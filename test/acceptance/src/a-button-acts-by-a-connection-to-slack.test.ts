import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Mailbox, Scenario, SLACK_APP, slackPress, startMailbox, startSlack } from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

const slack = await startSlack();

let mailbox: Mailbox;
let scenario: Scenario;
let api: Api;
let notifier: ServiceProcess;
let services: readonly ServiceProcess[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  const installation = await newInstallation(mailbox.url, 'fatal');
  const environment = {
    ...installation.environmentOf('notifier'),
    WEBHOOK_ALLOWED_RANGES: '127.0.0.1',
    CALLBACK_URL: '',
    CHAT_ACCOUNTS: [slack.url, SLACK_APP.workspace].join(','),
  };
  notifier = new ServiceProcess('notifier', environment);
  services = [...(await processesOf(installation)).filter(({ name }) => name !== 'notifier'), notifier];
  await Promise.all(services.map((service) => service.start()));
  api = new Api(installation.gatewayUrl);
  scenario = new Scenario(api, 'example.com', new Date());
  await scenario.users('ada');
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all([slack.stop(), mailbox.stop()]);
});

interface Block {
  readonly type: string;
  readonly elements?: readonly { readonly value: string }[];
}

/** The token of the first button below the post. */
const button = (): Promise<string> =>
  eventually(() => {
    const [post] = slack.posts();
    const { attachments = [] } = (post?.content ?? {}) as { attachments?: readonly { blocks: readonly Block[] }[] };
    const value = attachments[0]?.blocks.find(({ type }) => type === 'actions')?.elements?.[0]?.value;
    if (value === undefined) throw new Error('There is no button.');
    return value;
  });

describe('an integration of Slack with an app-level token, at an installation without a URL for callbacks', () => {
  it('takes a press and a command by its connection, once, with notifier killed between the act and its acknowledgement (C7, C9)', async () => {
    const name = scenario.name('Incidents');
    const fields = { channel: 'C0ALERTS', token: SLACK_APP.token, appToken: SLACK_APP.appToken, url: slack.url };
    await api.create('/v2/integrations', { type: 'SlackApp', name, ...fields });
    await eventually(() => {
      expect(slack.sockets.count).toBe(1);
    });
    const alias = scenario.name('disk');
    await scenario.alert({ alias, message: 'Disk full' });
    const token = await button();
    // The act is stored, and its acknowledgement does not arrive.
    slack.sockets.loseAcknowledgements(1);
    const id = slack.sockets.report('interactive', slackPress(token));
    await eventually(async () => {
      expect(await scenario.alertOf(alias)).toMatchObject({ acknowledged: true });
    });
    await notifier.kill();
    expect(slack.sockets.waiting).toEqual([id]);
    await notifier.start();
    await eventually(() => {
      expect(slack.sockets.waiting).toEqual([]);
    });
    const { id: alertId } = await scenario.alertOf<{ readonly id: string }>(alias);
    const log = await api.read<readonly { readonly log: string }[]>(`/v2/alerts/${alertId}/logs?limit=100`);
    const acts = log.filter((entry) => entry.log.includes('acknowledges the alert by the button of a post in Slack'));
    expect(acts).toHaveLength(1);
    expect(JSON.stringify(log)).not.toContain(SLACK_APP.appToken);

    const commandId = slack.sockets.report('slash_commands', {
      command: '/tocsin',
      text: 'list',
      user_id: 'U0ADA',
      trigger_id: '1.2.3',
      response_url: 'https://hooks.slack.com/commands/T0TOCSIN/1/2',
    });
    const answer = await eventually(() => {
      const found = slack.sockets.acknowledged.find((each) => each.id === commandId);
      if (found === undefined) throw new Error('The command is not answered.');
      return found;
    });
    expect(answer.payload).toMatchObject({ text: expect.stringContaining('Disk full') });
  });
});
