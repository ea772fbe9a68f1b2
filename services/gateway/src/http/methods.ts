import { matchOperation, type Operation } from '@tocsin/contracts';
import { MethodNotAllowedError, NotFoundError } from '@tocsin/errors';

/** The method that counts: HEAD is the GET of its path, whose body Node leaves out. */
export function meantMethod(method = ''): string {
  return method === 'HEAD' ? 'GET' : method;
}

/**
 * The operation that `method` on `path` means.
 *
 * @throws NotFoundError for a path that is not documented; MethodNotAllowedError with all that the path takes.
 */
export function requestedOperation(method: string, path: string): Operation {
  const match = matchOperation(method, path);
  if (match.outcome === 'matched') return match.operation;
  if (match.outcome === 'not-found') throw new NotFoundError('No handler found');
  throw new MethodNotAllowedError(allowed(match.allowed));
}

/**
 * What `path` may be asked for.
 *
 * @throws NotFoundError for a path that is not documented.
 */
export function methodsAt(path: string): readonly string[] {
  const match = matchOperation('OPTIONS', path);
  if (match.outcome !== 'method-not-allowed') throw new NotFoundError('No handler found');
  return allowed(match.allowed);
}

/** All that is taken where `documented` methods are: HEAD where GET is, and OPTIONS everywhere. */
export function allowed(documented: readonly string[]): readonly string[] {
  return [...documented, ...(documented.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}
