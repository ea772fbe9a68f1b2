import type { Command } from 'commander';
import type { ApiClient } from '../api-client.ts';
import { instant } from '../arguments.ts';
import { CliError, EXIT } from '../cli-error.ts';
import { idOrName } from '../identifiers.ts';
import type { Invocation } from '../invocation.ts';
import { mapConcurrent } from '../map-concurrent.ts';
import { tableText, type Cell } from '../output/table.ts';
import { shiftEnd, type Timeline } from '../timeline.ts';
import { readShadow, type Shadow } from '../moving/shadow/switch.ts';
import { shadowText } from './shadow.ts';
import { examples, type Start } from './start.ts';

interface OnCall {
  readonly _parent: { readonly id: string; readonly name: string; readonly enabled: boolean };
  readonly onCallRecipients: readonly string[];
}

interface Shown extends OnCall {
  /** Absent where it is not known: in more than a week, behind a team or an escalation, or in too many schedules at once. */
  readonly until?: string;
  /** False for a schedule that nothing is set up in, such as the default one of a new team. Absent where it is not known. */
  readonly hasRotations?: boolean;
}

/** Of so many schedules at most it is asked until when their people are on call: each costs a request. */
const MAX_ENDS = 25;
const LANES = 4;

/** `tocsin who`: who is on call, everywhere or in one schedule. */
export function addWhoCommand(program: Command, start: Start): void {
  const who = program
    .command('who [schedule]')
    .description('Says who is on call now, in every schedule or in one, named by name or id')
    .option('--at <time>', 'at another time, such as 2026-12-24T18:00, local where it has no offset', instant)
    .action(async (schedule: string | undefined, { at }: { readonly at?: Date }, command: Command) => {
      const invocation = start(command);
      const api = invocation.api();
      const shadow = await shadowOf(api);
      if (shadow?.enabled === true) invocation.note(shadowText(invocation, shadow));
      const onCalls = await read(api, schedule, at);
      const shown = await withEnds(api, onCalls, at ?? invocation.io.now(), at);
      invocation.print(schedule === undefined ? shown : shown[0], () => text(invocation, shown));
    });
  examples(
    who,
    ['tocsin who', 'everywhere'],
    ["tocsin who 'Ops_schedule'", 'in one schedule'],
    ['tocsin who --at 2026-12-24T18:00', 'on Christmas Eve'],
  );
}

/** Undefined where the installation does not answer that: the users on call are read all the same, and at once. */
async function shadowOf(api: ApiClient): Promise<Shadow | undefined> {
  try {
    return await readShadow(api, { onceOnly: true });
  } catch (error) {
    if (error instanceof CliError && error.exitCode !== EXIT.interrupted) return undefined;
    throw error;
  }
}

async function read(api: ApiClient, schedule: string | undefined, at: Date | undefined): Promise<readonly OnCall[]> {
  const query = { flat: true, date: at?.toISOString() };
  if (schedule === undefined) return api.read('/v2/schedules/on-calls', query);
  const path = `/v2/schedules/${encodeURIComponent(schedule)}/on-calls`;
  return [await api.read<OnCall>(path, { ...query, scheduleIdentifierType: idOrName(schedule) })];
}

async function withEnds(
  api: ApiClient,
  onCalls: readonly OnCall[],
  now: Date,
  at: Date | undefined,
): Promise<readonly Shown[]> {
  if (onCalls.length > MAX_ENDS) return onCalls;
  return mapConcurrent(LANES, onCalls, async (onCall): Promise<Shown> => {
    const query = { interval: 8, intervalUnit: 'days', date: at?.toISOString() };
    const timeline = await api.read<Timeline>(`/v2/schedules/${onCall._parent.id}/timeline`, query);
    const until = shiftEnd(timeline, now.getTime());
    const hasRotations = timeline.finalTimeline.rotations.length > 0;
    return { ...onCall, hasRotations, ...(until !== undefined && { until: new Date(until).toISOString() }) };
  });
}

function text({ paint, moments, terminalWidth }: Invocation, shown: readonly Shown[]): string {
  if (shown.length === 0) return 'There are no schedules';
  const rows = shown.map((one): readonly Cell[] => [
    one._parent.name,
    one.until === undefined ? '' : moments.short(one.until),
    one.onCallRecipients.length > 0 ? one.onCallRecipients.join(', ') : emptyCell(one),
  ]);
  const until = moments.zone === 'UTC' ? 'UNTIL (UTC)' : 'UNTIL';
  return tableText(['SCHEDULE', until, 'ON CALL'], rows, paint, terminalWidth);
}

/** A schedule without a rotation is not in use: an empty one is no alarm. */
function emptyCell({ _parent: { enabled }, hasRotations }: Shown): Cell {
  if (hasRotations === false) return { text: 'no rotations', look: 'quiet' };
  return { text: enabled ? 'NO USER' : 'NO USER (disabled)', look: 'alarm' };
}
