import { describe, expect, test } from '@jest/globals';
import { engine } from './engines.ts';

const POLICY = { firstMs: 1, maxMs: 1, steadyAfterMs: 1, endsBeforeReady: 3 };
const SLOW = { ...POLICY, firstMs: 600_000, maxMs: 600_000 };

/** A server that ends once, and whose next `failures` starts fail. */
function serverThatEnds(failures: number) {
  const server = {
    pid: 1,
    starts: 0,
    exited: Promise.resolve({ code: 1, signal: null as NodeJS.Signals | null }),
    lastLogLines: () => 'No space left on device',
    restart: (): Promise<void> => {
      server.starts += 1;
      if (server.starts <= failures) return Promise.reject(new Error('ended while it started'));
      server.exited = new Promise(() => undefined);
      server.pid += 1;
      return Promise.resolve();
    },
    stop: () => Promise.resolve(),
  };
  return server;
}

describe('engine', () => {
  test('comes back after starts that failed, as each does until a full disk has room again', async () => {
    const server = serverThatEnds(5);
    const said: string[] = [];
    const pids: number[] = [];

    await new Promise<void>((resolve) => {
      const started = (_name: string, pid: number): void => void pids.push(pid);
      const say = (line: string): void => {
        said.push(line);
        if (line === 'Kafka is back') resolve();
      };
      engine('Kafka', '127.0.0.1:9092', '/data', server, { say, started }, POLICY);
    });

    expect(pids).toEqual([1, 2]);
    expect(server.starts).toBe(6);
    expect(said).toEqual([
      'Kafka has ended (code 1) and is started again',
      'Kafka does not come back and is tried again: Error: ended while it started',
      'Kafka is back',
    ]);
  });

  test('is tried no more once it was stopped', async () => {
    const server = serverThatEnds(Infinity);
    await new Promise<void>((resolve) => {
      const say = (line: string): void => {
        if (line.includes('does not come back')) setImmediate(() => void kept.stop().then(resolve));
      };
      const kept = engine('MongoDB', 'mongodb://', '/data', server, { say, started: () => undefined }, SLOW);
    });

    expect(server.starts).toBe(1);
  });
});
