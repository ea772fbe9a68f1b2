import type { Command } from 'commander';
import type { ApiClient } from '../api-client.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { tableText, type Cell } from '../output/table.ts';
import { examples, type Start } from './start.ts';

interface Finding {
  readonly kind: string;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
  readonly remedy: string;
}

interface Page {
  readonly computedAt: string;
  readonly totalCount: number;
  readonly errorCount: number;
  readonly uncheckedSchedules: number;
  readonly incompleteServices: readonly string[];
  readonly data: readonly Finding[];
}

interface Options {
  readonly team?: string;
  readonly kind?: string;
}

const PAGE_SIZE = 100;
/** More are counted, not listed. */
const MAX_LISTED = 2_000;

/** `tocsin readiness`: what will go wrong when an alert comes. */
export function addReadinessCommand(program: Command, start: Start): void {
  const readiness = program
    .command('readiness')
    .description('Says what will go wrong when an alert comes. Exits with 1 where a finding is an error')
    .option('--team <team>', 'the findings of a team alone, named by name or id')
    .option('--kind <kinds>', 'the findings of some kinds alone, such as schedule-gap,rotation-of-one')
    .action(async (options: Options, command: Command) => {
      const invocation = start(command);
      const found = await read(invocation.api(), options);
      invocation.print(found, () => text(invocation, found));
      if (found.errorCount > 0)
        throw new CliError(EXIT.failed, found.errorCount === 1 ? '1 error.' : `${found.errorCount} errors.`);
    });
  examples(
    readiness,
    ['tocsin readiness', 'everywhere'],
    ["tocsin readiness --team 'Ops'", 'of one team'],
    ['tocsin readiness --kind schedule-gap', 'of one kind, such as times without a user on call'],
  );
}

async function read(api: ApiClient, { kind, team }: Options): Promise<Page> {
  const data: Finding[] = [];
  for (;;) {
    const query = { team, kind, limit: PAGE_SIZE, offset: data.length };
    const page = (await api.send('GET', '/v2/readiness', { query })) as unknown as Page;
    data.push(...page.data);
    if (page.data.length === 0 || data.length >= Math.min(page.totalCount, MAX_LISTED)) {
      const { computedAt, errorCount, incompleteServices, totalCount, uncheckedSchedules } = page;
      return { computedAt, totalCount, errorCount, uncheckedSchedules, incompleteServices, data };
    }
  }
}

const LOOKS = { error: 'alarm', warning: undefined, information: 'quiet' } as const;

function text(
  { paint, terminalWidth }: Invocation,
  { data, incompleteServices, totalCount, uncheckedSchedules }: Page,
): string {
  const rows = data.map(({ kind, message, severity }): readonly Cell[] => {
    const look = LOOKS[severity];
    return [look === undefined ? severity : { text: severity, look }, kind, message];
  });
  const table =
    rows.length === 0 ? 'No findings' : tableText(['SEVERITY', 'KIND', 'WHAT WILL HAPPEN'], rows, paint, terminalWidth);
  const more = totalCount > data.length ? [`and ${totalCount - data.length} more`] : [];
  const unchecked =
    uncheckedSchedules > 0 ? [`Not looked through for gaps: ${uncheckedSchedules} schedules with too many shifts`] : [];
  const missing = incompleteServices.length > 0 ? [`Findings are missing of: ${incompleteServices.join(', ')}`] : [];
  return [table, ...more, ...unchecked, ...missing].join('\n');
}
