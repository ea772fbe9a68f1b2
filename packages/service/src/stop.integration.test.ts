import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, freePort, processEnvironment } from '@tocsin/testkit';

const CALLERS = 10;

let service: ChildProcess;
let url: string;
let readyUrl: string;
let log: string;

async function run(fixture: URL): Promise<void> {
  const [port, adminPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}/`;
  readyUrl = `http://127.0.0.1:${adminPort}/readyz`;
  log = '';
  const child = spawn(process.execPath, ['--conditions=source', fileURLToPath(fixture)], {
    env: processEnvironment({
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      KAFKA_BROKERS: '127.0.0.1:1',
      MONGODB_URI: 'mongodb://127.0.0.1:1',
      INTERNAL_SIGNING_KEY: 'k'.repeat(32),
      STOP_WAIT_MS: '5000',
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  service = child;
}

afterEach(() => {
  service.kill('SIGKILL');
});

describe('a service that gets SIGTERM', () => {
  beforeEach(async () => {
    await run(new URL('./testing/stopping-service.ts', import.meta.url));
    await eventually(async () => {
      if (!(await fetch(readyUrl)).ok) throw new Error('It is not ready.');
    });
  });

  it('answers all requests until it has said that it is not ready, and ends in order', async () => {
    let saidUnready = false;
    const answers: Promise<string>[] = [];
    const ask = (): Promise<string> => {
      const answer = fetch(url).then((response) => response.text());
      answers.push(answer);
      return answer;
    };
    const caller = async (): Promise<void> => {
      while (!saidUnready) await ask();
    };
    const callers = Array.from({ length: CALLERS }, caller);
    await eventually(() => {
      expect(answers.length).toBeGreaterThan(CALLERS);
    });
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    // Callers may all still wait for answers from before.
    const askedAfterwards = ask();
    await eventually(async () => {
      const answer = await fetch(readyUrl);
      expect([answer.status, await answer.text()]).toEqual([503, 'not ready: stop\n']);
    });
    saidUnready = true;
    await Promise.all(callers);
    expect(await askedAfterwards).toBe('answered');
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['answered']));
    expect(await ended).toEqual([0, null]);
  });
});

describe('a service with a task that never ends', () => {
  it('says which task it is, and ends by itself', async () => {
    await run(new URL('./testing/stuck-service.ts', import.meta.url));
    expect(await once(service, 'close')).toEqual([1, null]);
    const lines = log.trimEnd().split('\n');
    const fatal = lines.map((line) => JSON.parse(line) as { level: string; err?: { message: string } });
    expect(fatal.filter(({ level }) => level === 'fatal').map(({ err }) => err?.message)).toEqual([
      'work has not ended 20 s after it was aborted.',
    ]);
  }, 120_000);
});

describe('a service that gets SIGTERM during its start', () => {
  it('ends in order, and logs no failure', async () => {
    await run(new URL('./testing/starting-service.ts', import.meta.url));
    expect(await once(service, 'close')).toEqual([0, null]);
    const lines = log.trimEnd().split('\n');
    const logged = lines.map((line) => JSON.parse(line) as { level: string; msg: string });
    // A process that ends may write its last lines in another order.
    expect(logged.map(({ level, msg }) => `${level}: ${msg}`).toSorted()).toEqual([
      'info: The service was stopped during its start.',
      'info: stopping',
    ]);
  });
});
