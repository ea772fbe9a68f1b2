import { isMap, isScalar, parseDocument, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';

/** Marks a comment that says what one value decides; any other comment before a value begins a section. */
const MARK = '-- ';

const HEAD = `# The chart of Tocsin

How to install it: [install with Helm](../../docs/how-to/install-with-helm.md). What the services do with their settings: [operations](../../docs/operations.md).
This page is made of the comments in \`values.yaml\` by \`npm run chart:readme\`. Values that do not exist, or are of a wrong kind, are refused by \`values.schema.json\`.
\`ci/\` has sets of values that the tests render: the least, two of everything, engines of somebody else with TLS and logins, engines by operators, the demo, a
restricted namespace, and everything at once.

Argo CD and Kustomize render without looking into the cluster: name \`secrets.existingSecret\`, and nothing that is rendered changes from one time to the next. Kustomize
takes the chart by \`helmCharts\` with \`kustomize build --enable-helm\`; hooks are plain Jobs to it, so set \`prepare.mode: job\` there.
`;

interface Row {
  readonly path: string;
  readonly value: string;
  readonly meaning: string;
}

/** The README of a chart: every value with its default and what its comment says, section by section. */
export function chartReadme(values: string): string {
  const { contents } = parseDocument(values);
  if (!isMap(contents)) throw new Error('The values of the chart are no map.');
  const sections = entriesOf(contents).map(({ key, comment, value }) => {
    const isAbout = !comment.startsWith(MARK);
    const rows = rowsOf(key, isAbout ? '' : comment, value);
    return `\n## \`${key}\`\n\n${isAbout && comment !== '' ? `${comment}\n\n` : ''}${table(rows)}`;
  });
  return HEAD + sections.join('');
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

/** One line of the last block of a comment. */
function textOf(comment: string): string {
  const block = comment.split(/\n\s*\n/).at(-1) ?? '';
  return block.replaceAll(/\s*\n\s*/g, ' ').trim();
}

/** A map is one row where its parts say nothing of their own, and their rows where they do. */
function rowsOf(path: string, comment: string, value: Node | null): readonly Row[] {
  const parts = isMap(value) && value.flow !== true ? entriesOf(value) : [];
  const meaning = comment.replace(MARK, '');
  const speak = parts.some((part) => part.comment !== '' || (isMap(part.value) && part.value.flow !== true));
  if (parts.length === 0 || (meaning !== '' && !speak)) return [{ path, value: defaultOf(value), meaning }];
  const own = meaning === '' ? [] : [{ path, value: '', meaning }];
  return [...own, ...parts.flatMap((part) => rowsOf(`${path}.${part.key}`, part.comment, part.value))];
}

function defaultOf(value: Node | null): string {
  if (value === null || (isScalar(value) && value.value === null)) return 'null';
  const plain: unknown = value.toJSON();
  return plain === '' ? '' : typeof plain === 'string' ? plain : JSON.stringify(plain);
}

function table(rows: readonly Row[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const lines = rows.map(
    ({ path, value, meaning }) => `| \`${path}\` | ${value === '' ? '' : `\`${cell(value)}\``} | ${cell(meaning)} |`,
  );
  return ['| value | default | what it decides |', '| --- | --- | --- |', ...lines, ''].join('\n');
}
