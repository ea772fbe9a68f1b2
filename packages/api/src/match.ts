import type { Method, Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/** The result for a request line: one operation, a path without this method, or no documented path. */
export type OperationMatch =
  | {
      readonly outcome: 'matched';
      readonly operation: Operation;
      /** Percent-decoded; `+` is a plus (wire facts 10.5). */
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly outcome: 'method-not-allowed'; readonly allowed: readonly Method[] }
  | { readonly outcome: 'not-found' };

/** One place in a path. Of its ways on, the most specific one that leads to an operation of the method is taken. */
interface Node {
  readonly fixed: Map<string, Node>;
  /** `{parameter}.ics`: a parameter with a fixed end. */
  readonly suffixed: Map<string, Node>;
  parameter: Node | undefined;
  /** The operations that end here; undefined where none does. */
  operations: Map<Method, Operation> | undefined;
}

const PARAMETER = /^\{(\w+)\}(.*)$/;
const NOT_FOUND: OperationMatch = { outcome: 'not-found' };
const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

const root = grow(OPERATIONS);
const parameterNames = new Map<string, readonly string[]>(OPERATIONS.map((entry) => [entry.id, namesIn(entry.path)]));

/**
 * Finds the operation that `method` on `path` means, in time linear in the length of the path.
 *
 * A fixed segment wins over a parameter with a suffix, and that over a plain parameter, where it leads to an operation of that
 * method. So `GET /v2/alerts/count` counts unless it is written percent-encoded, and `DELETE /v2/alerts/count` deletes the alert
 * of that alias. One trailing slash is accepted (E5); a segment that is empty or not decodable
 * matches nothing. The letter case matters.
 *
 * @param method upper case
 * @param path the request's path as sent, still percent-encoded, without the query
 */
export function matchOperation(method: string, path: string): OperationMatch {
  const segments = segmentsOf(path);
  if (segments === undefined) return NOT_FOUND;
  const search: Search = { method, segments, values: [], otherMethods: new Set() };
  const operation = descend(root, search, 0);
  if (operation !== undefined) return paramsOf(operation, search.values);
  if (search.otherMethods.size === 0) return NOT_FOUND;
  return { outcome: 'method-not-allowed', allowed: [...search.otherMethods] };
}

function paramsOf(operation: Operation, values: readonly string[]): OperationMatch {
  if (values.length === 0) return { outcome: 'matched', operation, params: NO_PARAMS };
  const params: Record<string, string> = {};
  const names = parameterNames.get(operation.id) ?? [];
  for (const [index, value] of values.entries()) {
    const decoded = decode(value);
    if (decoded === undefined) return NOT_FOUND;
    params[names[index] ?? index] = decoded;
  }
  return { outcome: 'matched', operation, params };
}

function segmentsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith('/')) return undefined;
  const segments = path.slice(1, path.endsWith('/') ? -1 : undefined).split('/');
  return segments.includes('') ? undefined : segments;
}

/** One walk through the tree. */
interface Search {
  readonly method: string;
  readonly segments: readonly string[];
  /** The values of the parameters on the path that is tried. */
  readonly values: string[];
  /** The methods of the ways that lack `method`. */
  readonly otherMethods: Set<Method>;
}

function descend(node: Node, search: Search, depth: number): Operation | undefined {
  const segment = search.segments[depth];
  if (segment === undefined) return endingAt(node, search);
  const fixed = node.fixed.get(segment);
  const found = fixed && descend(fixed, search, depth + 1);
  if (found !== undefined) return found;
  for (const [suffix, next] of node.suffixed) {
    if (segment.length <= suffix.length || !segment.endsWith(suffix)) continue;
    const ended = descendWith(segment.slice(0, -suffix.length), next, search, depth);
    if (ended !== undefined) return ended;
  }
  return node.parameter && descendWith(segment, node.parameter, search, depth);
}

function descendWith(value: string, next: Node, search: Search, depth: number): Operation | undefined {
  const { values } = search;
  const before = values.length;
  values.push(value);
  const found = descend(next, search, depth + 1);
  if (found === undefined) values.length = before;
  return found;
}

function endingAt({ operations }: Node, { method, otherMethods }: Search): Operation | undefined {
  const operation = operations?.get(method as Method);
  if (operation === undefined) for (const other of operations?.keys() ?? []) otherMethods.add(other);
  return operation;
}

function grow(operations: readonly Operation[]): Node {
  const top = emptyNode();
  for (const entry of operations) {
    let node = top;
    for (const segment of entry.path.slice(1).split('/')) node = childOf(node, segment);
    node.operations ??= new Map();
    node.operations.set(entry.method, entry);
  }
  return top;
}

function childOf(node: Node, segment: string): Node {
  const suffix = PARAMETER.exec(segment)?.[2];
  if (suffix === '') return (node.parameter ??= emptyNode());
  const children = suffix === undefined ? node.fixed : node.suffixed;
  const key = suffix ?? segment;
  const child = children.get(key) ?? emptyNode();
  children.set(key, child);
  return child;
}

function emptyNode(): Node {
  return { fixed: new Map(), suffixed: new Map(), parameter: undefined, operations: undefined };
}

function namesIn(path: string): readonly string[] {
  return path.split('/').flatMap((segment) => PARAMETER.exec(segment)?.[1] ?? []);
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
