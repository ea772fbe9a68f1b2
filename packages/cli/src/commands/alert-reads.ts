import type { Command } from 'commander';
import { oneOf, wholeNumber } from '../arguments.ts';
import type { ApiClient } from '../api-client.ts';
import { alertPath, type AlertKind } from '../identifiers.ts';
import type { Invocation } from '../invocation.ts';
import type { Look } from '../output/colours.ts';
import { fieldsText, tableText, type Cell } from '../output/table.ts';
import { plainLines } from '../output/text.ts';
import { byOption } from './alert-options.ts';
import { examples, type Start } from './start.ts';

/** An alert as lists show it (part 1, 2.2). */
interface Alert {
  readonly id: string;
  readonly tinyId: string;
  readonly alias: string;
  readonly message: string;
  readonly status: string;
  readonly acknowledged: boolean;
  readonly snoozed: boolean;
  readonly snoozedUntil?: string;
  readonly count: number;
  readonly priority: string;
  readonly owner: string;
  readonly source: string;
  readonly createdAt: string;
  readonly lastOccurredAt: string;
  readonly tags: readonly string[];
  readonly entity?: string;
  readonly description?: string;
  readonly details?: Readonly<Record<string, string>>;
  readonly actions?: readonly string[];
  readonly responders: readonly { readonly type: string; readonly id: string }[];
}

interface Entry {
  readonly owner: string;
  readonly createdAt: string;
  readonly note?: string;
  readonly log?: string;
}

/** The most alerts in one answer, and in all pages together (part 1, 4.1; A12). */
const PAGE = 100;
const MOST = 19_900;

/** `tocsin alert list` and `tocsin alert get`. */
export function addAlertReads(alert: Command, start: Start): void {
  addList(alert, start);
  addGet(alert, start);
}

function addList(alert: Command, start: Start): void {
  interface ListOptions {
    readonly all?: boolean;
    readonly limit: number;
    readonly sort?: string;
    readonly order?: string;
  }
  const list = alert
    .command('list [query]')
    .description('Lists the open alerts, the newest first, or those that a query finds')
    .option('--all', 'closed ones too, where there is no query')
    .option('-n, --limit <number>', 'at most so many', wholeNumber(1, MOST), 20)
    .option('--sort <field>', 'such as updatedAt, count, lastOccurredAt')
    .addOption(oneOf('--order <order>', 'desc where absent', ['asc', 'desc']))
    .action(async (query: string | undefined, options: ListOptions, command: Command) => {
      const invocation = start(command);
      const asked = query ?? (options.all === true ? undefined : 'status:open');
      const { limit, sort, order } = options;
      const alerts = await listed(invocation, { query: asked, sort, order }, limit);
      invocation.print(alerts, () => listText(invocation, alerts));
    });
  examples(
    list,
    ["tocsin alert list 'status:open AND priority:P1'", 'what is urgent'],
    ["tocsin alert list 'tag:db' --limit 500 --json", 'for a program'],
  );
}

async function listed(
  invocation: Invocation,
  query: Readonly<Record<string, string | undefined>>,
  limit: number,
): Promise<readonly Alert[]> {
  const api = invocation.api();
  const alerts: Alert[] = [];
  while (alerts.length < limit) {
    const size = Math.min(PAGE, limit - alerts.length);
    const page = await api.read<readonly Alert[]>('/v2/alerts', { ...query, offset: alerts.length, limit: size });
    alerts.push(...page);
    if (page.length < size) break;
    invocation.progress(`${alerts.length} alerts`);
  }
  return alerts;
}

const LOOKS: Readonly<Record<string, Look>> = { P1: 'alarm', P2: 'bad', P3: 'warn' };

function listText({ paint, moments, terminalWidth }: Invocation, alerts: readonly Alert[]): string {
  if (alerts.length === 0) return 'No alerts';
  const rows = alerts.map((alert): readonly Cell[] => [
    alert.tinyId,
    priorityCell(alert.priority),
    stateOf(alert),
    String(alert.count),
    moments.short(alert.createdAt),
    alert.owner,
    alert.message,
  ]);
  const created = moments.zone === 'UTC' ? 'CREATED (UTC)' : 'CREATED';
  return tableText(['ID', 'PRIO', 'STATE', 'COUNT', created, 'OWNER', 'MESSAGE'], rows, paint, terminalWidth);
}

function priorityCell(priority: string): Cell {
  const look = LOOKS[priority];
  return look === undefined ? priority : { text: priority, look };
}

function stateOf({ status, acknowledged, snoozed }: Alert): Cell {
  if (status === 'closed') return { text: 'closed', look: 'quiet' };
  if (snoozed) return { text: 'snoozed', look: 'quiet' };
  return acknowledged ? { text: 'acked', look: 'good' } : { text: 'open', look: 'bad' };
}

function addGet(alert: Command, start: Start): void {
  interface GetOptions {
    readonly by?: AlertKind;
    readonly notes?: boolean;
    readonly log?: boolean;
  }
  const get = alert
    .command('get <alert>')
    .description('Shows an alert')
    .addOption(byOption())
    .option('--notes', 'its newest 100 notes too')
    .option('--log', 'the newest 100 entries of its log too')
    .action(async (id: string, options: GetOptions, command: Command) => {
      const invocation = start(command);
      const api = invocation.api();
      const { path, kind } = alertPath(id, options.by);
      const found = await api.read<Alert>(path, { identifierType: kind });
      const notes = options.notes === true ? await history(api, found, 'notes') : undefined;
      const logs = options.log === true ? await history(api, found, 'logs') : undefined;
      invocation.print({ ...found, ...(notes && { notes }), ...(logs && { logs }) }, () =>
        [
          alertText(invocation, found),
          ...(notes ? [`\n${historyText(invocation, 'Notes', notes)}`] : []),
          ...(logs ? [`\n${historyText(invocation, 'Log', logs)}`] : []),
        ].join('\n'),
      );
    });
  examples(get, ['tocsin alert get 17 --log', 'what happened to it, and whom it paged']);
}

const history = (api: ApiClient, { id }: Alert, kind: 'notes' | 'logs'): Promise<readonly Entry[]> =>
  api.read(`/v2/alerts/${id}/${kind}`, { limit: 100 });

function alertText({ paint, moments }: Invocation, alert: Alert): string {
  const { snoozedUntil, details = {}, tags, responders, actions = [] } = alert;
  const given = (fields: readonly (readonly [string, Cell])[]) =>
    fields.filter(([, value]) => (typeof value === 'string' ? value : value.text) !== '');
  const state = stateOf(alert);
  return fieldsText(
    given([
      ['Message', alert.message],
      ['State', state],
      ['Priority', priorityCell(alert.priority)],
      ['Short id', alert.tinyId],
      ['Id', alert.id],
      ['Alias', alert.alias],
      ['Owner', alert.owner],
      ['Created', moments.long(alert.createdAt)],
      ['Count', String(alert.count)],
      ['Last', moments.long(alert.lastOccurredAt)],
      ['Snoozed', snoozedUntil === undefined ? '' : `until ${moments.long(snoozedUntil)}`],
      ['Source', alert.source],
      ['Entity', alert.entity ?? ''],
      ['Tags', tags.join(', ')],
      ['Responders', responders.map(({ type, id }) => `${type} ${id}`).join('\n')],
      ['Actions', actions.join(', ')],
      [
        'Details',
        Object.entries(details)
          .map((pair) => pair.join('='))
          .join('\n'),
      ],
      ['Text', alert.description ?? ''],
    ]),
    paint,
  );
}

/** The oldest first, as one reads. */
function historyText({ paint, moments }: Invocation, title: string, entries: readonly Entry[]): string {
  const lines = entries.toReversed().map(({ createdAt, owner, note, log }) => {
    const text = plainLines(note ?? log ?? '').replaceAll('\n', '\n  ');
    return `  ${paint(moments.short(createdAt), 'quiet')}  ${plainLines(owner)}: ${text}`;
  });
  return [paint(title, 'heading'), ...(lines.length === 0 ? ['  none'] : lines)].join('\n');
}
