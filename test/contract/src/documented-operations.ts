import { readFileSync } from 'node:fs';
import { matchOperation, type Method, type Operation } from '@tocsin/api';

/** One line of a table of the specification: a method that a path takes. */
interface DocumentedOperation {
  readonly method: Method;
  /** As the specification writes it, suffixes of a section after its prefix. */
  readonly path: string;
  readonly section: string;
}

const FILE = new URL('../documented-operations.json', import.meta.url);

/** Every pair of method and path in the tables of the three parts of the specification, in their order. */
export const DOCUMENTED = JSON.parse(readFileSync(FILE, 'utf8')) as readonly DocumentedOperation[];

/** A request line that asks for the operation. */
export const someTarget = (path: string): string => path.replaceAll(/\{\w+\}/g, 'some-name');

/** The operation of the table that answers the documented one. */
export function operationOf({ method, path }: DocumentedOperation): Operation | undefined {
  const match = matchOperation(method, someTarget(path));
  return match.outcome === 'matched' ? match.operation : undefined;
}
