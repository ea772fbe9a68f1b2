import type { Command, Option } from 'commander';
import { details, instant, oneOf, repeated, responders } from '../arguments.ts';
import { ALERT_KINDS, alertPath, type AlertKind } from '../identifiers.ts';
import { EXIT, CliError } from '../cli-error.ts';

/** The options of a new alert. */
export interface ContentOptions {
  readonly alias?: string;
  readonly description?: string;
  readonly priority?: string;
  readonly responder?: readonly object[];
  readonly tag?: readonly string[];
  readonly detail?: Readonly<Record<string, string>>;
  readonly action?: readonly string[];
  readonly entity?: string;
  readonly user?: string;
  readonly source?: string;
  readonly note?: string;
}

/** The actor, the source and the note of an action on an alert. */
export type ActorOptions = Pick<ContentOptions, 'user' | 'source' | 'note'>;

/** Which alert is meant, and whether the command waits. */
export interface AlertOptions extends ActorOptions {
  readonly by?: AlertKind;
  readonly wait: boolean;
}

/** The options that describe an alert. */
export function withContent(command: Command): Command {
  return withActor(
    command
      .option('-a, --alias <alias>', 'of alerts with one alias only one is open; repeats are counted')
      .option('-d, --description <text>', '`-` reads it from standard input')
      .addOption(oneOf('-p, --priority <priority>', 'P3 where absent', ['P1', 'P2', 'P3', 'P4', 'P5']))
      .option('-r, --responder <type:name>', 'user:, team:, schedule: or escalation:, repeatable', responders)
      .option('-t, --tag <tag>', 'repeatable', repeated)
      .option('--detail <key=value>', 'a custom property, repeatable', details)
      .option('--action <name>', 'a custom action, repeatable', repeated)
      .option('--entity <name>', 'what the alert is about'),
  );
}

/** An alert that is described or exists, and when it is to come. */
export interface SupposedOptions extends ContentOptions {
  readonly existing?: string;
  readonly by?: AlertKind;
  readonly integration?: string;
  readonly at?: Date;
}

/** The options of a question about an alert that is not made. */
export function withSupposed(command: Command): Command {
  return withContent(command)
    .option('--existing <alert>', 'an alert that exists, by id, short number or alias, in place of a message')
    .addOption(byOption())
    .option('--integration <id>', 'as if it came through this integration')
    .option('--at <time>', 'as if it came then', instant);
}

/** Options that say what an alert is like, or how it came: an alert that exists says so itself. */
const DESCRIBING = [
  ...(['alias', 'description', 'priority', 'responder', 'tag', 'detail', 'action', 'entity'] as const),
  ...(['user', 'source', 'note', 'integration'] as const),
] satisfies readonly (keyof SupposedOptions)[];

/**
 * The body of such a question.
 *
 * @throws CliError unless either a message or an alert is named, and for options that describe an alert that exists.
 */
export function supposed(message: string | undefined, options: SupposedOptions): Readonly<Record<string, unknown>> {
  const { existing, integration: integrationId, by } = options;
  const at = options.at?.toISOString();
  if ((message === undefined) === (existing === undefined))
    throw new CliError(EXIT.usage, 'Give the message of an alert, or --existing and an alert, one of the two.');
  if (existing === undefined) return { ...contentOf(message ?? '', options), integrationId, at };
  const surplus = DESCRIBING.find((name) => options[name] !== undefined);
  if (surplus !== undefined)
    throw new CliError(EXIT.usage, `--existing takes the alert as it is: leave out --${surplus}.`);
  return { identifier: existing, identifierType: alertPath(existing, by).kind, at };
}

/** The body of an alert that is to be made. */
export function contentOf(message: string, options: ContentOptions): Readonly<Record<string, unknown>> {
  const { alias, description, priority, responder, tag, detail, action, entity } = options;
  return {
    ...{ message, alias, description, priority, entity },
    ...{ responders: responder, tags: tag, details: detail, actions: action },
    ...actorOf(options),
  };
}

export function withActor(command: Command): Command {
  return command
    .option('--user <name>', 'who acts')
    .option('--source <name>', 'where from')
    .option('--note <text>', 'a note on the alert');
}

export const actorOf = ({ user, source, note }: ActorOptions): ActorOptions => ({
  ...(user !== undefined && { user }),
  ...(source !== undefined && { source }),
  ...(note !== undefined && { note }),
});

/** How ALERT is to be understood. */
export const byOption = (): Option => oneOf('--by <kind>', 'what ALERT is, where its form does not say', ALERT_KINDS);

export const withWait = (command: Command): Command =>
  command.option('--no-wait', 'ends as soon as the request is accepted, before it is settled');
