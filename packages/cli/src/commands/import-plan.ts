import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { changes, type Plan, PLAN_STATES } from '../moving/plan/plan.ts';
import { jsonOf, markdownOf, rowsOf, sectionsOf, summaryOf, textOf } from '../moving/plan/report.ts';
import { tableText } from '../output/table.ts';
import { counted } from '../output/text.ts';
import { type ChoiceOptions, planFor, targetOf, withChoices } from './import-target.ts';
import { examples, type Start } from './start.ts';

interface PlanOptions extends ChoiceOptions {
  readonly markdown?: boolean;
}

const EXIT_CODES = `
Exit codes:
  0 nothing to change   1 something is to be changed or decided   2 cannot say   130 interrupted

\`--timeout\` is that of each request here. Only GET is sent, to Tocsin alone.`;

/** `tocsin import plan`: what an import of a snapshot would do. */
export function addPlanCommand(moving: Command, start: Start): void {
  const command = withChoices(moving.command('plan'))
    .description('Says what `tocsin import apply` would create, change and keep in Tocsin, and what is not moved')
    .option('--markdown', 'prints Markdown')
    .addHelpText('after', EXIT_CODES)
    .action(async (options: PlanOptions, command: Command) => {
      const invocation = start(command);
      const plan = planFor(await targetOf(invocation, options), options);
      if (options.markdown === true && !invocation.json)
        invocation.write(markdownOf(summaryOf(plan), sectionsOf(plan, Infinity)));
      else invocation.print(jsonOf(plan), () => planText(invocation, plan));
      const count = changes(plan);
      if (count > 0) throw new CliError(EXIT.failed, `${counted(count, 'thing')} to change or to decide.`);
    });
  examples(
    command,
    ['tocsin import plan --from-snapshot snapshot', 'looks'],
    ['tocsin import plan --from-snapshot snapshot --markdown > plan.md', 'for others to read'],
    ['tocsin import plan --from-snapshot snapshot --take old', 'what differs on both sides becomes as in Opsgenie'],
  );
}

/** The plan for a terminal. */
function planText({ paint, terminalWidth }: Invocation, plan: Plan): string {
  const headings = ['KIND', ...PLAN_STATES.map((state) => state.toUpperCase())];
  const sections = textOf(sectionsOf(plan));
  const table = tableText(headings, rowsOf(plan), paint, terminalWidth);
  return [table, ...(sections === '' ? [] : [sections]), summaryOf(plan)].join('\n\n');
}
