import { afterAll, expect, it } from '@jest/globals';
import { eventually, startTelegram, stepTo, TELEGRAM_BOT } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const ACCOUNT = '700100200';
const telegram = await startTelegram();
const system = useSystem({
  TELEGRAM_BOT_NAME: TELEGRAM_BOT.bot,
  TELEGRAM_BOT_TOKEN: TELEGRAM_BOT.token,
  TELEGRAM_URL: telegram.url,
  OUTGOING_ALLOWED_RANGES: '127.0.0.1',
  WEBHOOK_ALLOWED_RANGES: '127.0.0.1',
});
afterAll(() => telegram.stop());

it('a person links their account of Telegram by a code, is paged there, sees that another user acknowledged, and acts by buttons', async () => {
  const scenario = system.scenario();
  await scenario.users('ada', 'bob');
  const ada = scenario.address('ada');
  const { url } = await system.api.create<{ url: string }>(`/v2/users/${ada}/devices`, {
    name: 'Telegram',
    kind: 'telegram',
  });
  telegram.says(ACCOUNT, `/start ${new URL(url).searchParams.get('start') ?? ''}`);
  const linked = await telegram.received(({ channel }) => channel === ACCOUNT);
  expect(linked.content['text']).toContain(`is a device of ${ada} now`);
  const steps = [stepTo(`telegram:${ACCOUNT}`, 0, 'mobile')];
  await scenario.changeRule('ada', 'create-alert', { steps });
  await scenario.changeRule('ada', 'acknowledged-alert', { enabled: true, steps });
  await system.settle();
  const alias = scenario.name('disk');
  await scenario.alert({ message: 'Disk full', alias, responders: [scenario.user('ada')] });
  await system.settle();
  const page = await telegram.received(({ content, kind }) => kind === 'post' && text(content).includes('Disk full'));
  expect(page.channel).toBe(ACCOUNT);
  await system.api.expect(202, 'POST', `/v2/alerts/${alias}/acknowledge?identifierType=alias`, {
    user: scenario.address('bob'),
  });
  await system.settle();
  const edit = await telegram.received(({ id, kind }) => kind === 'edit' && id === page.id);
  expect(text(edit.content)).toContain('acknowledged');
  expect(telegram.unexpected()).toEqual([]);

  await system.api.create('/v2/integrations', {
    type: 'Telegram',
    name: scenario.name('group'),
    channel: TELEGRAM_BOT.chat,
    token: TELEGRAM_BOT.token,
    url: telegram.url,
    // Each event would hold up the next one for the pace of the group.
    alertActions: ['Create'],
  });
  await system.settle();
  const next = scenario.name('next');
  await scenario.alert({ message: 'Disk slow', alias: next, responders: [scenario.user('ada')] });
  const isAbout = (channel: string) => (call: { channel: string; content: Readonly<Record<string, unknown>> }) =>
    call.channel === channel && text(call.content).includes('Disk slow');
  const [paged, post] = [
    await telegram.received(isAbout(ACCOUNT)),
    await telegram.received(isAbout(TELEGRAM_BOT.chat)),
  ];
  telegram.presses('700100201', post, 'snooze');
  telegram.presses(ACCOUNT, paged, 'acknowledge');
  telegram.presses(ACCOUNT, post, 'snooze');
  await eventually(() => {
    expect(telegram.answers).toEqual([
      { account: '700100201', text: expect.stringContaining('no user of Tocsin has linked'), isAlert: true },
      { account: ACCOUNT, text: 'This alert: your acknowledgement is accepted.', isAlert: false },
      { account: ACCOUNT, text: 'This alert: your order to snooze it for an hour is accepted.', isAlert: false },
    ]);
  });
  await eventually(async () => {
    const log = await scenario.logOf(next);
    expect(log).toContain(`${ada} acknowledges the alert by the button of a message in Telegram.`);
    expect(log).toContain('snoozes the alert by the button of a message in Telegram of integration');
  });
});

const text = (content: Readonly<Record<string, unknown>>): string => String(content['text']);
