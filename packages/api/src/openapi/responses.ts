import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { DescribedOperation, FileSuccess, JsonSuccess, Right } from '../operation.ts';

const REQUEST_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e10';

/** The fields of every body about its request (E1). */
const envelope = {
  took: z.number().min(0.001).meta({ description: 'Seconds.' }),
  requestId: z.uuid().meta({ description: 'Equal to the header X-Request-ID.' }),
};
const ENVELOPE_EXAMPLE = { took: 0.012, requestId: REQUEST_ID };

/** E3. */
const headers = z.object({
  'X-Request-ID': z.uuid().meta({ description: 'The id of the request, by which it is found in logs.' }),
  'X-Response-Time': z.string().meta({ description: 'Seconds.', examples: ['0.012'] }),
  'X-RateLimit-State': z.enum(['OK', 'THROTTLED']),
});
const retryAfter = z
  .string()
  .regex(/^\d+$/)
  .meta({ description: 'After how many seconds to try again.', examples: ['1'] });
const unavailable = headers.extend({ 'Retry-After': retryAfter });
const throttled = headers.extend({
  'Retry-After': retryAfter,
  'X-RateLimit-Reason': z
    .enum(['INTEGRATION', 'ADDRESS', 'USER'])
    .meta({ description: 'Whose limit it is: of the key, of the address of the caller, or of the user in the path.' }),
  'X-RateLimit-Period-In-Sec': z
    .string()
    .regex(/^\d+$/)
    .meta({ description: 'The period of the limit, in seconds.', examples: ['1'] }),
});

const Refusal = z.object({ message: z.string(), ...envelope }).meta({ id: 'Refusal' });
const Forbidden = z.object({ code: z.literal(40_301), message: z.string(), ...envelope }).meta({ id: 'Forbidden' });
const Invalid = z
  .object({
    message: z.string(),
    errors: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Path of each refused field, such as `rules[0].delay`, and what is wrong with it.' }),
    ...envelope,
  })
  .meta({ id: 'Invalid' });

/** Of operations whose clients read it so (Q7). */
const EventRefusal = z
  .object({
    status: z.enum(['invalid event', 'throttle exceeded', 'error']),
    code: z.literal(40_301).optional(),
    message: z.string(),
    errors: z.array(z.string()).meta({ description: 'What is wrong, one sentence each.' }),
    ...envelope,
  })
  .meta({ id: 'EventRefusal' });

interface RefusalText {
  readonly description: string;
  readonly message: string;
}

/** E2, E4: what each status means, and a message that comes with it. */
const REFUSALS = {
  400: { description: 'The body is not JSON.', message: 'The body is not JSON.' },
  401: { description: 'No key, an unknown one, or that of a disabled integration.', message: 'Could not authenticate' },
  403: { description: 'The key lacks the right.', message: 'You are not authorized to perform this operation.' },
  404: { description: 'The thing, or one that the body refers to, does not exist.', message: 'No such escalation.' },
  408: { description: 'The body did not arrive in time.', message: 'The body did not arrive in time.' },
  409: { description: 'The name is taken.', message: 'The name is taken.' },
  413: { description: 'The body is too large.', message: 'The body is too large.' },
  414: { description: 'Path and query are too long.', message: 'Path and query are longer than 16 KB.' },
  415: { description: 'The content type is not JSON.', message: 'The content type is not supported.' },
  422: {
    description: 'A value of the path, the query or the body is wrong, or the key is not of the form of one.',
    message: 'Request body is not processable. Please check the errors.',
  },
  428: { description: 'Another thing still uses this one.', message: 'It is still used by the escalation Nights.' },
  429: { description: 'The rate limit of the caller is used up.', message: 'You are making too many requests!' },
  431: { description: 'A header is too large, or all are.', message: 'Path and headers are too large.' },
  500: { description: 'A defect of Tocsin.', message: 'Internal Server Error' },
  502: {
    description: 'A service ended before it answered.',
    message: 'A service ended before it answered. Please try again.',
  },
  503: {
    description:
      'Something that is needed is unavailable, too many requests are under way, or too many alerts wait to be processed.',
    message: 'Please try again.',
  },
  504: {
    description: 'A service did not answer in time.',
    message: 'A service did not answer in time. Please try again.',
  },
} as const satisfies Record<number, RefusalText>;
type Status = keyof typeof REFUSALS;

const ALWAYS: readonly Status[] = [401, 403, 414, 422, 429, 431, 500, 502, 503, 504];
/** A body is awaited whether it is read or not. */
const ARRIVING: readonly Status[] = [408, 413];
const READ: readonly Status[] = [400, 415];

/** Refusals that a caller without a key never receives. Of a callback, 403 says that its signature is not that of the provider. */
const WITHOUT_A_KEY: Readonly<Partial<Record<Right, readonly Status[]>>> = {
  link: [401, 403],
  callback: [401],
  'sign-in': [401],
};

/** One object for each status: operations share it by reference. */
const ANSWERS = Object.fromEntries(
  Object.keys(REFUSALS).map((status) => [status, refusal(Number(status) as Status)]),
) as unknown as Readonly<Record<Status, ZodOpenApiResponseObject>>;

const EVENT_ANSWERS = Object.fromEntries(
  Object.keys(REFUSALS).map((status) => [status, eventRefusal(Number(status) as Status)]),
) as unknown as typeof ANSWERS;

const PENDING: ZodOpenApiResponseObject = {
  ...refusal(404),
  id: 'RefusalOrPending404',
  description: 'It does not exist; with the header X-Opsgenie-Errortype it is still on its way.',
  headers: headers.extend({ 'X-Opsgenie-Errortype': z.literal('RequestNotProcessed').optional() }),
};

/** Without a body. */
const UNCHANGED: ZodOpenApiResponseObject = {
  description: 'It is as the `If-None-Match` of the request says: the caller has it already.',
  headers: headers.extend({ ETag: z.string() }),
};

type Responses = Record<`${1 | 2 | 3 | 4 | 5}${string}`, ZodOpenApiResponseObject>;

/** Every answer of an operation by its status. */
export function responsesOf(operation: DescribedOperation): Responses {
  const { body, mayBePending, method, pages: described = {}, refusals = [], right, success, summary } = operation;
  const isEvent = operation.refusalForm === 'event';
  const refused = [...ALWAYS, ...(method === 'GET' ? [] : ARRIVING), ...(body ? READ : []), ...refusals]
    .filter((status) => !WITHOUT_A_KEY[right]?.includes(status))
    .filter((status) => !isEvent || status !== 422)
    .sort((a, b) => a - b);
  const { status = 200 } = success;
  const pages = Object.entries(described).map(
    ([each, description]) => [each, fileAnswer({ mediaType: 'text/html', description })] as const,
  );
  return Object.fromEntries([
    [status, 'schema' in success ? jsonAnswer(success, summary) : fileAnswer(success)],
    ...pages,
    ...('hasTag' in success ? [[304, UNCHANGED] as const] : []),
    ...refused.map((each) => [
      each,
      each === 404 && mayBePending ? PENDING : (isEvent ? EVENT_ANSWERS : ANSWERS)[each],
    ]),
  ]) as Responses;
}

function jsonAnswer({ schema, example, or }: JsonSuccess, summary: string): ZodOpenApiResponseObject {
  return {
    description: `Done: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}.`,
    headers,
    content: {
      'application/json': { schema: schema.extend(envelope), example: { ...example, ...ENVELOPE_EXAMPLE } },
      ...(or && { [or.mediaType]: { schema: z.string() } }),
    },
  };
}

function fileAnswer({ mediaType, description }: FileSuccess): ZodOpenApiResponseObject {
  return { description, headers, content: { [mediaType]: { schema: z.string() } } };
}

function refusal(status: Status): ZodOpenApiResponseObject {
  const { description, message } = REFUSALS[status];
  const schema = status === 403 ? Forbidden : status === 422 ? Invalid : Refusal;
  const example = { ...(status === 403 && { code: 40_301 }), message, ...ENVELOPE_EXAMPLE };
  return {
    id: `Refusal${status}`,
    description,
    headers: status === 429 ? throttled : status === 503 ? unavailable : headers,
    content: { 'application/json': { schema, example } },
  };
}

function eventRefusal(status: Status): ZodOpenApiResponseObject {
  const { message } = REFUSALS[status];
  const word = status === 429 ? 'throttle exceeded' : status < 500 ? 'invalid event' : 'error';
  const example = { status: word, message, errors: [message], ...ENVELOPE_EXAMPLE };
  return {
    ...ANSWERS[status],
    id: `EventRefusal${status}`,
    content: { 'application/json': { schema: EventRefusal, example } },
  };
}
