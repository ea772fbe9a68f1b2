/** What a request says of itself and of its connection: nobody sets these by hand. In lower case. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
]);
