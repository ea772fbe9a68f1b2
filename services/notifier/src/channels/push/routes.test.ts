import { expect, it } from '@jest/globals';
import { signedIn } from '@tocsin/testkit';
import { setUpApp } from '../../testing/app-fixture.ts';

it('the key of push messages is read by people, and is absent where the installation has none', async () => {
  const withKey = await setUpApp({ webPushKey: 'BCVx' }).ask('get', '/v2/web-push', signedIn({}, { role: 'user' }));
  expect([withKey.status, withKey.body]).toMatchObject([200, { data: { publicKey: 'BCVx' } }]);
  const without = await setUpApp().ask('get', '/v2/web-push', signedIn({}, { role: 'user' }));
  expect([without.status, (without.body as { data: unknown }).data]).toEqual([200, {}]);
});
