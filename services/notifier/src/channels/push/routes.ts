import { defineRoute, type Route } from '@tocsin/http';

/** The key with which browsers subscribe (U22); undefined where the installation has none. */
export const webPushRoute = (publicKey: string | undefined): Route =>
  defineRoute({
    operation: 'get-web-push',
    handle: () => Promise.resolve({ body: { data: publicKey === undefined ? {} : { publicKey } } }),
  });
