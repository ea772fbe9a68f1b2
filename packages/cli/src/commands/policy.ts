import type { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { tableText, type Cell } from '../output/table.ts';
import { plain } from '../output/text.ts';
import { supposed, withSupposed, type SupposedOptions } from './alert-options.ts';
import { examples, type Start } from './start.ts';

interface Evaluation {
  readonly at: string;
  readonly outcome: 'created' | 'repeated' | 'dropped';
  /** The reason why it is dropped. */
  readonly status?: string;
  readonly repeats?: { readonly tinyId: string };
  readonly alert: Readonly<Record<string, unknown>> & { readonly message: string; readonly priority: string };
  readonly flow?: Flow;
  readonly policies: readonly {
    readonly name: string;
    readonly type: string;
    readonly matched: boolean;
    readonly text: string;
  }[];
  readonly otherPolicies: { readonly matched: number; readonly notMatched: number };
}

interface Flow {
  readonly starts: 'at-once' | 'later' | 'by-occurrence' | 'never';
  readonly startsAt?: string;
  readonly occurrence?: number;
  readonly suppressed?: string;
}

/** `tocsin policy`: what policies would do. */
export function addPolicyCommands(program: Command, start: Start): void {
  const policy = program.command('policy').description('Shows what policies would do');
  const evaluate = withSupposed(policy.command('evaluate [message]'))
    .description('Shows what the policies would do to an alert that is described or exists, and does nothing')
    .action(async (message: string | undefined, options: SupposedOptions, command: Command) => {
      const invocation = start(command);
      const body = supposed(message, options);
      const { data } = await invocation.api().send('POST', '/v2/policies/evaluate', { body });
      invocation.print(data, () => text(invocation, data as Evaluation));
    });
  examples(
    evaluate,
    ["tocsin policy evaluate 'Disk full' -t db --at 2026-12-24T03:00", 'would it page at night?'],
    ['tocsin policy evaluate --existing 17', 'what would happen to it today'],
  );
}

function text(invocation: Invocation, evaluation: Evaluation): string {
  const { policies, otherPolicies, alert } = evaluation;
  const rows = policies.map(({ name, type, matched, text: said }): readonly Cell[] => [
    matched ? { text: 'yes', look: 'good' } : { text: 'no', look: 'quiet' },
    ...[name, type, said],
  ]);
  const { matched, notMatched } = otherPolicies;
  return [
    plain(outcomeText(evaluation)),
    plain(`Alert: ${alert.priority} ${alert.message}`),
    ...(evaluation.flow === undefined ? [] : [plain(flowText(invocation, evaluation.flow))]),
    '',
    rows.length === 0
      ? 'There are no policies for it'
      : tableText(['MATCHES', 'POLICY', 'TYPE', 'WHAT IT DOES'], rows, invocation.paint, invocation.terminalWidth),
    ...(matched + notMatched === 0 ? [] : [`and ${matched} more that match, ${notMatched} that do not`]),
  ].join('\n');
}

function outcomeText({ outcome, status, repeats }: Evaluation): string {
  if (outcome === 'dropped') return `It would be dropped: ${status ?? ''}`;
  if (outcome === 'created') return 'It would make an alert';
  return `It would be counted on an open alert${repeats === undefined ? '' : `, ${repeats.tinyId}`}`;
}

function flowText({ moments }: Invocation, { starts, startsAt, occurrence, suppressed }: Flow): string {
  switch (starts) {
    case 'at-once':
      return 'Users are notified at once';
    case 'later':
      return `Users are notified at ${startsAt === undefined ? 'a later time' : moments.long(startsAt)}`;
    case 'by-occurrence':
      return `Users are notified with occurrence ${occurrence ?? ''}`.trimEnd();
    case 'never':
      return `No user is notified: ${suppressed ?? ''}`;
  }
}
