import { isMap, isScalar, parseDocument, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';

/** Marks a comment that says what one value decides; any other comment before a value begins a section. */
const MARK = '-- ';

const HEAD = `# The chart of Tocsin

How to install it: [install with Helm](../../docs/how-to/install-with-helm.md). What the services do with their settings: [operations](../../docs/operations.md).
This page is made of the comments in \`values.yaml\` and the types in \`values.schema.json\` by \`npm run generate\`, which also writes the comments into that schema. Values that do not
exist, or are of a wrong kind, are refused by it.
\`ci/\` has sets of values that the tests render: the least, two of everything, external engines with TLS and logins, engines by operators, the demo, a
restricted namespace, and everything at once.

Argo CD and Kustomize render without looking into the cluster: name \`secrets.existingSecret\`, and nothing that is rendered changes from one time to the next. Kustomize
takes the chart by \`helmCharts\` with \`kustomize build --enable-helm\`; hooks are plain Jobs to it, so set \`prepare.mode: job\` there.
`;

/** The keywords of JSON Schema that the chart uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
  description?: string;
}

interface Row {
  readonly path: string;
  readonly type: string;
  readonly value: string;
  readonly meaning: string;
}

/** The README of a chart: every value with its type, its default and what its comment says, section by section. */
export function chartReadme(values: string, schema: Schema): string {
  const sections = entriesOf(mapOf(values)).map(({ key, comment, value }) => {
    const isAbout = !comment.startsWith(MARK);
    const rows = rowsOf(key, isAbout ? '' : comment, value, (path) => typeAt(path, schema));
    return `\n## \`${key}\`\n\n${isAbout && comment !== '' ? `${comment}\n\n` : ''}${table(rows)}`;
  });
  return HEAD + sections.join('');
}

/** The schema with the comment of each value as its description. A definition gets the comments of the first value that refers to it. */
export function describedSchema(values: string, schema: Schema): Schema {
  const described = structuredClone(schema);
  describe(described, '', commentsIn(entriesOf(mapOf(values)), ''), described, new Set());
  return described;
}

/** The paths of all properties without a description, in the schema and its definitions. */
export function withoutDescription(schema: Schema, path = ''): readonly string[] {
  return ['properties', 'definitions'].flatMap((part) =>
    Object.entries(schema[part as 'properties' | 'definitions'] ?? {}).flatMap(([key, below]) => {
      const own = part === 'properties' && below.description === undefined ? [`${path}${key}`] : [];
      return [
        ...own,
        ...withoutDescription(below, `${path}${key}.`),
        ...withoutDescription(below.items ?? {}, `${path}${key}[].`),
      ];
    }),
  );
}

function describe(
  schema: Schema,
  path: string,
  comments: ReadonlyMap<string, string>,
  root: Schema,
  seen: Set<Schema>,
): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const comment = comments.get(`${path}${key}`);
    if (comment !== undefined) property.description = comment;
    describe(resolved(property, root), `${path}${key}.`, comments, root, seen);
  }
}

/** The definition that `schema` refers to, or `schema` when it has no `$ref`. */
function resolved(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const keys = schema.$ref.replace('#/', '').split('/');
  return keys.reduce((below, key) => (below as Record<string, Schema>)[key] ?? {}, root);
}

function typeAt(path: string, root: Schema): string {
  const found = path
    .split('.')
    .reduce<Schema | undefined>((schema, key) => schema && resolved(schema, root).properties?.[key], root);
  return found === undefined ? '' : typeOf(resolved(found, root), root);
}

function typeOf(schema: Schema, root: Schema): string {
  const { type, anyOf, items } = schema;
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(resolved(one, root), root)).join(' or ');
  if (type === 'array' && items !== undefined) return `list of ${typeOf(resolved(items, root), root)}`;
  return [type ?? ''].flat().join(' or ').replace('array', 'list');
}

function mapOf(values: string): YAMLMap {
  const { contents } = parseDocument(values);
  if (!isMap(contents)) throw new Error('The values of the chart are no map.');
  return contents;
}

interface Entry {
  readonly key: string;
  readonly comment: string;
  readonly value: Node | null;
}

function entriesOf(map: YAMLMap): readonly Entry[] {
  return map.items.map((pair, index) => {
    const { key, value } = pair as Pair<Scalar<string>, Node | null>;
    // The comment before the first key of a map belongs to the map.
    const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined);
    return { key: key.value, comment: textOf(comment ?? ''), value };
  });
}

function commentsIn(entries: readonly Entry[], path: string): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ key, comment, value }) => {
      const own = comment === '' ? [] : [[`${path}${key}`, comment.replace(MARK, '')] as const];
      const below = isMap(value) && value.flow !== true ? commentsIn(entriesOf(value), `${path}${key}.`) : [];
      return [...own, ...below];
    }),
  );
}

/** One line of the last block of a comment. */
function textOf(comment: string): string {
  const block = comment.split(/\n\s*\n/).at(-1) ?? '';
  return block.replaceAll(/\s*\n\s*/g, ' ').trim();
}

/** A map is one row where its parts say nothing of their own, and their rows where they do. */
function rowsOf(path: string, comment: string, value: Node | null, type: (path: string) => string): readonly Row[] {
  const parts = isMap(value) && value.flow !== true ? entriesOf(value) : [];
  const meaning = comment.replace(MARK, '');
  const speak = parts.some((part) => part.comment !== '' || (isMap(part.value) && part.value.flow !== true));
  const row = { path, type: type(path), meaning };
  if (parts.length === 0 || (meaning !== '' && !speak)) return [{ ...row, value: defaultOf(value) }];
  const own = meaning === '' ? [] : [{ ...row, value: '' }];
  return [...own, ...parts.flatMap((part) => rowsOf(`${path}.${part.key}`, part.comment, part.value, type))];
}

function defaultOf(value: Node | null): string {
  if (value === null || (isScalar(value) && value.value === null)) return 'null';
  const plain: unknown = value.toJSON();
  return plain === '' ? '' : typeof plain === 'string' ? plain : JSON.stringify(plain);
}

function table(rows: readonly Row[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const lines = rows.map(
    ({ path, type, value, meaning }) =>
      `| \`${path}\` | ${cell(type)} | ${value === '' ? '' : `\`${cell(value)}\``} | ${cell(meaning)} |`,
  );
  return ['| value | type | default | what it decides |', '| --- | --- | --- | --- |', ...lines, ''].join('\n');
}
