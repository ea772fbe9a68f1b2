import type { OperationId } from '@tocsin/contracts';
import type { Descriptions } from '../description.ts';
import { ESCALATIONS } from './escalations.ts';

/** One description for each operation. */
export const DESCRIPTIONS: Partial<Descriptions<OperationId>> = { ...ESCALATIONS };
