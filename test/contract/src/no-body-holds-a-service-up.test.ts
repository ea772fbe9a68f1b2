import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { openApiDocument } from '@tocsin/api/openapi';
import { VERSION } from '@tocsin/service';
import { REQUEST_BOUNDS, validated } from '@tocsin/http';
import { leastMeasured, MAX_TURN_MS, startProcessorTime } from '@tocsin/testkit';
import { largestBodies, type DescribedBody } from './largest-bodies.ts';

/** How long reading the body takes, in milliseconds of processor time where nothing slows the processor down. */
async function readingMs(read: () => unknown): Promise<number> {
  const { ms } = await leastMeasured(MAX_TURN_MS, () => {
    const elapsedMs = startProcessorTime();
    read();
    return { ms: elapsedMs() };
  });
  return ms;
}

const { components, paths } = openApiDocument(VERSION) as unknown as {
  readonly components: { readonly schemas: DescribedBody['components'] };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: Described }>>>>;
};
interface Described {
  readonly content: Readonly<Record<string, { readonly schema: DescribedBody['schema'] }>>;
}

const described = OPERATIONS.flatMap((operation) => {
  const body = operation.body;
  const json = paths[operation.path]?.[operation.method.toLowerCase()]?.requestBody?.content['application/json'];
  return body === undefined || json === undefined ? [] : [{ operation, body, json: json.schema }];
});

/** Operations with the same body are read alike. */
const different = described.filter(
  ({ body }, index) => described.findIndex((other) => other.body.schema === body.schema) === index,
);

describe('every operation with a JSON body', () => {
  it('is in this test', () => {
    expect(different.length).toBeGreaterThan(50);
    expect(described.every(({ operation }) => operation.maxBodyBytes !== undefined)).toBe(true);
  });

  it.each(different.map((each) => [each.operation.id, each] as const))(
    'reads the largest body of every shape within 20 ms of processor time: %s',
    async (_, { operation: { maxBodyBytes: maxBytes = 0 }, body, json }) => {
      const bodies = largestBodies({
        example: body.example,
        schema: json,
        components: components.schemas,
        maxBytes,
        maxItems: REQUEST_BOUNDS.items,
      });
      const read = (value: unknown) => {
        try {
          return validated(body.schema, value, 'body');
        } catch (error) {
          return error;
        }
      };
      const slow: string[] = [];
      for (const [name, value] of bodies) {
        const ms = await readingMs(() => read(value));
        if (ms > MAX_TURN_MS) slow.push(`${name}: ${ms.toFixed(0)} ms`);
      }
      expect(slow).toEqual([]);
    },
  );
});
