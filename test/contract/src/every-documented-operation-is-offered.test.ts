import { describe, expect, it } from '@jest/globals';
import { DOCUMENTED, operationOf, someTarget } from './documented-operations.ts';

describe('the specification', () => {
  it('documents 125 operations, each once', () => {
    const lines = DOCUMENTED.map(({ method, path }) => `${method} ${someTarget(path)}`);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toHaveLength(125);
  });

  it.each(DOCUMENTED.map((documented) => [documented.method, documented.path, documented] as const))(
    'finds its %s %s in the table of operations',
    (method, path, documented) => {
      const operation = operationOf(documented);
      // The names of parameters are free.
      expect(operation && `${operation.method} ${someTarget(operation.path)}`).toBe(`${method} ${someTarget(path)}`);
    },
  );
});
