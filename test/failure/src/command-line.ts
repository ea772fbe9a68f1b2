import { parseArgs } from 'node:util';

/** The command of the user. */
type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | { readonly kind: 'run'; readonly faults: readonly string[]; readonly rate: number; readonly report: string };

export type Reading = { readonly command: Command } | { readonly problem: string };

export const HELP = `The failure suite: breaks a whole installation under load, one fault after the other, and counts every alert and page.

  npm run test:failure                                all faults: about an hour, by estimate
  npm run test:failure -- broker-killed primary-frozen   these alone, in this order
  npm run test:failure -- --list                      the names of all faults
  npm run test:failure -- --rate 10                   alerts a second: 1 to 50, 5 by default
  npm run test:failure -- --report FILE               where the table goes; reports/failure.md of test/failure by default

It starts three brokers, a MongoDB of three members, two processes of each service, a mail server and a provider of text messages on this
machine, and stops them at the end. It needs about 6 GiB of memory, and Java. It needs root on Linux to cut nodes off and to fill their
disks; without root it skips those faults. Logs of the services, and all alerts and pages, are in reports/logs of test/failure.
Exit codes: 0 where every bar that was measured is met, 1 where one is missed, no fault was run or the run failed, 2 for an unknown command, 130 where it is stopped.`;

const OPTIONS = {
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  rate: { type: 'string' },
  report: { type: 'string' },
} as const;
const MAX_RATE = 50;
const USUAL_RATE = '5';

/** Reads the arguments behind `npm run test:failure --`. `known` has the names of all faults, `usualReport` the file of the table. */
export function readCommand(args: readonly string[], known: readonly string[], usualReport: string): Reading {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    if (values.help === true) return { command: { kind: 'help' } };
    if (values.list === true) return { command: { kind: 'list' } };
    const { rate = USUAL_RATE, report = usualReport } = values;
    const problem = problemOf(positionals, known, { rate, report });
    if (problem !== undefined) return { problem };
    const faults = positionals.length === 0 ? known : positionals;
    return { command: { kind: 'run', faults, rate: Number(rate), report } };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function problemOf(
  faults: readonly string[],
  known: readonly string[],
  { rate, report }: { readonly rate: string; readonly report: string },
): string | undefined {
  const unknown = faults.filter((name) => !known.includes(name));
  if (unknown.length > 0) return `There is no fault ${unknown.join(', ')}. --list has the names of all faults.`;
  if (new Set(faults).size < faults.length) return 'Each fault should be named once.';
  // Not a number is not within the bounds either.
  if (!(Number(rate) >= 1 && Number(rate) <= MAX_RATE)) return `--rate should be a number from 1 to ${MAX_RATE}.`;
  return report === '' ? '--report should be the name of a file.' : undefined;
}
