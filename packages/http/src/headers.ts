/** The request id, a UUID v7, of requests and answers (E3). */
export const REQUEST_ID_HEADER = 'x-request-id';

/** The caller's address. The gateway sets exactly one, the first untrusted hop (A3). */
export const FORWARDED_FOR_HEADER = 'x-forwarded-for';

/** The scheme and host by which the caller reaches the installation, for paging URLs (A12). */
export const PUBLIC_URL_HEADER = 'x-tocsin-public-url';

/** How many items the request of a tool had (Q1). */
export const ITEM_COUNT_HEADER = 'x-item-count';
