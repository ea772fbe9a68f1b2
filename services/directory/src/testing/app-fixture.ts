import { appOn, type TestApp } from './app-on-mongo.ts';
import { emptyStores } from './mongo-fixture.ts';

export { accountKey, appOn, type TestApp } from './app-on-mongo.ts';

/** The app on the database of the test file, which it empties. */
export const testApp = async (given?: Parameters<typeof appOn>[1]): Promise<TestApp> =>
  appOn(await emptyStores(), given);
