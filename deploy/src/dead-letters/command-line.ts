import { parseArgs } from 'node:util';

/** Which letters are meant; what is absent narrows nothing. */
export interface Selection {
  readonly topic: string | undefined;
  readonly group: string | undefined;
  readonly since: Date | undefined;
}

/** The request of the user at the terminal. */
export type Command =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'list';
      readonly selection: Selection;
      readonly limit: number;
      readonly page: number;
      readonly json: boolean;
    }
  | { readonly kind: 'show'; readonly address: string; readonly json: boolean }
  | {
      readonly kind: 'redrive';
      /** All that the selection leaves where it is absent. */
      readonly addresses: readonly string[] | undefined;
      readonly selection: Selection;
      readonly again: boolean;
      readonly yes: boolean;
    };

export type Reading = { readonly command: Command } | { readonly problem: string };

export const HELP = `Dead letters: records that a service could not settle whatever it tried. Each is named by where its record
stood: topic/partition/offset.

  npm run dead-letters                              the newest letters, the newest last
  npm run dead-letters -- show <letter>             why, when, whose, and what the record holds
  npm run dead-letters -- redrive <letter> ...      puts records on their topics again, as they were
  npm run dead-letters -- redrive --all             all that were not redriven yet

Options stand behind the two dashes of npm:
  --topic <name>      only letters of this topic, such as alert-commands.v1 (list, redrive --all)
  --group <name>      only letters of this consumer group, such as alert-processor (list, redrive --all)
  --since <when>      only dead letters since: 90m, 12h, 7d, or an instant such as 2026-03-02T08:00:00Z (list, redrive --all)
  --limit <number>    letters on a page, 1 to 1000; 50 by default (list)
  --page <number>     1 are the newest (list)
  --json              for programs (list, show)
  --again             also letters that were redriven already (redrive)
  --yes               does not ask first (redrive)

Kafka is that of the Tocsin that runs on TOCSIN_DATA; with KAFKA_BROKERS (and KAFKA_TOPIC_PREFIX) set, that one.
Ends with 0 when all is done, with 1 when something could not be done, with 2 when the command was not understood.`;

const OPTIONS = {
  topic: { type: 'string' },
  group: { type: 'string' },
  since: { type: 'string' },
  limit: { type: 'string' },
  page: { type: 'string' },
  json: { type: 'boolean' },
  again: { type: 'boolean' },
  yes: { type: 'boolean' },
  all: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
type Option = keyof typeof OPTIONS;
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

const ADDRESS = /^[^/\s]+\/\d{1,9}\/\d{1,16}$/;
const NAMING: readonly Option[] = ['topic', 'group', 'since'];
const KNOWN: Readonly<Record<'list' | 'show' | 'redrive', readonly Option[]>> = {
  list: [...NAMING, 'limit', 'page', 'json'],
  show: ['json'],
  redrive: [...NAMING, 'all', 'again', 'yes'],
};

class Misunderstanding extends Error {}

/** Reads the arguments behind `npm run dead-letters --`; `now` is what `--since` counts from. */
export function readCommand(args: readonly string[], now: Date): Reading {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const [name = 'list', ...rest] = positionals;
    if (values.help === true || name === 'help') return { command: { kind: 'help' } };
    return { command: commandOf(name, rest, values, now) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const COMMANDS = { list: listOf, show: showOf, redrive: redriveOf } as const;

function commandOf(name: string, rest: readonly string[], values: Values, now: Date): Command {
  if (name !== 'list' && name !== 'show' && name !== 'redrive')
    throw new Misunderstanding(`There is no command ${name}; there are list, show and redrive.`);
  for (const option of Object.keys(values) as Option[])
    if (!KNOWN[name].includes(option)) throw new Misunderstanding(`${name} has no option --${option}.`);
  const selection = { topic: values.topic, group: values.group, since: instant(values.since, now) };
  return COMMANDS[name](rest, values, selection);
}

function listOf(rest: readonly string[], values: Values, selection: Selection): Command {
  if (rest.length > 0) throw new Misunderstanding(`list takes no ${rest.join(' ')}; show and redrive take letters.`);
  const [limit, page] = [whole('limit', values.limit, 50, 1_000), whole('page', values.page, 1, 1_000_000)];
  return { kind: 'list', selection, limit, page, json: values.json ?? false };
}

function showOf(rest: readonly string[], values: Values): Command {
  const [address] = addresses(rest);
  if (address === undefined || rest.length > 1) throw new Misunderstanding('show takes one letter.');
  return { kind: 'show', address, json: values.json ?? false };
}

function addresses(rest: readonly string[]): readonly string[] {
  for (const address of rest)
    if (!ADDRESS.test(address))
      throw new Misunderstanding(`${address} names no letter: topic/partition/offset, such as pages.v1/0/7.`);
  return [...new Set(rest)];
}

function redriveOf(rest: readonly string[], values: Values, selection: Selection): Command {
  const all = values.all ?? false;
  if (all === rest.length > 0)
    throw new Misunderstanding(
      all ? 'Either --all or letters.' : 'Say which letters, or --all. Options stand behind the two dashes of npm.',
    );
  const narrowing = NAMING.find((option) => values[option] !== undefined);
  if (!all && narrowing !== undefined) throw new Misunderstanding(`--${narrowing} goes with --all.`);
  const [again, yes] = [values.again ?? false, values.yes ?? false];
  return { kind: 'redrive', addresses: all ? undefined : addresses(rest), selection, again, yes };
}

function whole(option: Option, given: string | undefined, otherwise: number, most: number): number {
  if (given === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (value < 1 || value > most)
    throw new Misunderstanding(`--${option} should be a number from 1 to ${String(most)}.`);
  return value;
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function instant(given: string | undefined, now: Date): Date | undefined {
  if (given === undefined) return undefined;
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  const at =
    amount === undefined
      ? new Date(/^\d{4}-\d{2}-\d{2}/.test(given) ? given : '')
      : new Date(now.getTime() - Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  if (Number.isNaN(at.getTime()))
    throw new Misunderstanding('--since should be 90m, 12h, 7d, or an instant such as 2026-03-02T08:00:00Z.');
  return at;
}
