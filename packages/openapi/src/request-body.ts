import type { OperationId } from '@tocsin/contracts';
import { DESCRIPTIONS } from './areas/index.ts';
import type { RequestBody } from './description.ts';

/** The body of an operation with an example; undefined for an operation without body. */
export const requestBody = (id: OperationId): RequestBody | undefined => DESCRIPTIONS[id].body;
