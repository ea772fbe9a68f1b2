import type { IHeaders } from 'kafkajs';

const HEADER = 'v';

/** The header with the schema version of a message; 1 without it. */
export function versionHeaders(version = 1): IHeaders {
  return version === 1 ? {} : { [HEADER]: String(version) };
}

/** The schema version in `headers`, 1 or more; 1 where there is none. */
export function versionIn(headers: IHeaders | undefined): number {
  const version = Number(headers?.[HEADER] ?? 1);
  return Number.isSafeInteger(version) && version >= 1 ? version : 1;
}
