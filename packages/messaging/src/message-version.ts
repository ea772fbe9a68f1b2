import type { IHeaders } from 'kafkajs';

const HEADER = 'v';

/** What says on the wire which version of its schema a message has; nothing says 1. */
export function versionHeaders(version = 1): IHeaders {
  return version === 1 ? {} : { [HEADER]: String(version) };
}

/** The version that `headers` say, 1 or more; 1 where they say none. */
export function versionIn(headers: IHeaders | undefined): number {
  const version = Number(headers?.[HEADER] ?? 1);
  return Number.isSafeInteger(version) && version >= 1 ? version : 1;
}
