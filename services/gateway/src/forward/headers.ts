import type { IncomingMessage } from 'node:http';
import { HeadTooLargeError } from '@tocsin/core';
import { FORWARDED_FOR_HEADER, PUBLIC_URL_HEADER, REQUEST_ID_HEADER, PRINCIPAL_HEADER } from '@tocsin/http';
import { callerAddress, calledUrl, headerValue, originOf } from '../request/origin.ts';

/** The headers of a caller that reach a service with every operation. Others do not, so a caller cannot send a principal (K6). */
const PASSED_ON = ['content-type', 'content-encoding', 'accept', 'user-agent'] as const;

/** Whether the header reaches a service with every operation. */
export const isPassedOn = (name: string): boolean => PASSED_ON.some((each) => each === name);

/** Of the value of each. The server bounds the whole head of a request. */
export const MAX_HEADER_BYTES = 8_192;

export interface ForwardingSettings {
  /** Replaces the scheme and host of the request (A12). */
  readonly publicUrl: string | undefined;
  readonly trustedProxies: number;
}

/**
 * The headers of a request to a service: names and values in turn.
 *
 * @throws HeadTooLargeError for a value over {@link MAX_HEADER_BYTES}.
 */
export function forwardedHeaders(
  request: IncomingMessage,
  requestId: string,
  signedPrincipal: string,
  settings: ForwardingSettings,
): string[] {
  const origin = originOf(request, settings.trustedProxies);
  const forwarded = [
    REQUEST_ID_HEADER,
    requestId,
    PRINCIPAL_HEADER,
    signedPrincipal,
    FORWARDED_FOR_HEADER,
    callerAddress(origin),
    PUBLIC_URL_HEADER,
    settings.publicUrl ?? calledUrl(origin),
  ];
  return [...forwarded, ...passedHeaders(request, PASSED_ON)];
}

/**
 * Those of the named headers that the caller sent: names and values in turn.
 *
 * @throws HeadTooLargeError for a value over {@link MAX_HEADER_BYTES}.
 */
export function passedHeaders({ headers }: IncomingMessage, names: readonly string[] = []): string[] {
  return names.flatMap((name) => {
    const value = headerValue(headers[name]);
    if (value === undefined || value === '') return [];
    if (value.length > MAX_HEADER_BYTES) throw new HeadTooLargeError(`The header ${name} is larger than 8 KB.`);
    return [name, value];
  });
}
