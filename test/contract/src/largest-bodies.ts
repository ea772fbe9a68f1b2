/** A JSON Schema, with the schemas that it refers to by name. */
interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface DescribedBody {
  /** A body that is taken. */
  readonly example: unknown;
  readonly schema: Schema;
  readonly components: Readonly<Record<string, Schema>>;
  /** The longest body, in bytes. */
  readonly maxBytes: number;
  /** The most keys of one object, or items of one list. */
  readonly maxItems: number;
}

interface Place {
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** How deep a place may lie, through the parts of unions as well. */
const MAX_DEPTH = 8;
/** A step of a path: the first item of a list. */
const ITEM = '0';

/**
 * The example with one part of it as long as a body can be: each part, in each of the shapes that callers could give it. Of
 * parts that are alike and lie equally deep there is one.
 */
export function* largestBodies(body: DescribedBody): Generator<readonly [name: string, body: unknown]> {
  const done = new Set<string>();
  for (const { path, schema } of placesIn(body.schema, body)) {
    const kind = `${path.length} ${JSON.stringify(schema)}`;
    if (path.length === 0 || done.has(kind)) continue;
    done.add(kind);
    for (const [shape, value] of shapesOf(schema, body))
      yield [`${path.join('.')} of ${shape}`, put(body.example, path, value)];
  }
}

function* placesIn(given: Schema, body: DescribedBody, path: readonly string[] = [], depth = 0): Generator<Place> {
  if (depth > MAX_DEPTH) return;
  const schema = resolved(given, body);
  yield { path, schema };
  for (const part of partsOf(schema)) yield* placesIn(part, body, path, depth + 1);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* placesIn(field, body, [...path, name], depth + 1);
  const { additionalProperties: value, items } = schema;
  if (items !== undefined) yield* placesIn(items, body, [...path, ITEM], depth + 1);
  if (typeof value === 'object') yield* placesIn(value, body, [...path, 'name'], depth + 1);
}

const partsOf = ({ anyOf = [], oneOf = [], allOf = [] }: Schema): readonly Schema[] => [...anyOf, ...oneOf, ...allOf];

function resolved(schema: Schema, { components }: DescribedBody): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved({ ...components[name] }, { components } as DescribedBody);
}

/** Texts that take readers long, each a piece that is repeated. */
const TEXTS = ['a', ' ', 'a,', '{{a}}', '{{', '1', '(a|b)', '😀'];

type Shape = readonly [shape: string, value: unknown];

function* shapesOf(schema: Schema, body: DescribedBody): Generator<Shape> {
  const { lists, others, texts } = shapesWithin(body);
  yield* others;
  if (schema.items !== undefined) {
    yield* lists;
    yield ['a list of items', listWithin(body, instanceOf(schema.items, body)).slice(0, sizeOf(schema.items, body))];
  }
  if (schema.properties === undefined && schema.items === undefined) yield* texts;
}

type Bounds = Pick<DescribedBody, 'maxBytes' | 'maxItems'>;

const listWithin = ({ maxBytes, maxItems }: Bounds, value: unknown): readonly unknown[] =>
  Array.from({ length: Math.min(maxItems, Math.floor(maxBytes / 16)) }, () => value);

const made = new Map<string, ReturnType<typeof largestShapes>>();

/** The shapes that do not depend on a schema, made once for the same bounds. */
function shapesWithin({ maxBytes, maxItems }: Bounds): ReturnType<typeof largestShapes> {
  const key = `${maxBytes} ${maxItems}`;
  const shapes = made.get(key) ?? largestShapes({ maxBytes, maxItems });
  made.set(key, shapes);
  return shapes;
}

function largestShapes(bounds: Bounds) {
  const listOf = (value: unknown) => listWithin(bounds, value);
  const mapOf = (value: unknown) => Object.fromEntries(listOf(value).map((each, index) => [`name${index}`, each]));
  const others: readonly Shape[] = [
    ['a list of numbers', listOf(0)],
    ['a map of texts', mapOf('a')],
    ['a map of objects', mapOf({})],
  ];
  const lists: readonly Shape[] = [
    ['a list of texts', listOf('a')],
    ['a list of objects', listOf({})],
  ];
  const texts = TEXTS.map((piece): Shape => {
    const times = Math.floor(bounds.maxBytes / Buffer.byteLength(piece));
    return [`a text of '${piece}'`, piece.repeat(times)];
  });
  return { others, lists, texts };
}

/** How many items of `schema` there is room for. */
const sizeOf = (schema: Schema, body: DescribedBody): number =>
  Math.floor(body.maxBytes / JSON.stringify(instanceOf(schema, body)).length);

/** A value with every field that the schema knows. */
function instanceOf(given: Schema, body: DescribedBody, depth = 0): unknown {
  const schema = resolved(given, body);
  const known = schema.const ?? schema.examples?.[0] ?? schema.enum?.find((value) => value !== '' && value !== null);
  if (known !== undefined || depth > MAX_DEPTH) return known;
  if (schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, instanceOf(field, body, depth + 1)]),
    );
  const [part] = partsOf(schema).filter((each) => resolved(each, body).type !== 'null');
  if (part !== undefined) return instanceOf(part, body, depth + 1);
  return plainInstance(schema, body, depth);
}

function plainInstance({ items = {}, minimum = 1, type }: Schema, body: DescribedBody, depth: number): unknown {
  const instances = new Map<string | undefined, () => unknown>([
    ['array', () => Array.from({ length: 3 }, () => instanceOf(items, body, depth + 1))],
    ['integer', () => minimum],
    ['number', () => minimum],
    ['boolean', () => true],
    ['object', () => ({})],
  ]);
  return instances.get(typeof type === 'string' ? type : type?.[0])?.() ?? 'ada@example.com';
}

/** `body` with `value` at `path`. */
function put(body: unknown, path: readonly string[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (step === ITEM) {
    const [first, ...others] = Array.isArray(body) ? (body as readonly unknown[]) : [{}];
    return [put(first, rest, value), ...others];
  }
  const fields = typeof body === 'object' && !Array.isArray(body) ? (body as Readonly<Record<string, unknown>>) : {};
  return { ...fields, [step]: put(fields[step], rest, value) };
}
