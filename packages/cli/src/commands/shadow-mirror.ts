import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { ApiReadError } from '../moving/answer.ts';
import { idsOf } from '../moving/plan/applied.ts';
import { type Looked, Mirror } from '../moving/shadow/mirror.ts';
import { MirrorFile } from '../moving/shadow/mirror-file.ts';
import { NextLook } from '../moving/shadow/next-look.ts';
import { readShadow } from '../moving/shadow/switch.ts';
import { TocsinAlerts } from '../moving/shadow/tocsin-alerts.ts';
import { listenForWebhook, webhookPathIn } from '../moving/shadow/webhook-listener.ts';
import { counted, jsonLine, plain } from '../output/text.ts';
import { clientOf, type FromOptions, withAccount } from './import-options.ts';
import { examples, type Start } from './start.ts';

const EXIT_CODES = `
Exit codes:
  0 ended by Ctrl-C, or all is mirrored   1 shadow is off, or with --once: an alert was refused   2 cannot say

\`--timeout\` is that of each request here. Only GET is sent to the account.`;

interface Options extends FromOptions {
  readonly place: string;
  readonly fromSnapshot: string;
  readonly every: number;
  readonly once?: boolean;
  readonly listen?: number;
  readonly listenAddress: string;
}

/** `tocsin shadow mirror`: makes the alerts of Tocsin like those of an account of Opsgenie, while Tocsin is in shadow. */
export function addMirrorCommand(shadow: Command, start: Start): void {
  const command = withAccount(shadow.command('mirror'))
    .description(
      'Copies the alerts of an account of Opsgenie to Tocsin as they are created, acknowledged, snoozed and closed there, while Tocsin is in shadow',
    )
    .requiredOption('--place <folder>', 'a folder that keeps how far it is: a new one, or that of an earlier run')
    .requiredOption(
      '--from-snapshot <folder>',
      'the snapshot that was applied last: it says which ids things have in Tocsin',
    )
    .option('--every <seconds>', 'how often it looks for changes', wholeNumber(5, 600), 15)
    .option('--once', 'ends after one look')
    .option(
      '--listen <port>',
      'takes the outgoing webhook of Opsgenie, and looks at once when it comes',
      wholeNumber(1, 65_535),
    )
    .option('--listen-address <address>', 'the address of --listen, such as 0.0.0.0', '127.0.0.1')
    .addHelpText('after', EXIT_CODES)
    .action(async (options: Options, command: Command) => {
      await mirror(start(command), options);
    });
  examples(
    command,
    [
      'tocsin shadow mirror --from https://api.opsgenie.com --key-file key.txt --place mirror --from-snapshot snapshot',
      'goes on until Ctrl-C; run again, it goes on where it stopped',
    ],
    [
      'tocsin shadow mirror --from https://api.opsgenie.com --key-file key.txt --place mirror --from-snapshot snapshot --once',
      'for a timer of the machine',
    ],
  );
}

async function mirror(invocation: Invocation, options: Options): Promise<void> {
  const { io } = invocation;
  const { every, fromSnapshot, once = false, place, ...from } = options;
  if (once && options.listen !== undefined) throw new CliError(EXIT.usage, 'Choose --listen or --once.');
  const opsgenie = clientOf(invocation, from);
  const idOf = idsOf(fromSnapshot, opsgenie.url, invocation.connection().url);
  const file = MirrorFile.open(place, { from: opsgenie.url, to: invocation.connection().url }, io.now());
  const alerts = new TocsinAlerts(() => invocation.api());
  const mirroring = new Mirror({
    ...{ opsgenie, alerts, idOf, place: file, now: () => io.now() },
    requireShadow: () => requireShadow(invocation),
  });
  const next = new NextLook();
  let said: ReadonlySet<string> = new Set();
  let stopListening: () => void = () => undefined;
  try {
    stopListening = await listen(invocation, options, next);
    for (;;) {
      invocation.progress('Looking for changes');
      const looked = await lookedOnce(invocation, mirroring, once);
      if (looked !== undefined) said = say(invocation, looked, { file, once, said });
      if (once) return;
      invocation.progress(`Waiting for changes; Ctrl-C ends it`);
      await next.isDue(every * 1_000, io.interrupted);
    }
  } catch (error) {
    invocation.clearProgress();
    // That is how it is ended.
    if (!io.interrupted.aborted) throw error;
  } finally {
    stopListening();
    file.close();
  }
}

/** Asks for a look whenever the webhook of Opsgenie comes, where that is wanted. Resolves with a function that ends it. */
async function listen(
  invocation: Invocation,
  { listen: port, listenAddress: address, place }: Options,
  next: NextLook,
): Promise<() => void> {
  if (port === undefined) return () => undefined;
  const path = webhookPathIn(place);
  const stop = await listenForWebhook({ address, port, path }, () => {
    next.request();
  });
  const host = address.includes(':') ? `[${address}]` : address;
  invocation.note(`The webhook of Opsgenie is taken at http://${host}:${port}${path}`);
  return stop;
}

/** Undefined where a side cannot be asked at present: the next look does it. */
async function lookedOnce(invocation: Invocation, mirroring: Mirror, once: boolean): Promise<Looked | undefined> {
  try {
    await requireShadow(invocation);
    return await mirroring.look();
  } catch (error) {
    if (once || invocation.io.interrupted.aborted || !isPassing(error)) throw error;
    invocation.note(`${error.message} Trying again`);
    return undefined;
  }
}

/** Without shadow, each alert would page users a second time. @throws CliError (failed) where Tocsin is not in shadow. */
async function requireShadow(invocation: Invocation): Promise<void> {
  const { enabled } = await readShadow(invocation.api());
  if (enabled) return;
  throw new CliError(EXIT.failed, 'Shadow is off: Tocsin would page users for each alert. Nothing was mirrored.', [
    'Begin it: tocsin shadow start',
  ]);
}

const PASSING: ReadonlySet<unknown> = new Set([EXIT.unavailable, EXIT.unsettled]);

const isPassing = (error: unknown): error is CliError =>
  error instanceof ApiReadError
    ? error.fault === 'unavailable' || error.fault === 'answer'
    : error instanceof CliError && PASSING.has(error.exitCode);

/** How an outcome is said: a refused alert is named once, however often it is tried. */
interface Saying {
  readonly once: boolean;
  readonly file: MirrorFile;
  /** Ids of the refused alerts that were named. */
  readonly said: ReadonlySet<string>;
}

/** Prints what a look did. @returns the ids of the alerts that are refused still and were named. */
function say(invocation: Invocation, looked: Looked, { file, once, said }: Saying): ReadonlySet<string> {
  const { isWhole, mirrored, refused } = looked;
  const named = refused.filter(({ id }) => !said.has(id));
  const lines = [
    `${invocation.io.now().toISOString()}: ${counted(mirrored, 'alert')} mirrored.`,
    ...named.map(({ id, message, why }) => `  Refused: ${plain(message)} (${plain(id)}): ${plain(why)}`),
  ];
  if (once || mirrored > 0 || named.length > 0)
    invocation.write(invocation.json ? jsonLine({ ...looked, refused: named }) : lines.join('\n'));
  if (!isWhole)
    invocation.note('More than 20000 alerts were changed since the last look: the oldest changes are missing.');
  if (once || named.length > 0) sayRefused(invocation, file, once);
  const still = new Set([...said, ...named.map(({ id }) => id)]);
  return new Set(file.refused.filter((id) => still.has(id)));
}

/** Says that refused alerts are not tried again. @throws CliError (failed) for refused alerts where no other look follows. */
function sayRefused(invocation: Invocation, { isCut, refused }: MirrorFile, once: boolean): void {
  if (isCut) invocation.note('More than 1000 alerts were refused at once: some of them are not tried again.');
  if (once && (isCut || refused.length > 0))
    throw new CliError(EXIT.failed, `${counted(refused.length, 'alert')} are refused, and tried again.`);
}
