import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { ApiRequest } from '../api-client.ts';
import { duration, instant } from '../arguments.ts';
import { alertPath, reference } from '../identifiers.ts';
import { everything } from '../input.ts';
import type { Invocation } from '../invocation.ts';
import { plain } from '../output/text.ts';
import { printRequestResult } from '../request-result.ts';
import { EXIT, CliError } from '../cli-error.ts';
import { addAlertReads } from './alert-reads.ts';
import {
  actorOf,
  byOption,
  contentOf,
  withActor,
  withContent,
  withWait,
  type AlertOptions,
  type ContentOptions,
} from './alert-options.ts';
import { examples, type Start } from './start.ts';

/** `tocsin alert`: makes, reads and changes alerts. What changes one waits until that is settled. */
export function addAlertCommands(program: Command, start: Start): void {
  const alert = program
    .command('alert')
    .description('Makes, reads and changes alerts. ALERT is an id, the short number of the list, or an alias');
  addCreate(alert, start);
  addAlertReads(alert, start);
  addAction(alert, start, {
    name: 'ack',
    action: 'acknowledge',
    description: 'Acknowledges it, which stops its escalation',
  });
  addAction(alert, start, { name: 'close', action: 'close', description: 'Closes it, which ends everything' });
  addSnooze(alert, start);
  addNote(alert, start);
  addEscalate(alert, start);
}

function addCreate(alert: Command, start: Start): void {
  const create = withWait(withContent(alert.command('create <message>').description('Makes an alert'))).action(
    async (message: string, options: ContentOptions & { readonly wait: boolean }, command: Command) => {
      const invocation = start(command);
      const { description, ...rest } = options;
      const text = description === '-' ? await everything(invocation.io) : description;
      // A repeated request is counted, and makes no second alert, because both have one alias.
      const named = { ...rest, alias: rest.alias ?? randomUUID() };
      const body = contentOf(message, { ...named, ...(text !== undefined && { description: text }) });
      await sent(invocation, '/v2/alerts', { body }, options.wait);
    },
  );
  examples(
    create,
    ["tocsin alert create 'Disk full on db-1' -a disk-db-1 -p P1 -r team:Ops", 'pages by the routing rules of Ops'],
    ["df -h | tocsin alert create 'Disk full' -d - -r user:ada@example.com", 'with what df says'],
  );
}

interface Action {
  readonly name: string;
  /** The last part of the path. */
  readonly action: string;
  readonly description: string;
}

function addAction(alert: Command, start: Start, { name, action, description }: Action): void {
  const command = alert.command(`${name} <alert>`).description(description);
  withOptions(command).action(async (id: string, options: AlertOptions, ran: Command) => {
    await act(start(ran), { alert: id, action, options });
  });
  examples(command, [`tocsin alert ${name} 17`, 'by its short number'], [`tocsin alert ${name} disk-db-1`, 'by alias']);
}

function addSnooze(alert: Command, start: Start): void {
  interface SnoozeOptions extends AlertOptions {
    readonly for?: number;
    readonly until?: Date;
  }
  const command = alert.command('snooze <alert>').description('Silences it for a while, seven days at most');
  withOptions(command)
    .option('--for <duration>', 'such as 90m, 2h, 1d', duration)
    .option('--until <time>', 'such as 2026-03-02T18:00, local where it has no offset', instant)
    .action(async (id: string, options: SnoozeOptions, ran: Command) => {
      const invocation = start(ran);
      if ((options.for === undefined) === (options.until === undefined))
        throw new CliError(EXIT.usage, 'Say --for how long or --until when, one of the two.');
      const end = options.until ?? new Date(invocation.io.now().getTime() + (options.for ?? 0));
      await act(invocation, { alert: id, action: 'snooze', options, body: { endTime: end.toISOString() } });
    });
  examples(
    command,
    ['tocsin alert snooze 17 --for 2h', 'it pages again in two hours'],
    ['tocsin alert snooze 17 --until 2026-03-02T08:00', 'until eight, local time'],
  );
}

function addNote(alert: Command, start: Start): void {
  const command = alert.command('note <alert> <text>').description('Adds a note; `-` reads it from standard input');
  withWait(command)
    .addOption(byOption())
    .option('--user <name>', 'who acts')
    .option('--source <name>', 'where from')
    .action(async (id: string, text: string, options: AlertOptions, ran: Command) => {
      const invocation = start(ran);
      const note = text === '-' ? await everything(invocation.io) : text;
      await act(invocation, { alert: id, action: 'notes', options: { ...options, note }, onceOnly: true });
    });
  examples(command, ["tocsin alert note 17 'It was the fan'", 'also on a closed alert']);
}

function addEscalate(alert: Command, start: Start): void {
  const command = alert
    .command('escalate <alert> <escalation>')
    .description('Runs the next rule of an escalation, named by name or id, now');
  withOptions(command).action(async (id: string, escalation: string, options: AlertOptions, ran: Command) => {
    const body = { escalation: reference(escalation) };
    await act(start(ran), { alert: id, action: 'escalate', options, body, onceOnly: true });
  });
  examples(command, ["tocsin alert escalate 17 'Ops_escalation'", 'the next person is paged at once']);
}

const withOptions = (command: Command): Command => withWait(withActor(command.addOption(byOption())));

interface Act {
  readonly alert: string;
  readonly action: string;
  readonly options: AlertOptions;
  readonly body?: object;
  readonly onceOnly?: boolean;
}

async function act(invocation: Invocation, { alert, action, options, body, onceOnly = false }: Act): Promise<void> {
  const { path, kind } = alertPath(alert, options.by);
  const request = { body: { ...body, ...actorOf(options) }, onceOnly };
  await sent(invocation, `${path}/${action}?identifierType=${kind}`, request, options.wait);
}

async function sent(invocation: Invocation, path: string, request: ApiRequest, wait: boolean): Promise<void> {
  const api = invocation.api();
  const accepted = await api.send('POST', path, request);
  if (wait) await printRequestResult(invocation, api, accepted);
  else {
    const { result, requestId } = accepted;
    invocation.print({ result, requestId }, () => plain(`${String(result)}, request ${String(requestId)}`));
  }
}
