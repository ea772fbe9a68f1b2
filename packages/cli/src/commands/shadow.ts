import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import { answer } from '../input.ts';
import type { Invocation } from '../invocation.ts';
import { readShadow, type Shadow, SWITCH_PATH } from '../moving/shadow/switch.ts';
import { addAcceptCommand } from './shadow-accept.ts';
import { addMirrorCommand } from './shadow-mirror.ts';
import { addReplayCommand } from './shadow-replay.ts';
import { addReportCommand } from './shadow-report.ts';
import { examples, type Start } from './start.ts';

/** `tocsin shadow`: real alerts, and no message, until it is ended. */
export function addShadowCommands(program: Command, start: Start): void {
  const shadow = program
    .command('shadow')
    .description('Shadow: Tocsin takes real alerts and records each message in place of sending it');
  const begin = shadow
    .command('start')
    .description('Begins shadow: once this is done, no page, call, mail, webhook or post is sent')
    .action((_options: object, command: Command) => set(start(command), true));
  const status = shadow
    .command('status')
    .description('Says whether shadow is on')
    .action(async (_options: object, command: Command) => {
      const invocation = start(command);
      const present = await readShadow(invocation.api());
      invocation.print(present, () => shadowText(invocation, present));
    });
  const end = shadow
    .command('stop')
    .description('Ends shadow: pages are sent from then on. What was held back is not sent')
    .option('-y, --yes', 'without asking first')
    .action(async ({ yes = false }: { readonly yes?: boolean }, command: Command) => {
      const invocation = start(command);
      if (!yes) await confirm(invocation);
      await set(invocation, false);
    });
  addMirrorCommand(shadow, start);
  addReportCommand(shadow, start);
  addAcceptCommand(shadow, start);
  addReplayCommand(shadow, start);
  examples(begin, ['tocsin shadow start', 'before real alerts come in']);
  examples(status, ['tocsin shadow status', 'on or off, since when, and by whom']);
  examples(end, ['tocsin shadow stop', 'asks first'], ['tocsin shadow stop --yes', 'in a script']);
}

/** The sentence about shadow. Begins with words in capitals while it is on. */
export function shadowText(
  { moments }: Pick<Invocation, 'moments'>,
  { changedAt, changedBy, enabled }: Shadow,
): string {
  const by = changedBy === undefined ? '' : `, by ${changedBy}`;
  return enabled
    ? `SHADOW IS ON since ${moments.long(changedAt)}${by}: no message is sent to any user. \`tocsin shadow stop\` ends it.`
    : `Shadow is off since ${moments.long(changedAt)}${by}: messages are sent.`;
}

async function set(invocation: Invocation, enabled: boolean): Promise<void> {
  const api = invocation.api();
  invocation.progress('Waiting until each process of notifier knows it');
  const present = (await api.send('PUT', SWITCH_PATH, { body: { enabled } }))['data'] as Shadow;
  invocation.print(present, () => shadowText(invocation, present));
}

async function confirm(invocation: Invocation): Promise<void> {
  const { io } = invocation;
  if (io.stdin.isTTY !== true)
    throw new CliError(EXIT.usage, 'Users are paged once shadow ends. Repeat it with --yes.');
  const { url } = invocation.connection();
  const typed = await answer(io, `Users of ${url} are paged once shadow ends. Type yes to end it: `);
  if (typed !== 'yes') throw new CliError(EXIT.failed, 'Nothing was changed.');
}
