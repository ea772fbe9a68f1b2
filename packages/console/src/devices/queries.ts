import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { readStored } from '../shell/stored.ts';
import { readBrowser } from './browser-push.ts';
import { readRegistration } from './push-state.ts';

/** The key with which browsers subscribe; undefined where the installation has none. */
export const pushKeyQuery = queryOptions({
  queryKey: ['push-key'],
  queryFn: async ({ signal }) => (await call<Answer<'get-web-push'>>({ path: '/v2/web-push', signal })).data,
});

/** Where this browser keeps which contact it is. */
export const REGISTRATION = 'tocsin-pushes';

/** What this browser is at present. Its person may change it in the settings of the browser, so it is read whenever it is shown. */
export const browserQuery = queryOptions({
  queryKey: ['this-browser'],
  queryFn: async () => ({
    browser: await readBrowser(),
    registration: readRegistration(readStored('device', REGISTRATION)),
  }),
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});
