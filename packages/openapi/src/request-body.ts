import type { OperationId } from '@tocsin/contracts';
import { DESCRIPTIONS } from './areas/index.ts';
import type { RequestBody } from './description.ts';

/** The body of an operation, and an example of it; undefined where it takes none. */
export const requestBody = (id: OperationId): RequestBody | undefined => DESCRIPTIONS[id].body;
