import { UnavailableError } from '@tocsin/errors';

/** @throws UnavailableError when `service` answered anything but success to a request that it cannot refuse. */
export function expectDone({ status }: { readonly status: number }, service: string): void {
  if (status < 200 || status > 299)
    throw new UnavailableError(`The service ${service} did not answer as expected.`, {
      cause: new Error(`status ${status}`),
    });
}
