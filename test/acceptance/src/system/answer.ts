/** An answer of the gateway. */
export interface Answer {
  readonly status: number;
  /** An answer that is a page for people stands in `page`. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** Whether an answer is a page for people. */
export const isPage = (headers: Headers): boolean => mediaTypeOf(headers) === 'text/html';

export const mediaTypeOf = (headers: Headers): string => headers.get('content-type')?.split(';')[0] ?? '';
