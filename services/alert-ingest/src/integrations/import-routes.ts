import { importIntegrationBody, ImportKeyBody } from '@tocsin/api';
import { importRoute, type Route } from '@tocsin/http';
import type { IntegrationImports } from './import-operations.ts';

/** `/v2/imports/integrations` and `/v2/imports/keys` (I5, I6). */
export function importRoutes(imports: IntegrationImports, extraTypes: readonly string[]): readonly Route[] {
  return [
    importRoute({
      operation: 'import-integration',
      body: importIntegrationBody(extraTypes),
      put: (id, body, principal) => imports.put(id, body, principal),
    }),
    importRoute({ operation: 'import-key', body: ImportKeyBody, put: (id, body) => imports.putKey(id, body) }),
  ];
}
