import { ImportPath, type OperationId } from '@tocsin/api';
import type { z } from 'zod';
import type { Principal } from './authentication/index.ts';
import type { Route } from './route.ts';
import { validated } from './validation.ts';

type ImportOperation = Extract<OperationId, `import-${string}`>;

/** What an import did (I1). */
export type ImportResult = 'Created' | 'Updated' | 'Unchanged';

/** What an import did that wrote `entity` where `present` was: the same object where it changed nothing. */
export function importedAs({ entity, present }: { readonly entity: unknown; readonly present: unknown }): ImportResult {
  if (present === undefined) return 'Created';
  return entity === present ? 'Unchanged' : 'Updated';
}

/** The route of an import (I1): `put` writes the thing that the body describes, under the id of the path. */
export function importRoute<B>({
  operation,
  body,
  put,
}: {
  readonly operation: ImportOperation;
  readonly body: z.ZodType<B>;
  readonly put: (id: string, body: B, principal: Principal) => Promise<ImportResult>;
}): Route {
  const route: Route<unknown, B> = {
    operation,
    body,
    handle: async ({ params, body: thing, principal }) => {
      const { identifier: id } = validated(ImportPath, params, 'path');
      return { body: { result: await put(id, thing, principal), data: { id } } };
    },
  };
  return route as Route;
}
