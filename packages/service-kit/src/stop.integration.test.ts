import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@tocsin/testing';

const CALLERS = 10;

let service: ChildProcess;
let url: string;
let readyUrl: string;

beforeEach(async () => {
  const [port, adminPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}/`;
  readyUrl = `http://127.0.0.1:${adminPort}/readyz`;
  const fixture = fileURLToPath(new URL('./testing/stopping-service.ts', import.meta.url));
  service = spawn(process.execPath, ['--conditions=source', fixture], {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      KAFKA_BROKERS: '127.0.0.1:1',
      MONGODB_URI: 'mongodb://127.0.0.1:1',
      INTERNAL_SIGNING_KEY: 'k'.repeat(32),
      STOP_WAIT_MS: '2000',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await eventually(async () => {
    if (!(await fetch(readyUrl)).ok) throw new Error('It is not ready.');
  });
});

afterEach(() => {
  service.kill('SIGKILL');
});

describe('a service that is told to stop', () => {
  it('answers everybody who asks until it has said that it is not ready, and ends in order', async () => {
    let saidUnready = false;
    const answers: { readonly answer: Promise<string>; readonly afterTerm: boolean }[] = [];
    let told = false;
    const ask = async (): Promise<string> => (await fetch(url)).text();
    const caller = async (): Promise<void> => {
      while (!saidUnready) {
        const answer = ask();
        answers.push({ answer, afterTerm: told });
        await answer;
      }
    };
    const callers = Array.from({ length: CALLERS }, caller);
    await eventually(() => {
      expect(answers.length).toBeGreaterThan(CALLERS);
    });
    const ended = once(service, 'exit');
    told = true;
    service.kill('SIGTERM');
    await eventually(async () => {
      const answer = await fetch(readyUrl);
      expect([answer.status, await answer.text()]).toEqual([503, 'not ready: stop\n']);
    });
    saidUnready = true;
    await Promise.all(callers);
    const all = await Promise.all(answers.map(({ answer }) => answer));
    expect(all.every((answer) => answer === 'answered')).toBe(true);
    expect(await ended).toEqual([0, null]);
    expect(answers.filter(({ afterTerm }) => afterTerm).length).toBeGreaterThan(0);
  });
});
