import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { apply, type AppliedPlan, type Refused } from '../moving/apply/apply.ts';
import { type IntegrationKey, keysIn } from '../moving/apply/keys.ts';
import type { Plan } from '../moving/plan/plan.ts';
import { jsonOf, sectionsOf, textOf } from '../moving/plan/report.ts';
import { lockFolder } from '../moving/snapshot/folder.ts';
import { Snapshot } from '../moving/snapshot/reader.ts';
import { counted } from '../output/text.ts';
import { type ChoiceOptions, planFor, progressOf, type Target, targetOf, withChoices } from './import-target.ts';
import { examples, type Start } from './start.ts';

interface ApplyOptions extends ChoiceOptions {
  readonly keys?: string;
}

const EXIT_CODES = `
Exit codes:
  0 all is written   1 something was refused or is to be decided   2 cannot say   130 interrupted

\`--timeout\` is that of each request here. Nothing is sent to Opsgenie. The gateway of Tocsin needs IMPORT=on.`;

/** `tocsin import apply`: writes a snapshot into Tocsin. */
export function addApplyCommand(moving: Command, start: Start): void {
  const command = withChoices(moving.command('apply'))
    .description('Writes a snapshot into Tocsin, with the ids of the account. Run again, it goes on where it stopped')
    .option(
      '--keys <file>',
      'keys of integrations, which only you can read: lines of `integration id,key`, or the output of `terraform show -json`',
    )
    .addHelpText('after', EXIT_CODES)
    .action(async (options: ApplyOptions, command: Command) => {
      const invocation = start(command);
      Snapshot.open(options.fromSnapshot);
      const keys = options.keys === undefined ? [] : keysIn(options.keys);
      const unlock = lockFolder(options.fromSnapshot);
      try {
        await applyTo(invocation, await targetOf(invocation, options, true), options, keys);
      } finally {
        unlock();
      }
    });
  examples(
    command,
    ['tocsin import apply --from-snapshot snapshot', 'writes, or goes on'],
    ['tocsin import apply --from-snapshot snapshot --keys keys.csv', 'senders keep their keys'],
    ['tocsin import apply --from-snapshot snapshot --prune', 'also deletes what is gone'],
  );
}

async function applyTo(
  invocation: Invocation,
  target: Target,
  options: ApplyOptions,
  keys: readonly IntegrationKey[],
): Promise<void> {
  const plan = planFor(target, options);
  const { client, snapshot, wanted } = target;
  const integrations = new Map(
    wanted.bodies.filter(({ kind }) => kind === 'integrations').map((each) => [each.id, each.name]),
  );
  const own = keys.filter(({ id }) => integrations.has(id));
  const moved = own.map((key) => ({
    ...key,
    id: plan.adopted.get(key.id) ?? key.id,
    name: integrations.get(key.id) ?? key.name,
  }));
  const progress = progressOf(invocation, 'Writing');
  const result = await apply(plan, moved, { client, folder: snapshot.folder, progress });
  const foreign = keys.length - own.length;
  invocation.print({ ...result, foreignKeys: foreign, plan: jsonOf(plan) }, () => resultText(plan, result, foreign));
  requireDone(plan, result);
}

function resultText(plan: Plan, result: AppliedPlan, foreign: number): string {
  const { changed, created, deleted, keys, refused, unchanged } = result;
  const written = `Written: ${created} created, ${changed} changed, ${deleted} deleted, ${unchanged} as they were, ${counted(keys, 'key')}.`;
  const left = sectionsOf(plan).filter(([title]) => !['Created', 'Changed'].includes(title));
  return [
    ...(left.length === 0 ? [] : [textOf(left)]),
    ...(foreign === 0
      ? []
      : [`${counted(foreign, 'key')} of integrations that the snapshot does not have: not moved.`]),
    ...(refused.length === 0 ? [] : [textOf([['Refused', refused.map(refusedText)]])]),
    written,
  ].join('\n\n');
}

const refusedText = ({ errors, kind, name, why }: Refused): string =>
  `${kind} [${name}]: ${[why, ...errors].join(' ')}`;

function requireDone({ things }: Plan, { refused }: AppliedPlan): void {
  const undecided = things.filter(({ state }) => state === 'conflict').length;
  if (refused.length > 0) throw new CliError(EXIT.failed, `${counted(refused.length, 'thing')} refused: see above.`);
  if (undecided > 0) throw new CliError(EXIT.failed, `${counted(undecided, 'thing')} to be decided: see above.`);
}
