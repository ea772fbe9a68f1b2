import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { openApiDocument } from '@tocsin/api/openapi';
import { VERSION } from '@tocsin/service';
import { DOCUMENTED, operationOf, someTarget } from './documented-operations.ts';

const { paths = {} } = openApiDocument(VERSION);

/** An operation in the API description. */
const describedAs = (path: string, method: string): unknown =>
  Object.entries(paths[path] ?? {}).find(([verb]) => verb === method.toLowerCase())?.[1];

describe('the specification', () => {
  it('documents 125 operations, each once', () => {
    const lines = DOCUMENTED.map(({ method, path }) => `${method} ${someTarget(path)}`);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toHaveLength(125);
  });

  it.each(DOCUMENTED.map((documented) => [documented.method, documented.path, documented] as const))(
    'finds its %s %s in the table of operations and in the API description',
    (method, path, documented) => {
      const operation = operationOf(documented);
      // The names of parameters are free.
      expect(operation && `${operation.method} ${someTarget(operation.path)}`).toBe(`${method} ${someTarget(path)}`);
      expect(describedAs(operation?.path ?? '', method)).toMatchObject({ operationId: operation?.id });
    },
  );
});

describe('the API description', () => {
  it.each(OPERATIONS.map(({ id, method, path }) => [id, method, path] as const))('has %s', (id, method, path) => {
    expect(describedAs(path, method)).toMatchObject({ operationId: id });
  });
});
