import fs from 'node:fs/promises';
import type { Command } from 'commander';
import { EXIT, CliError } from '../cli-error.ts';
import { everything } from '../input.ts';
import type { Invocation } from '../invocation.ts';
import { tableText } from '../output/table.ts';
import { indentedLines, plain } from '../output/text.ts';
import type { ProcessIo } from '../process-io.ts';
import { addAdd, type Preset } from './integration-add.ts';
import { addSamples, addWatch, sampleRequest } from './integration-samples.ts';
import { integrationId } from './key.ts';
import { examples, type Start } from './start.ts';

interface OpenAlert {
  readonly tinyId: string;
  readonly acknowledged: boolean;
  readonly priority: string;
}

interface TriedItem {
  readonly fields: Readonly<Record<string, string>>;
  readonly state?: string;
  readonly effect: string;
  readonly alias: string;
  readonly action?: { readonly type: string; readonly name: string };
  readonly unmatched: readonly { readonly type: string; readonly name: string; readonly reason: string }[];
  readonly reason?: string;
  readonly alert?: { readonly message: string; readonly priority: string };
  readonly outcome?: string;
  readonly openAlert?: OpenAlert;
  readonly requestStatus?: string;
  readonly remarks: readonly string[];
}

interface Trial {
  readonly preset: string;
  readonly itemCount: number;
  readonly items: readonly TriedItem[];
}

interface TryOptions {
  readonly preset?: string;
  readonly actions?: string;
  readonly sample?: string;
}

/** `tocsin integration`: which tools Tocsin understands, how one is added, and what its requests come to. */
export function addIntegrationCommands(program: Command, start: Start): void {
  const integration = program
    .command('integration')
    .description('Adds tools that send alerts, and shows what their requests come to, or would come to');
  addPresets(integration, start);
  addAdd(integration, start);
  addWatch(integration, start);
  addSamples(integration, start);
  addTry(integration, start);
}

function addPresets(integration: Command, start: Start): void {
  integration
    .command('presets')
    .description('Lists the presets by which requests of tools are read')
    .action(async (_options: object, command: Command) => {
      const invocation = start(command);
      const data = await invocation.api().read<readonly Preset[]>('/v2/integrations/presets');
      const rows = data.map(({ name, title, types }) => [name, title, types.join(', ')]);
      invocation.print(data, () =>
        tableText(['PRESET', 'TOOL', 'TYPES'], rows, invocation.paint, invocation.terminalWidth),
      );
    });
}

function addTry(integration: Command, start: Start): void {
  const attempt = integration
    .command('try <integration> [file]')
    .description('Says what a request, in a file, in - standard input, or a sample, would come to; nothing is written')
    .option('--sample <sample>', 'a request that came: 1 for the last, 2 for the one before, or the id of a sample')
    .option('--preset <name>', 'reads the request by this preset')
    .option('--actions <file>', 'tries a draft of actions, as JSON, in place of those of the integration')
    .action(async (name: string, file: string | undefined, options: TryOptions, command: Command) => {
      const invocation = start(command);
      const { preset, actions, sample } = options;
      if ((file === undefined) === (sample === undefined))
        throw new CliError(EXIT.usage, 'Name a file or say --sample, one of the two.');
      const written = file === undefined ? undefined : await textOf(file, invocation.io);
      const changes = {
        ...(preset !== undefined && { preset }),
        ...(actions !== undefined && { actions: json(actions, await textOf(actions, invocation.io)) }),
      };
      const api = invocation.api();
      const id = await integrationId(api, name);
      const request = written === undefined ? await sampleRequest(api, id, sample ?? '') : { raw: written };
      const { data } = await api.send('POST', `/v2/integrations/${id}/try`, { body: { ...request, ...changes } });
      const trial = data as Trial;
      invocation.print(trial, () => trialText(invocation, trial));
      const lost = trial.items.filter(isLost).length;
      if (lost > 0)
        throw new CliError(EXIT.failed, `${lost} of ${trial.items.length} items match no action or have no key.`);
    });
  examples(
    attempt,
    ['tocsin integration try Grafana request.json', 'which alerts it would open or close'],
    ['tocsin integration try Grafana --sample 1', 'the last request that came, without its secrets'],
    ['tocsin integration try Grafana - --actions draft.json < request.json', 'with actions that are not saved yet'],
  );
}

/** No action matches it, or it has no key by which later requests find its alert. What is ignored needs none. */
const isLost = ({ action, fields }: TriedItem): boolean =>
  action === undefined || (action.type !== 'ignore' && (fields['key'] ?? '') === '');

async function textOf(file: string, io: ProcessIo): Promise<string> {
  if (file === '-') return everything(io);
  try {
    return await fs.readFile(file, 'utf8');
  } catch {
    throw new CliError(EXIT.usage, `The file ${file} can not be read.`);
  }
}

function json(file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CliError(EXIT.usage, `The file ${file} is no JSON.`);
  }
}

function trialText({ paint }: Invocation, { preset, itemCount, items }: Trial): string {
  const rest = itemCount - items.length;
  return [
    plain(`Read by the preset ${preset}.`),
    ...items.flatMap((item, index) => ['', ...itemLines(item, index + 1)]),
    ...(rest > 0 ? ['', paint(`… and ${rest} items more`, 'quiet')] : []),
  ].join('\n');
}

/** What an item does with an open alert, by its outcome. */
const CHANGES: Readonly<Record<string, string>> = {
  counted: 'counts on',
  raised: 'raises',
  closed: 'closes',
  acknowledged: 'acknowledges',
  noted: 'adds a note to',
};

/** What the alerts of this moment make of an item. The reason of one that is dropped stands there already. */
function outcomeLines({ alert, openAlert, outcome, reason, requestStatus = '' }: TriedItem): readonly string[] {
  if (outcome === undefined || reason !== undefined) return [];
  if (outcome === 'opened') return ['now: opens an alert'];
  const change = CHANGES[outcome];
  if (change === undefined) return [`now: ${requestStatus}`];
  const to = outcome === 'raised' ? ` to ${alert?.priority ?? ''}` : '';
  return [`now: ${change} the open alert${openAlert === undefined ? '' : openAlertText(openAlert)}${to}`];
}

const openAlertText = ({ acknowledged, priority, tinyId }: OpenAlert): string =>
  ` #${tinyId} (${priority}${acknowledged ? ', acknowledged' : ''})`;

function itemLines(item: TriedItem, place: number): readonly string[] {
  const { action, alert, alias, effect, fields, reason, remarks, unmatched } = item;
  const lines = [
    ...outcomeLines(item),
    ...(reason === undefined ? [] : [reason]),
    ...(alias === '' ? [] : [`alias: ${alias}`]),
    ...(alert === undefined ? [] : [`${alert.priority}: ${alert.message}`]),
    ...Object.entries(fields).flatMap(([name, text]) => (text === '' ? [] : [`${name}: ${text}`])),
    ...unmatched.map(({ type, name, reason: why }) => `not by ${type} [${name}]: ${why}`),
    ...remarks,
  ];
  const by = action === undefined ? '' : `, by the action [${action.name}]`;
  return [plain(`${place}. ${effect}${by}`), ...lines.map((line) => `   ${indentedLines(line)}`)];
}
