import { openApiDocument } from '@tocsin/api/openapi';
import { code } from './markdown.ts';

/** The keywords of JSON Schema that say what a field takes. */
interface Schema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** A field, such as `rules[].delay`, or `?limit` of a query, and one schema of it. */
type Field = readonly [path: string, schema: Schema];

/** Texts and lists without a limit of their own have this one (E14), which is not repeated for each of them. */
const GENERAL_LIMIT = 1000;
/** A longer list of values is left to `/openapi.json`. */
const MAX_VALUES = 20;

/**
 * The fields of an operation with a limit, values or a default, down to the fields of one object or list. By the ids of the operations,
 * then by the paths of the fields.
 */
export function fieldsByOperation(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const { paths } = openApiDocument('') as unknown as { paths: Record<string, Record<string, Described>> };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return new Map(operations.map((each) => [each.operationId, limitsOf(each)]));
}

function limitsOf({ parameters = [], requestBody }: Described): ReadonlyMap<string, string> {
  const fields = [
    ...parameters.filter((each) => each.in === 'query').flatMap(({ name, schema }) => fieldsIn(`?${name}`, schema)),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsIn('', schema)),
  ];
  const limits = [...Map.groupBy(fields, ([path]) => path)].map(
    ([path, schemas]) => [path, whatItTakes(schemas.map(([, schema]) => schema))] as const,
  );
  return new Map(limits.filter(([path, limit]) => limit !== '' && !path.endsWith('.id')));
}

/** By any of the schemas of a field, in words; empty where none says more than E14. */
function whatItTakes(schemas: readonly Schema[]): string {
  const values = new Set(
    schemas.flatMap((schema) => [...(schema.enum ?? []), schema.const]).filter((each) => isWord(each)),
  );
  const largest = (key: 'maxLength' | 'maximum' | 'maxItems'): number =>
    Math.max(0, ...schemas.flatMap((schema) => schema[key] ?? []));
  const [length, maximum, items] = [largest('maxLength'), largest('maximum'), largest('maxItems')];
  const minimum = Math.min(...schemas.flatMap((schema) => schema.minimum ?? []));
  const preset = schemas.find((schema) => schema.default !== undefined)?.default;
  return [
    ...(values.size > MAX_VALUES ? [`one of ${values.size} values`] : [...values].map(code)),
    ...(isOwn(length) ? [`${grouped(length)} characters`] : []),
    ...(maximum > 0 && maximum < Number.MAX_SAFE_INTEGER ? [`${grouped(minimum)} to ${grouped(maximum)}`] : []),
    ...(isOwn(items) ? [`${grouped(items)} items`] : []),
    ...(preset === undefined ? [] : [`default ${code(typeof preset === 'string' ? preset : JSON.stringify(preset))}`]),
  ].join(', ');
}

function fieldsIn(path: string, schema: Schema): readonly Field[] {
  if (path.split('.').length > 2) return [];
  const { anyOf = [], oneOf = [], items, properties = {} } = schema;
  return [
    [path, schema],
    ...[...anyOf, ...oneOf].flatMap((each) => fieldsIn(path, each)),
    ...(items === undefined ? [] : fieldsIn(`${path}[]`, items)),
    ...Object.entries(properties).flatMap(([name, each]) => fieldsIn(path === '' ? name : `${path}.${name}`, each)),
  ];
}

/** Clients may send a boolean as a text (E12); such texts are not listed. */
const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value !== 'true' && value !== 'false';

const isOwn = (limit: number): boolean => limit > 0 && limit !== GENERAL_LIMIT;

/** `25 000`. */
const grouped = (value: number): string => value.toLocaleString('en').replaceAll(',', ' ');
