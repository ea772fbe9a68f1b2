import type { IncomingMessage } from 'node:http';
import type { Operation } from '@tocsin/api';
import { inSteps } from '@tocsin/core';
import { decodedText, textOfMember } from '@tocsin/http';
import { headerValue } from '../request/origin.ts';
import type { RequestTarget } from '../request/target.ts';

/** Words before a key that tools write and that K1 does not know. */
export const TOOL_SCHEMES: readonly string[] = ['Bearer'];

/** The key that a request has outside of `Authorization` and the body (K1, Q2). */
export function otherKeyOf(
  { headers }: IncomingMessage,
  { keyPlaces }: Operation,
  { pathKey, queryKey }: Pick<RequestTarget, 'pathKey' | 'queryKey'>,
): string | undefined {
  return keyPlaces === undefined ? queryKey : (headerValue(headers['x-api-key']) ?? pathKey ?? queryKey);
}

/** Whether the body alone can have the key of the request. */
export function isKeyInBody(
  { headers }: IncomingMessage,
  { keyPlaces }: Operation,
  otherKey: string | undefined,
): boolean {
  const { authorization, 'content-encoding': encoding = 'identity' } = headers;
  return (
    keyPlaces !== undefined &&
    keyPlaces !== 'path' &&
    authorization === undefined &&
    otherKey === undefined &&
    encoding === 'identity'
  );
}

/** The key in the JSON of a body; undefined where it has none. */
export function keyOfBody(body: Buffer, { keyPlaces }: Operation, type = ''): Promise<string | undefined> {
  return inSteps(textOfMember(decodedText(body, type), keyPlaces ?? ''));
}
