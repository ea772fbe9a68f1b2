import { afterAll, expect, it } from '@jest/globals';
import { startTelegram, stepTo, TELEGRAM_BOT } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const ACCOUNT = '700100200';
const telegram = await startTelegram();
const system = useSystem({
  TELEGRAM_BOT_NAME: TELEGRAM_BOT.bot,
  TELEGRAM_BOT_TOKEN: TELEGRAM_BOT.token,
  TELEGRAM_URL: telegram.url,
  OUTGOING_ALLOWED_RANGES: '127.0.0.1',
});
afterAll(() => telegram.stop());

it('a person links their account of Telegram by a code, is paged there, and sees that another user acknowledged', async () => {
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
});

const text = (content: Readonly<Record<string, unknown>>): string => String(content['text']);
