import { code, type Row, table } from './markdown.ts';

/** A preset as its file has it. Unit tests of alert-ingest check the files. */
export interface PresetFile {
  readonly name: string;
  readonly title: string;
  readonly docs?: string;
  readonly types?: readonly string[];
  readonly vendors?: readonly string[];
  readonly items?: string;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly states?: Readonly<Record<string, string>>;
  readonly priorities?: Readonly<Record<string, string>>;
  readonly details?: readonly string[];
  readonly tags?: readonly string[];
  readonly setUp?: readonly string[];
  readonly notes?: readonly string[];
  readonly unsure?: readonly string[];
}

/** A request of a tool as a file beside the presets has it. */
export interface SampleFile {
  /** That of the file, which begins with the effect of the request. */
  readonly name: string;
  readonly about: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PresetWithSamples {
  readonly preset: PresetFile;
  readonly samples: readonly SampleFile[];
}

const HOST = 'https://tocsin.example.com';

const EFFECTS: Readonly<Record<string, string>> = {
  open: 'opens an alert, or counts on the open one',
  close: 'closes the alert',
  acknowledge: 'acknowledges the alert',
  ignore: 'changes nothing',
};

/** What the fields of a preset become. Others are for actions of users. */
const BECOMES: Readonly<Record<string, string>> = {
  state: 'what the request does',
  key: 'the key in the alias of the alert',
  summary: 'message',
  severity: 'priority',
  text: 'description; of a close its note',
  link: 'last line of the description',
  object: 'entity',
  source: 'source',
};

const INDEX_HEAD = `# Presets

Tocsin knows how these tools write their requests. The page of each says what to set in the tool, what the requests become, and what is unsure. Any other tool that sends JSON, a form or a query is read by [the fallback](fallback.md), or by [a preset of your own](../how-to/write-a-preset.md). [Take requests of tools](../how-to/take-requests-of-tools.md) says what they have in common.

The samples are written from what each tool documents. Tests send with a real Alertmanager and with curl, and read what the notifier of Grafana itself wrote. Before you rely on another tool, let it send a test, or try a request that it sent with \`tocsin integration try\`.

A tool that can send to the host of the original alone is in [tools with a fixed host](../how-to/move-a-tool-with-a-fixed-host.md).

`;

/** The pages by their names in the folder, with an index. They are to be formatted. */
export function presetPages(presets: readonly PresetWithSamples[]): Readonly<Record<string, string>> {
  const byTitle = presets.toSorted((one, other) => one.preset.title.localeCompare(other.preset.title));
  return {
    'README.md': INDEX_HEAD + table(['tool', 'type of integration', 'closes alerts'], byTitle.map(indexRow)),
    ...Object.fromEntries(presets.map((each) => [`${each.preset.name}.md`, page(each)])),
  };
}

function indexRow({ preset: { name, title, types = [], states = {} } }: PresetWithSamples): Row {
  const closes = Object.values(states).includes('close') ? 'yes' : 'no';
  return [`[${title}](${name}.md)`, types.map(code).join(', ') || code('API'), closes];
}

/** Where the tool sends: the name of the preset is part of it where no type of integration says which tool it is. */
function urlOf({ name, types = [] }: PresetFile): string {
  return `${HOST}/hooks/<apiKey>${types.length === 0 ? `/${name}` : ''}`;
}

function page({ preset, samples }: PresetWithSamples): string {
  const { name, title, docs, setUp = [], notes = [], unsure = [] } = preset;
  const source = `\`npm run generate\` makes this page of \`services/alert-ingest/presets/${name}.json\` and its samples: [write a preset](../how-to/write-a-preset.md).`;
  return [
    `# ${title}`,
    [docs && `[Documentation of the tool](${docs}).`, source].filter(Boolean).join(' '),
    '## Set it up',
    [`Make an integration of the type ${typeOf(preset)}. Its address is \`${urlOf(preset)}\`.`, vendorsOf(preset)]
      .filter(Boolean)
      .join(' '),
    list(setUp.map((line) => line.replaceAll('<URL>', urlOf(preset)))),
    ...(notes.length === 0 ? [] : ['## What to know', list(notes)]),
    ...(unsure.length === 0 ? [] : ['## What is unsure', list(unsure)]),
    '## What a request does',
    statesOf(preset),
    '## What becomes of its fields',
    fieldsOf(preset),
    prioritiesOf(preset),
    '## Samples',
    ...samples.map(sampleOf),
  ].join('\n\n');
}

const typeOf = ({ types = [] }: PresetFile): string => types.map(code).join(' or ') || code('API');

function vendorsOf({ vendors = [] }: PresetFile): string {
  const paths = vendors.map((vendor) => code(`/v1/json/${vendor}?apiKey=<apiKey>`));
  return paths.length === 0 ? '' : `What was made for the original can send to ${paths.join(' or ')} there.`;
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

function statesOf({ fields: { state = [] }, states = {}, items }: PresetFile): string {
  const each = items === undefined ? '' : `Each item of ${code(items)} is an alert of its own. `;
  if (state.length === 0) return `${each}Each request opens an alert, or counts on the open one. None closes it.`;
  const rows = Object.entries(states).map(([word, effect]) => [code(word), EFFECTS[effect] ?? effect]);
  return [
    `${each}What a request does is said by ${sourcesOf(state)}, in any case. Another word opens an alert whose log says that it is unrecognised.`,
    table(['word', 'effect'], rows),
  ].join('\n\n');
}

function fieldsOf({ fields, details = [], tags = [] }: PresetFile): string {
  const rows = Object.entries(fields).map(([field, sources]) => [
    code(field),
    sourcesOf(sources),
    BECOMES[field] ?? 'for filters and templates of actions',
  ]);
  const more = [
    ...(details.length === 0 ? [] : [['', details.map(code).join(', '), 'details']]),
    ...(tags.length === 0 ? [] : [['', sourcesOf(tags), 'tags']]),
  ];
  return `The first that is not blank counts. \`$.\` begins at the whole request.\n\n${table(['field', 'read from', 'becomes'], [...rows, ...more])}`;
}

const sourcesOf = (sources: readonly string[]): string => sources.map(code).join(', ');

function prioritiesOf({ priorities = {} }: PresetFile): string {
  const byPriority = Map.groupBy(Object.entries(priorities), ([, priority]) => priority);
  if (byPriority.size === 0)
    return 'Without a severity of P1 to P5 the alert has the priority of the integration, or else P3.';
  const rows = [...byPriority]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([priority, words]) => [priority, words.map(([word]) => code(word)).join(', ')]);
  return `Without a severity that is known the alert has the priority of the integration, or else P3.\n\n${table(['priority', 'severity'], rows)}`;
}

function sampleOf({ name, about, body, headers = {} }: SampleFile): string {
  const effect = EFFECTS[/^[a-z]+/.exec(name)?.[0] ?? ''];
  const sent = Object.entries(headers).map(([header, value]) => code(`${header}: ${value}`));
  const withHeaders = sent.length === 0 ? '' : ` With the header ${sent.join(', ')}.`;
  return `${about} The request ${effect}.${withHeaders}\n\n\`\`\`json\n${JSON.stringify(body, undefined, 2)}\n\`\`\``;
}
