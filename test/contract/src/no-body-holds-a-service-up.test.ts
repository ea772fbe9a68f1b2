import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/contracts';
import { REQUEST_BOUNDS, validated } from '@tocsin/http';
import { openApiDocument, requestBody } from '@tocsin/openapi';
import { largestBodies, type DescribedBody } from './largest-bodies.ts';

/** The longest that an event loop may be blocked, in milliseconds of processor time. */
const MAX_MS = 20;
/** What takes longer is measured again: the collector of garbage may have come in between. */
const TRIES = 5;
/** How long {@link calibrate} takes where nothing slows the processor down, in milliseconds. */
const USUAL_CALIBRATION_MS = 4;

const msOf = (work: () => unknown): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

const fastest = (work: () => unknown, enough: number): number => {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least > enough; tries += 1) least = Math.min(least, msOf(work));
  return least;
};

const TEXT = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index, name: 'a name' })));
const calibrate = (): number => fastest(() => JSON.parse(TEXT) as unknown, 0);

const { components, paths } = openApiDocument() as unknown as {
  readonly components: { readonly schemas: DescribedBody['components'] };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: Described }>>>>;
};
interface Described {
  readonly content: Readonly<Record<string, { readonly schema: DescribedBody['schema'] }>>;
}

const described = OPERATIONS.flatMap((operation) => {
  const body = requestBody(operation.id);
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
    (_, { operation: { maxBodyBytes: maxBytes = 0 }, body, json }) => {
      const limit = MAX_MS * Math.max(1, calibrate() / USUAL_CALIBRATION_MS);
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
        const ms = fastest(() => read(value), limit);
        if (ms > limit) slow.push(`${name}: ${ms.toFixed(0)} ms`);
      }
      expect(slow).toEqual([]);
    },
  );
});
