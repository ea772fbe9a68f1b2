import { isReadOnly, matchOperation, type Operation } from '@tocsin/api';
import { MethodNotAllowedError, NotFoundError } from '@tocsin/core';

/** HEAD is answered as GET; Node leaves the body out. */
export function effectiveMethod(method = ''): string {
  return method === 'HEAD' ? 'GET' : method;
}

/**
 * The operation of `method` on `path`.
 *
 * @throws NotFoundError for a path that is not documented; MethodNotAllowedError, with the methods of the path, for another method.
 */
export function requestedOperation(method: string | undefined, path: string): Operation {
  const match = matchOperation(effectiveMethod(method), path);
  if (match.outcome === 'matched') {
    // A HEAD changes nothing.
    if (method !== 'HEAD' || isReadOnly(match.operation)) return match.operation;
    throw new MethodNotAllowedError(methodsAt(path));
  }
  if (match.outcome === 'not-found') throw new NotFoundError('No handler found');
  throw new MethodNotAllowedError(methodsAt(path));
}

/**
 * The methods of `path`.
 *
 * @throws NotFoundError for a path that is not documented.
 */
export function methodsAt(path: string): readonly string[] {
  const match = matchOperation('OPTIONS', path);
  if (match.outcome !== 'method-not-allowed') throw new NotFoundError('No handler found');
  const get = matchOperation('GET', path);
  const hasHead = get.outcome === 'matched' && isReadOnly(get.operation);
  return allowed(match.allowed).filter((each) => each !== 'HEAD' || hasHead);
}

/** The documented methods, HEAD where GET is one of them, and OPTIONS. */
export function allowed(documented: readonly string[]): readonly string[] {
  return [...documented, ...(documented.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}
