import type { Command } from 'commander';
import type { ApiClient } from '../api-client.ts';
import { CliError, EXIT } from '../cli-error.ts';
import { reference } from '../identifiers.ts';
import { answer } from '../input.ts';
import type { Invocation } from '../invocation.ts';
import { indentedLines, plain } from '../output/text.ts';
import { watch } from './integration-samples.ts';
import { examples, type Start } from './start.ts';

/** How the requests of a tool are read. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly types: readonly string[];
  readonly setUp: readonly string[];
  readonly notes: readonly string[];
}

interface AddOptions {
  readonly team?: string;
  readonly name?: string;
  readonly watch?: boolean;
}

/** `tocsin integration add`: an integration for a tool, and the address that the tool is given. */
export function addAdd(integration: Command, start: Start): void {
  const add = integration
    .command('add <preset>')
    .description(
      'Makes an integration for a tool, named by its preset, and says what to set in the tool. Its key only sends requests of the tool',
    )
    .option('--team <team>', 'of a team, by name or id: its alerts go to that team')
    .option('--name <name>', 'of the integration; that of the tool unless given')
    .option('--watch', 'shows the requests of the tool then, without a question')
    .option('--no-watch', 'ends then, without a question')
    .action(async (wanted: string, options: AddOptions, command: Command) => {
      const invocation = start(command);
      const api = invocation.api();
      const preset = await presetOf(api, wanted);
      const { team, name = preset.title } = options;
      const [type = 'API'] = preset.types;
      // Its key is in a URL, which is written to many logs: it only sends.
      const body = {
        type,
        name,
        allowReadAccess: false,
        allowWriteAccess: false,
        ...(team !== undefined && { ownerTeam: reference(team) }),
      };
      const { data } = await api.send('POST', '/v2/integrations', { body });
      const { apiKey, ...made } = data as { readonly id: string; readonly apiKey: string };
      const url = `${api.url}/hooks/${apiKey}${type === 'API' ? `/${preset.name}` : ''}`;
      const setUp = preset.setUp.map((line) => line.replaceAll('<URL>', url));
      invocation.print({ ...made, preset: preset.name, url, setUp, notes: preset.notes }, () =>
        addedText(invocation, { name, url, setUp, notes: preset.notes }),
      );
      if (await isWatched(invocation, options)) await watch(invocation, made.id);
      else invocation.note(`\`tocsin integration watch ${quoted(name)}\` shows what the tool sends`);
    });
  examples(
    add,
    ['tocsin integration add alertmanager --team Ops', 'and the lines for alertmanager.yml'],
    ["tocsin integration add uptime-kuma --name 'Kuma of the shop' --watch", 'and its first request'],
  );
}

async function presetOf(api: ApiClient, wanted: string): Promise<Preset> {
  const presets = await api.read<readonly Preset[]>('/v2/integrations/presets');
  const found = presets.find(({ name }) => name === wanted.toLowerCase());
  if (found !== undefined) return found;
  throw new CliError(EXIT.missing, `There is no preset [${wanted}].`, [
    '`tocsin integration presets` lists them; `fallback` is for every tool that sends JSON or a form.',
  ]);
}

interface Added {
  readonly name: string;
  readonly url: string;
  readonly setUp: readonly string[];
  readonly notes: readonly string[];
}

function addedText({ paint }: Invocation, { name, url, setUp, notes }: Added): string {
  const list = (lines: readonly string[]) => lines.map((line) => `  - ${indentedLines(line)}`);
  return [
    `Created the integration ${plain(name)}. Its address has its key, and is shown this once:`,
    '',
    `  ${paint(plain(url), 'good')}`,
    '',
    paint('In the tool', 'heading'),
    ...list(setUp),
    ...(notes.length === 0 ? [] : ['', paint('To know', 'heading'), ...list(notes)]),
  ].join('\n');
}

/** A person at a terminal is asked. */
async function isWatched({ io, json }: Invocation, { watch: wanted }: AddOptions): Promise<boolean> {
  if (wanted !== undefined || json || io.stdin.isTTY !== true) return wanted ?? false;
  return !/^n/i.test(await answer(io, 'Show the requests of the tool as they come? [Y/n] '));
}

const quoted = (name: string): string => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`);
