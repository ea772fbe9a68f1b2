import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { DescribedOperation, Domain, Right } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { responsesOf } from './responses.ts';

/** The ways to send a key (K1). */
const KEYS = {
  key: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The key of an integration after the word `GenieKey` or `ServiceKey`, such as `GenieKey 5f1d0a52-…`.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'The key as the password; the user name is not read.' },
  query: { type: 'apiKey', in: 'query', name: 'apiKey', description: 'For senders that can not set a header.' },
} as const;

/** How a signed-in person is known (K21). Over plain http on loopback the cookie has no prefix. */
const SESSION = {
  session: { type: 'apiKey', in: 'cookie', name: '__Host-tocsin-session', description: 'Of a signed-in person.' },
} as const;

/** The authentication of an operation without a key. */
const SECURITY_BY_RIGHT: Readonly<Partial<Record<Right, Record<string, never[]>[]>>> = {
  link: [],
  callback: [],
  'sign-in': [],
  session: [{ session: [] }],
};

interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The names of the groups of operations, in the order of the page. */
const TAGS: Readonly<Record<Domain, Tag>> = {
  alert: {
    name: 'Alerts',
    description:
      'Opening alerts, acting on them and reading them. Writes are accepted at once and settled in the order of each alias.',
  },
  search: { name: 'Search', description: 'Finding and counting alerts, and searches that are kept.' },
  integration: {
    name: 'Integrations',
    description: 'The senders of alerts, their keys and what is made of what they send.',
  },
  heartbeat: { name: 'Heartbeats', description: 'Systems that are expected to say that they are alive.' },
  configuration: {
    name: 'Configuration',
    description: 'Teams, users, schedules, escalations, policies, maintenance and the account.',
  },
  'schedule-oncalls': { name: 'On call', description: 'Who is on call, now and next.' },
};

export type OpenApiDocument = ReturnType<typeof createDocument>;

/**
 * The whole API as OpenAPI 3.1, made of the schemas that the services read requests with: every operation of the table with
 * its parameters, body, answers, refusals and headers. `version` is that of Tocsin.
 */
export function openApiDocument(version: string): OpenApiDocument {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Tocsin',
      version,
      summary: 'Alerts, on-call schedules and who is woken.',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: Object.keys(KEYS).map((way) => ({ [way]: [] })),
    tags: Object.values(TAGS),
    paths: paths(),
    components: { securitySchemes: { ...KEYS, ...SESSION } },
  });
}

function paths(): ZodOpenApiPathsObject {
  const byPath: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of OPERATIONS)
    (byPath[operation.path] ??= {})[operation.method.toLowerCase()] = operationObject(operation);
  return byPath;
}

function operationObject(operation: DescribedOperation): ZodOpenApiOperationObject {
  const { id, maxBodyBytes, summary, path, right, domain, description, body, query, params } = operation;
  // An empty body is an empty object, and so is `null` (E5).
  const isOptional = body?.schema.safeParse({}).success === true;
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [TAGS[domain].name],
    ...(right in SECURITY_BY_RIGHT && { security: SECURITY_BY_RIGHT[right] }),
    requestParams: { path: pathParameters(path, params), ...(query && { query: queryParameters(query) }) },
    ...(body && {
      requestBody: {
        ...(maxBodyBytes !== undefined && { description: longest(maxBodyBytes) }),
        required: !isOptional,
        content: {
          [body.mediaType ?? 'application/json']: {
            schema: isOptional ? body.schema.nullable() : body.schema,
            example: body.example,
          },
        },
      },
    }),
    responses: responsesOf(operation),
  };
}

const longest = (bytes: number): string => `At most ${bytes / 1_024} KiB, as it is sent and decompressed.`;

/** The object in a query's schema, whatever is done to a value before or after. */
function queryParameters(query: z.ZodType): z.ZodObject {
  if (query instanceof z.ZodObject) return query;
  if (!(query instanceof z.ZodPipe)) throw new TypeError('A query should be read by an object.');
  const { in: before, out: after } = query;
  return queryParameters((before instanceof z.ZodTransform ? after : before) as z.ZodType);
}

function pathParameters(path: string, params: z.ZodObject | undefined): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return z.object({ ...Object.fromEntries(names.map((name) => [name, z.string().min(1)])), ...params?.shape });
}
