import type { IncomingMessage, ServerResponse } from 'node:http';
import { MethodNotAllowedError } from '@tocsin/core';
import { errorAnswer, refusalFormOf, secondsSince, send } from '@tocsin/http';
import { allowed } from '../request/route-table.ts';

/** One request and its answer. The id is the same in all services (E3). */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Whether admission has counted it for its caller. */
  isCounted: boolean;
}

/** Answers 200 by the gateway itself. */
export function sendOk(call: Call, body: Readonly<Record<string, unknown>>): void {
  setResponseTime(call);
  send(call.response, { status: 200, headers: {}, body: { ...body, ...envelope(call) } });
}

export function sendMethods(call: Call, methods: readonly string[]): void {
  call.response.setHeader('Allow', methods.join(', '));
  sendOk(call, { data: { methods } });
}

export function refuse(call: Call, error: unknown): void {
  setResponseTime(call);
  send(call.response, errorAnswer(error, envelope(call), refusalFormOf(call.response)));
}

/**
 * Whether a request to a path that takes GET alone is a GET. Answers OPTIONS.
 *
 * @throws MethodNotAllowedError for any other method.
 */
export function isRead(call: Call, method: string): boolean {
  if (method === 'GET') return true;
  if (method !== 'OPTIONS') throw new MethodNotAllowedError(allowed(['GET']));
  sendMethods(call, allowed(['GET']));
  return false;
}

/** Sets the header of every answer that says how long it took (E3). */
export function setResponseTime({ response, startedAtMs }: Call): void {
  if (!response.headersSent) response.setHeader('X-Response-Time', String(secondsSince(startedAtMs)));
}

function envelope({ requestId, startedAtMs }: Call): { took: number; requestId: string } {
  return { took: secondsSince(startedAtMs), requestId };
}
