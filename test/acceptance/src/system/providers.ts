import { afterAll, afterEach } from '@jest/globals';
import type { ProviderDouble } from '@tocsin/testkit';

/** Stops `doubles` after the tests of a file; a message that one of them took and no test asked for fails its test. */
export function watchProviders(...doubles: readonly ProviderDouble<unknown>[]): void {
  afterEach(() => {
    const unexpected = doubles.flatMap((double) => double.unexpected());
    if (unexpected.length > 0) throw new Error(`No test asked for ${JSON.stringify(unexpected)}.`);
  });

  afterAll(async () => {
    await Promise.all(doubles.map((double) => double.stop()));
  });
}
