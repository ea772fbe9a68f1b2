/** Carries the request's id, a UUID v7, in both directions (E3). */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Carries the address of the caller: the gateway writes exactly one, the first untrusted hop (A3). */
export const FORWARDED_FOR_HEADER = 'x-forwarded-for';

/** Carries scheme and host under which the caller knows the installation, for paging URLs (A12). */
export const PUBLIC_URL_HEADER = 'x-tocsin-public-url';
