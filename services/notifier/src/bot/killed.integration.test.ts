import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, processEnvironment, startTelegram, TELEGRAM_BOT, type TelegramDouble } from '@tocsin/testkit';
import { newInstallation, type TestInstallation } from '../testing/installation.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const ADA = '7001';
const LINKED = JSON.stringify({ data: { result: 'linked', username: 'ada@example.com' } });

let installation: TestInstallation;
let telegram: TelegramDouble;
let running: ChildProcess | undefined;
/** What directory was asked, and the requests that it has not answered. */
const asked: unknown[] = [];
const open: ServerResponse[] = [];
const directory = createServer((request, response) => {
  void text(request).then((body) => {
    if (request.url !== '/internal/telegram-links/uses') response.writeHead(503).end();
    else {
      asked.push(JSON.parse(body));
      open.push(response);
    }
  });
});

beforeAll(async () => {
  [installation, telegram] = await Promise.all([newInstallation(), startTelegram()]);
  await once(directory.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  running?.kill('SIGKILL');
  directory.closeAllConnections();
  directory.close();
  await telegram.stop();
  await installation.close();
});

/** The service as a process of its own. */
function start(): ChildProcess {
  const env = {
    ...installation.environment,
    DIRECTORY_URL: `http://127.0.0.1:${(directory.address() as AddressInfo).port}`,
    TELEGRAM_BOT_TOKEN: TELEGRAM_BOT.token,
    TELEGRAM_URL: telegram.url,
    OUTGOING_ALLOWED_RANGES: '127.0.0.1',
  };
  running = spawn(process.execPath, ['--conditions=source', MAIN], { env: processEnvironment(env), stdio: 'ignore' });
  return running;
}

const isAsked = (times: number): Promise<void> =>
  eventually(
    () => {
      expect(asked).toHaveLength(times);
    },
    { everyMs: 5 },
  );

it('notifier killed after directory has linked an account, and before it knows that, says once that it is linked', async () => {
  telegram.says(ADA, '/start the-code');
  const first = start();
  await isAsked(1);
  first.kill('SIGKILL');
  await once(first, 'exit');
  const second = start();
  await isAsked(2);
  expect(asked).toEqual([
    { code: 'the-code', account: ADA },
    { code: 'the-code', account: ADA },
  ]);
  open.at(-1)?.writeHead(200, { 'content-type': 'application/json' }).end(LINKED);
  const answer = await telegram.received(({ channel }) => channel === ADA);
  expect(answer.content['text']).toContain('is a device of ada@example.com now');
  await eventually(() => {
    expect(telegram.pending()).toBe(0);
  });
  expect(telegram.unexpected()).toEqual([]);
  second.kill('SIGTERM');
  expect(await once(second, 'exit')).toEqual([0, null]);
});
