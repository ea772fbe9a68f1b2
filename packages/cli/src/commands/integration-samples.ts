import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { type ApiClient, NotProcessed } from '../api-client.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { type Cell, tableText } from '../output/table.ts';
import { indentedLines, jsonLine, plain } from '../output/text.ts';
import { integrationId } from './key.ts';
import { examples, type Start } from './start.ts';

interface SampleItem {
  readonly requestId: string;
  readonly effect: string;
  readonly alias: string;
  readonly action?: { readonly type: string; readonly name: string };
  readonly reason?: string;
}

interface Summary {
  readonly id: string;
  readonly receivedAt: string;
  readonly preset?: string;
  readonly refusal?: string;
  readonly itemCount: number;
  readonly items: readonly SampleItem[];
  readonly isTruncated: boolean;
}

/** The body of a trial. */
export interface SampleRequest {
  readonly raw: string;
  readonly preset?: string;
}

interface SamplesOptions {
  readonly save?: string;
}

/** `tocsin integration samples`: the last requests of a tool. */
export function addSamples(integration: Command, start: Start): void {
  const samples = integration
    .command('samples <integration>')
    .description('Lists the last requests of the tool of an integration, the newest first, and what became of them')
    .option('--save <folder>', 'writes the body of each, without its secrets, to a file of this folder')
    .action(async (name: string, { save }: SamplesOptions, command: Command) => {
      const invocation = start(command);
      const api = invocation.api();
      const id = await integrationId(api, name);
      const of = `/v2/integrations/${id}/samples`;
      const listed = await api.read<readonly Summary[]>(of);
      if (listed.length === 0) await requireKept(api, id);
      if (save !== undefined) await saveAll(invocation, api, { of, listed, folder: save });
      invocation.print(listed, () => listText(invocation, listed));
    });
  examples(
    samples,
    ['tocsin integration samples Grafana', 'when what came, and what it came to'],
    ['tocsin integration samples Grafana --save requests', 'and the requests, to try them with a draft of actions'],
  );
}

/** @throws CliError where the integration keeps no samples. */
async function requireKept(api: ApiClient, id: string): Promise<void> {
  const { keepSamples, name } = await api.read<{ readonly keepSamples: boolean; readonly name: string }>(
    `/v2/integrations/${id}`,
  );
  if (keepSamples) return;
  throw new CliError(EXIT.missing, `The integration [${name}] keeps no requests.`, [
    'Its field `keepSamples` is false. A person who may change it can switch that on.',
  ]);
}

/** The request of a sample, as a trial takes it. The newest is 1; else it is named by its id. */
export async function sampleRequest(api: ApiClient, integration: string, sample: string): Promise<SampleRequest> {
  const of = `/v2/integrations/${integration}/samples`;
  const id = /^\d{1,3}$/.test(sample)
    ? (await api.read<readonly Summary[]>(of))[Number(sample) - 1]?.id
    : encodeURIComponent(sample);
  if (id === undefined) throw new CliError(EXIT.missing, `There is no sample ${sample} of this integration.`);
  return (await api.read<{ readonly request: SampleRequest }>(`${of}/${id}`)).request;
}

interface Saved {
  readonly of: string;
  readonly listed: readonly Summary[];
  readonly folder: string;
}

async function saveAll(invocation: Invocation, api: ApiClient, { of, listed, folder }: Saved): Promise<void> {
  try {
    await fs.mkdir(folder, { recursive: true });
    for (const [index, { id }] of listed.entries()) {
      invocation.progress(`Saving request ${index + 1} of ${listed.length}`);
      const { request } = await api.read<{ readonly request: SampleRequest }>(`${of}/${id}`);
      await fs.writeFile(path.join(folder, path.basename(`${id}.txt`)), request.raw);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.usage, `The folder ${folder} can not be written.`, [], { cause: error });
  }
  invocation.note(`Saved ${listed.length} requests in ${folder}`);
}

function listText({ moments, paint, terminalWidth }: Invocation, listed: readonly Summary[]): string {
  if (listed.length === 0) return 'No request has come yet, or none is kept.';
  const rows = listed.map((sample): readonly Cell[] => [
    moments.exact(sample.receivedAt),
    sample.id,
    sample.preset ?? '',
    sample.refusal === undefined ? String(sample.itemCount) : '',
    resultCell(sample),
  ]);
  return tableText([`RECEIVED (${moments.zone})`, 'ID', 'PRESET', 'ITEMS', 'RESULT'], rows, paint, terminalWidth);
}

function resultCell({ items, refusal }: Summary): Cell {
  if (refusal !== undefined) return { text: `refused: ${refusal}`, look: 'bad' };
  const counts = new Map<string, number>();
  for (const { effect, reason } of items) {
    const result = reason ?? effect;
    counts.set(result, (counts.get(result) ?? 0) + 1);
  }
  return [...counts].map(([result, count]) => (count === 1 ? result : `${count} × ${result}`)).join(', ');
}

const LOOK_EVERY_MS = 1_000;
/** So often a command is asked for that is not settled yet; each answer takes up to two seconds (A8). */
const MAX_QUESTIONS = 3;

/** `tocsin integration watch`: each request of a tool as it comes, until Ctrl-C. */
export function addWatch(integration: Command, start: Start): void {
  const watching = integration
    .command('watch <integration>')
    .description('Shows each request of the tool of an integration as it comes, and what became of it, until Ctrl-C')
    .action(async (name: string, _options: object, command: Command) => {
      const invocation = start(command);
      await watch(invocation, await integrationId(invocation.api(), name));
    });
  examples(
    watching,
    ['tocsin integration watch Grafana', 'and press Test in Grafana'],
    ['tocsin integration watch Grafana --json | jq .items', 'a line of JSON for each request'],
  );
}

/** Shows the requests that come from now on. Resolves when the person presses Ctrl-C. */
export async function watch(invocation: Invocation, id: string): Promise<void> {
  const of = `/v2/integrations/${id}/samples`;
  const { interrupted } = invocation.io;
  const look = () => invocation.api().read<readonly Summary[]>(of);
  try {
    const first = await look();
    if (first.length === 0) await requireKept(invocation.api(), id);
    let seen = new Set(first.map((sample) => sample.id));
    for (;;) {
      invocation.progress('Waiting for a request of the tool; Ctrl-C ends it');
      await pause(LOOK_EVERY_MS, undefined, { signal: interrupted });
      const listed = await unlessUnavailable(invocation, look);
      if (listed === undefined) continue;
      for (const sample of listed.filter((each) => !seen.has(each.id)).toReversed()) await show(invocation, sample);
      seen = new Set(listed.map((sample) => sample.id));
    }
  } catch (error) {
    invocation.clearProgress();
    // That is how it is ended.
    if (!interrupted.aborted) throw error;
  }
}

/** Undefined where the installation cannot be asked at present. */
async function unlessUnavailable<T>(invocation: Invocation, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== EXIT.unavailable) throw error;
    invocation.note(`${error.message} Trying again`);
    return undefined;
  }
}

interface WatchedItem extends SampleItem {
  /** What followed of it; undefined where it is not known yet. */
  readonly status: string | undefined;
}

async function show(invocation: Invocation, sample: Summary): Promise<void> {
  const items: WatchedItem[] = [];
  for (const [index, item] of sample.items.entries()) {
    invocation.progress(`Looking at item ${index + 1} of ${sample.items.length}`);
    items.push({ ...item, status: await statusOf(invocation, item) });
  }
  const shown = { ...sample, items };
  invocation.write(invocation.json ? jsonLine(shown) : sampleText(invocation, shown));
}

async function statusOf(invocation: Invocation, { requestId }: SampleItem): Promise<string | undefined> {
  for (let questions = 0; questions < MAX_QUESTIONS; questions += 1)
    try {
      const api = invocation.api();
      const path = `/v2/alerts/requests/${encodeURIComponent(requestId)}`;
      return (await api.read<{ readonly status: string }>(path)).status;
    } catch (error) {
      if (!(error instanceof CliError) || invocation.io.interrupted.aborted) throw error;
      if (!(error instanceof NotProcessed)) return error.message;
    }
  return undefined;
}

function sampleText(
  { moments, paint }: Invocation,
  sample: Omit<Summary, 'items'> & { readonly items: readonly WatchedItem[] },
): string {
  const { id, itemCount, items, preset, receivedAt, refusal } = sample;
  const head = `${moments.exact(receivedAt)} request ${id}`;
  if (refusal !== undefined)
    return [paint(plain(head), 'heading'), paint(`   refused: ${plain(refusal)}`, 'bad')].join('\n');
  const count = itemCount === 1 ? '1 item' : `${itemCount} items`;
  const rest = itemCount - items.length;
  return [
    paint(plain(`${head}: ${count}, read by ${preset ?? ''}`), 'heading'),
    ...items.map((item, index) => itemText(item, index + 1)),
    ...(rest > 0 ? [paint(`   … and ${rest} items more`, 'quiet')] : []),
  ].join('\n');
}

function itemText({ action, alias, effect, reason, status }: WatchedItem, place: number): string {
  const by = action === undefined ? '' : `, by the action [${action.name}]`;
  const lines = [
    `${place}. ${effect}${by}${alias === '' ? '' : `: ${alias}`}`,
    ...(reason === undefined ? [] : [reason]),
    ...(status === undefined ? ['not settled yet'] : status === reason ? [] : [status]),
  ];
  return lines.map((line, index) => `${index === 0 ? '   ' : '      '}${indentedLines(line)}`).join('\n');
}
