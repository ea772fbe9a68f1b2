const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
};

/** Why `fetch` failed, in words: it hides that in the cause of its error. */
export function reasonOf(error: unknown): string {
  const { cause = error } = Object(error) as { readonly cause?: unknown };
  const { code = '', message = '' } = Object(cause) as { readonly code?: string; readonly message?: string };
  const reason = REASONS[code] ?? (message === '' ? 'unknown error' : message);
  return code === '' ? reason : `${reason} (${code})`;
}
