import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import { type Verification, verify } from '../moving/apply/verify.ts';
import { deviationSections, verificationSummary } from '../moving/apply/verify-report.ts';
import { lossSections, markdownOf, type Section, textOf } from '../moving/plan/report.ts';
import { counted } from '../output/text.ts';
import { targetOf, type TargetOptions, withTarget } from './import-target.ts';
import { examples, type Start } from './start.ts';

interface VerifyOptions extends TargetOptions {
  readonly markdown?: boolean;
}

const EXIT_CODES = `
Exit codes:
  0 all of the snapshot is in Tocsin   1 something is missing or differs, or names a thing that neither side has
  2 cannot say: something could not be read   130 interrupted

\`--timeout\` is that of each request here. Only GET is sent, to Tocsin alone.`;

/** `tocsin import verify`: whether Tocsin has what a snapshot says. */
export function addVerifyCommand(moving: Command, start: Start): void {
  const command = withTarget(moving.command('verify'))
    .description('Reads everything back from Tocsin, and compares each field with the snapshot')
    .option('--markdown', 'prints Markdown')
    .addHelpText('after', EXIT_CODES)
    .action(async (options: VerifyOptions, command: Command) => {
      const invocation = start(command);
      const { applied, present, wanted } = await targetOf(invocation, options);
      const found = verify(wanted, present, applied);
      const summary = verificationSummary(found);
      if (options.markdown === true && !invocation.json) invocation.write(markdownOf(summary, sectionsOf(found)));
      else invocation.print(found, () => [...sectionsOf(found).map((each) => textOf([each])), summary].join('\n\n'));
      requireEqual(found);
    });
  examples(
    command,
    ['tocsin import verify --from-snapshot snapshot', 'compares'],
    ['tocsin import verify --from-snapshot snapshot --markdown > verified.md', 'keeps the report'],
  );
}

const sectionsOf = (found: Verification): readonly Section[] =>
  [...deviationSections(found), ...lossSections(found.losses, found.dangling)].filter(([, lines]) => lines.length > 0);

function requireEqual({ dangling, deviations, unreadable }: Verification): void {
  if (deviations.length > 0)
    throw new CliError(EXIT.failed, `${counted(deviations.length, 'thing')} missing or different: see above.`);
  if (dangling.length > 0)
    throw new CliError(
      EXIT.failed,
      `${counted(dangling.length, 'reference')} to things that neither side has: see above.`,
    );
  if (unreadable.length > 0)
    throw new CliError(EXIT.cannotSay, `${counted(unreadable.length, 'thing')} could not be read from Opsgenie.`);
}
