export { matchOperation } from './match.ts';
export type { OperationMatch } from './match.ts';
export { DOMAINS, SERVICES } from './operation.ts';
export type { Domain, Method, Operation, Right, ServiceName } from './operation.ts';
export { operation, OPERATIONS } from './table.ts';
export type { OperationId } from './table.ts';
