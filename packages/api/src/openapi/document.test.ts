import { describe, expect, it } from '@jest/globals';
import { timeZone } from '@tocsin/events';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OPERATIONS } from '../operations.ts';
import { openApiDocument } from './document.ts';

type Json = Readonly<Record<string, unknown>>;

const document = openApiDocument('1.2.3') as unknown as Json;
const operations = Object.values(document['paths'] as Record<string, Record<string, Json>>).flatMap((path) =>
  Object.values(path),
);
const byId = new Map(operations.map((operation) => [operation['operationId'], operation]));
const { tags, components } = document as unknown as {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: { readonly responses: Readonly<Record<string, Json>> };
};

// Each schema is compiled for one value or two: to inline and optimise what they refer to takes longer than to check those.
const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } });
formats.default(ajv);
ajv.addFormat('iana-time-zone', (name: string) => timeZone.safeParse(name).success);
ajv.addSchema(document, 'document');

/** Every object in `value`, and where it stands. */
function* objectsIn(value: unknown, place = '#'): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Json];
  for (const [key, part] of Object.entries(value))
    yield* objectsIn(part, `${place}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
}

/** The target of a reference of this document. */
function at(pointer: string): unknown {
  const segments = pointer.slice(2).split('/');
  return segments.reduce<unknown>((value, segment) => {
    const key = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    return (value as Json | undefined)?.[key];
  }, document);
}

describe('the API description', () => {
  it('describes each operation once', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
  });

  it('is the same each time it is made', () => {
    expect(JSON.stringify(openApiDocument('1.2.3'))).toBe(JSON.stringify(document));
  });

  it('points at nothing that is not there', () => {
    const references = [...objectsIn(document)].flatMap(([place, { $ref }]) =>
      typeof $ref === 'string' ? [[place, $ref] as const] : [],
    );
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter(([, ref]) => !ref.startsWith('#/') || at(ref) === undefined)).toEqual([]);
  });

  it('takes null for a body that may be left out, and for no other (E5)', () => {
    const bodies = [...objectsIn(document['paths'])].flatMap(([place, { requestBody }]) =>
      requestBody === undefined ? [] : [[place, requestBody as Json] as const],
    );
    expect(bodies.some(([, { required }]) => required === false)).toBe(true);
    for (const [place, { required, content }] of bodies) {
      for (const mediaType of Object.keys(content as object)) {
        const pointer = `#/paths${place.slice(1)}/requestBody/content/${encodeURIComponent(mediaType.replace('/', '~1'))}`;
        const takesNull = ajv.compile({ $ref: `document${pointer}/schema` })(null);
        expect([place, takesNull]).toEqual([place, required === false]);
      }
    }
  });

  it('sorts every operation under a heading that is explained', () => {
    const names = tags.map(({ name }) => name);
    for (const operation of operations) expect(names).toEqual(expect.arrayContaining(operation['tags'] as string[]));
    expect(tags.filter(({ description }) => description === '')).toEqual([]);
  });

  it('describes every parameter of every path', () => {
    for (const { id, path } of OPERATIONS.filter(({ id: each }) => byId.has(each))) {
      const parameters = (byId.get(id)?.['parameters'] ?? []) as readonly Json[];
      const named = parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name);
      expect([id, named]).toEqual([id, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
    }
  });

  it('shows by every example a value that its schema takes', () => {
    const faults = [...objectsIn(document)].flatMap(([place, media]) => {
      if (!('example' in media) || !('schema' in media)) return [];
      const validate = ajv.compile({ $ref: `document${place}/schema` });
      return validate(media['example']) ? [] : [`${place}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(faults).toEqual([]);
  });

  it('explains every answer, and gives it the headers that every answer has (E3)', () => {
    const answers = operations.flatMap(({ responses }) => Object.values(responses as Record<string, Json>));
    for (const answer of [
      ...answers.filter(({ $ref }) => $ref === undefined),
      ...Object.values(components.responses),
    ]) {
      expect(answer['description']).not.toBe('');
      expect(Object.keys(answer['headers'] as object)).toEqual(
        expect.arrayContaining(['X-Request-ID', 'X-Response-Time', 'X-RateLimit-State']),
      );
    }
  });
});

const withBody = OPERATIONS.flatMap(({ id, body }) =>
  body && body.mediaType === undefined ? [[id, body] as const] : [],
);

describe('the example of a body', () => {
  it.each(withBody)('of %s is one that the service reads', (_, { schema, example }) => {
    expect(schema.safeParse(example).error?.issues).toBeUndefined();
  });
});
