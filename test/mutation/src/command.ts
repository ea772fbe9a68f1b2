import { parseArgs } from 'node:util';
import { AREAS, areaOf } from './areas.ts';

export type Command = { readonly kind: 'help' } | { readonly kind: 'run'; readonly areas: readonly string[] };

export const HELP = `Mutation tests: changes the code of an area in one place at a time, and runs the unit tests that reach the place. A test should
fail for each change.

  npm run test:mutation                    all areas: some hours on two processors
  npm run test:mutation -- rules on-call   these alone

Areas: ${[...AREAS.keys()].join(', ')}. The sources are changed in a copy. Changes that no test found are printed, and are in
test/mutation/reports. Stryker is downloaded from npm at the first run.
Exit codes: 0 where the tests of each area find 85 % of its changes, 1 where they do not or a run failed, 2 for an unknown area.`;

/** @throws TypeError for an unknown area or option, or an area that is named twice. */
export function readCommand(args: readonly string[]): Command {
  const { positionals, values } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help === true) return { kind: 'help' };
  for (const name of positionals) areaOf(name);
  if (new Set(positionals).size < positionals.length) throw new TypeError('Each area should be named once.');
  return { kind: 'run', areas: positionals.length === 0 ? [...AREAS.keys()] : positionals };
}
