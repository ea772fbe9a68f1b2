import { CliError, EXIT } from '../cli-error.ts';
import type { Advice } from './advice.ts';
import { isJson, type Json, numberIn, objectIn, textIn } from './json.ts';

/** Why an API gave no answer that can be used. */
export type ApiFault =
  /** The address is not that of the API. */
  | 'wrong-host'
  /** The key is not known, has no access to the configuration, or is of a team. */
  | 'key'
  | 'configuration'
  | 'team-key'
  /** The plan of the account does not include it, or there is nothing of this name. */
  | 'plan'
  | 'missing'
  /** It is busy, fails, or does not answer. */
  | 'unavailable'
  /** Its answer is not what the API documents. */
  | 'answer';

/** An account cannot be read: the message says what to do. The exit code is 2, "cannot say". */
export class ApiReadError extends CliError {
  readonly fault: ApiFault;
  /** The message of the API where it refuses one thing. */
  readonly said: string | undefined;

  constructor(fault: ApiFault, message: string, details: readonly string[] = [], said?: string) {
    super(EXIT.cannotSay, message, details);
    this.fault = fault;
    this.said = said;
  }
}

/** An answer of HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The address and the path of a request, and what an error of its answer advises. */
export interface RequestedFrom {
  readonly url: string;
  readonly path: string;
  readonly advice: Advice;
}

/** The body of a successful answer, or why there is none, and whether the request may succeed when it is sent again. */
export type Reading = { readonly body: Json } | { readonly error: ApiReadError; readonly mayRetry: boolean };

/** What an answer to a GET says. */
export function readingOf(answer: HttpAnswer, from: RequestedFrom): Reading {
  const { headers, status, text } = answer;
  if (status >= 300 && status < 400) return final(wrongHost(from, `sends on to ${headers.get('location') ?? ''}`));
  const body = bodyOf(text);
  if (status < 300) return body === undefined ? unreadable(answer, from) : { body };
  if (status === 429 || (status >= 500 && status !== 501)) return busy(answer, body, from);
  if (body === undefined) return final(wrongHost(from, `answered ${status} without JSON`));
  return final(refusal(status, body, from));
}

const final = (error: ApiReadError): Reading => ({ error, mayRetry: false });

function bodyOf(text: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJson(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const isPage = ({ headers, text }: HttpAnswer): boolean =>
  (headers.get('content-type') ?? '').includes('html') || text.trimStart().startsWith('<');

/** JSON that ends too early is read again. */
function unreadable(answer: HttpAnswer, from: RequestedFrom): Reading {
  const { path, url } = from;
  if (isPage(answer)) return final(wrongHost(from, 'answered with a page for people'));
  const error = new ApiReadError('answer', `The answer of ${url} to ${path} is cut off or is not JSON.`, [
    'Try again. A proxy between this machine and the API may cut long answers.',
  ]);
  return { error, mayRetry: true };
}

function busy({ status }: HttpAnswer, body: Json | undefined, { url }: RequestedFrom): Reading {
  const said = textIn(body, 'message') ?? 'no reason';
  const what = status === 429 ? 'has no room for further requests' : 'fails';
  const error = new ApiReadError('unavailable', `${url} ${what} (${status}: ${said}).`, [
    'Nothing is lost: run the same command again later.',
  ]);
  return { error, mayRetry: true };
}

function wrongHost({ advice, url }: RequestedFrom, what: string): ApiReadError {
  return new ApiReadError('wrong-host', `${url} ${what}: it is not the address of the API.`, [advice.address]);
}

/** The code of 403 for an operation that the account does not have. */
const NOT_SUPPORTED = 40_302;
const KEY_FORMAT = 'Key format is not valid!';

function refusal(status: number, body: Json, from: RequestedFrom): ApiReadError {
  const { advice, path, url } = from;
  const said = textIn(body, 'message') ?? `HTTP ${status}`;
  if (status === 401 || said === KEY_FORMAT)
    return new ApiReadError('key', `${url} does not know the key (${status}: ${said}).`, advice.unknownKey);
  const isNotSupported = status === 403 && numberIn(body, 'code') === NOT_SUPPORTED;
  if (status === 402 || isNotSupported)
    return new ApiReadError('plan', `The account does not include ${path} (${status}: ${said}).`);
  if (status === 403) return notAllowed(said, from);
  if (status === 404 || status === 410)
    return new ApiReadError('missing', `${url} has nothing at ${path} (${status}: ${said}).`, fieldErrors(body), said);
  return new ApiReadError('answer', `${url} refuses to answer ${path} (${status}: ${said}).`, fieldErrors(body), said);
}

/** What is wrong with each field of a request. */
const fieldErrors = (body: Json): readonly string[] =>
  Object.entries(objectIn(body, 'errors') ?? {}).map(([field, reason]) => `${field}: ${String(reason)}`);

function notAllowed(said: string, { advice, path }: RequestedFrom): ApiReadError {
  if (/team/i.test(said))
    return new ApiReadError('team-key', 'The key is of a team and sees no other: the account cannot be read with it.', [
      advice.keyOfTeam,
    ]);
  return new ApiReadError('configuration', `The key may not read ${path} (403: ${said}).`, [advice.keyWithoutRight]);
}
