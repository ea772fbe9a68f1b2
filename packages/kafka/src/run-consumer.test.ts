import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@tocsin/testkit';
import { describe, expect, it } from '@jest/globals';
import { KafkaJSNonRetriableError, type Consumer, type ConsumerCrashEvent } from 'kafkajs';
import { runConsumer } from './run-consumer.ts';

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** As kafkajs wraps it: the retrier gives up what is not to be tried again. */
const withoutCoordinator = (): Error =>
  Object.assign(new KafkaJSNonRetriableError('Failed to find group coordinator'), {
    cause: Object.assign(new Error('Failed to find group coordinator'), { name: 'KafkaJSGroupCoordinatorNotFound' }),
  });

async function running() {
  let crash: ((event: ConsumerCrashEvent) => void) | undefined;
  const seen = { runs: 0, fatal: [] as Error[], isWanted: true };
  const consumer = {
    events: { CRASH: 'consumer.crash' },
    on: (_: string, listener: (event: ConsumerCrashEvent) => void) => (crash = listener),
    run: () => {
      seen.runs += 1;
      return Promise.resolve();
    },
  } as unknown as Consumer;
  await runConsumer(
    consumer,
    {},
    { logger, isWanted: () => seen.isWanted, onFatal: (error) => seen.fatal.push(error) },
  );
  return {
    seen,
    crash: (error: Error, restart = false) => {
      crash?.({ payload: { error, restart, groupId: 'g' } } as ConsumerCrashEvent);
    },
  };
}

/** Longer than a restart waits. */
const restartIsOver = () => pause(700);

describe('a consumer', () => {
  it('is restarted when no broker knows the coordinator of its group, each time', async () => {
    const { crash, seen } = await running();
    for (const runs of [2, 3]) {
      crash(withoutCoordinator());
      await eventually(() => {
        expect(seen).toMatchObject({ runs, fatal: [] });
      });
    }
  });

  it('is left alone when kafkajs restarts it', async () => {
    const { crash, seen } = await running();
    crash(withoutCoordinator(), true);
    await restartIsOver();
    expect(seen).toMatchObject({ runs: 1, fatal: [] });
  });

  it('is fatal when it cannot recover', async () => {
    const { crash, seen } = await running();
    const refused = new Error('not authorized');
    crash(refused);
    await restartIsOver();
    expect(seen).toMatchObject({ runs: 1, fatal: [refused] });
  });

  it('is not restarted once it is being stopped', async () => {
    const { crash, seen } = await running();
    crash(withoutCoordinator());
    seen.isWanted = false;
    await restartIsOver();
    expect(seen).toMatchObject({ runs: 1, fatal: [] });
  });
});
