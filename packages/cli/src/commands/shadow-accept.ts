import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import { acceptedIn, appendAccepted } from '../moving/shadow/accepted-file.ts';
import { reportedIn } from '../moving/shadow/reported-file.ts';
import { counted, plain } from '../output/text.ts';
import { examples, type Start } from './start.ts';

const MAX_REASON = 500;

const EXIT_CODES = `
Exit codes:
  0 done   2 an id or an option is wrong, or the folder has no report: nothing is changed

Nothing is sent.`;

interface AcceptOptions {
  readonly place: string;
  readonly because?: string;
  readonly undo?: boolean;
}

/** `tocsin shadow accept`: the reason why a difference of the report is as it has to be. */
export function addAcceptCommand(shadow: Command, start: Start): void {
  const command = shadow
    .command('accept <alert...>')
    .description(
      'States why alerts differ that `tocsin shadow report` lists, named by their ids in Opsgenie: the report then lists them as explained, until they differ in another way',
    )
    .requiredOption('--place <folder>', 'the folder of `tocsin shadow mirror`')
    .option('--because <reason>', `the reason, of ${MAX_REASON} characters at most`)
    .option('--undo', 'takes back what was accepted')
    .addHelpText('after', EXIT_CODES)
    .action((alerts: readonly string[], options: AcceptOptions, command: Command) => {
      const invocation = start(command);
      const ids = [...new Set(alerts)];
      const at = invocation.io.now().toISOString();
      if (options.undo === true) undo(options, ids, at);
      else accept(options, ids, at);
      invocation.print(
        { alerts: ids, ...(options.undo === true ? { undone: true } : { because: options.because }) },
        () => `${counted(ids.length, 'alert')} ${options.undo === true ? 'no longer accepted' : 'accepted'}.`,
      );
    });
  const id = '70413a06-38d6-4c85-92b8-5ebc900d42e2-1479717447425';
  examples(
    command,
    [`tocsin shadow accept ${id} --because 'Grace was added by hand' --place mirror`, 'one of the report'],
    [`tocsin shadow accept ${id} --undo --place mirror`, 'takes it back'],
  );
}

function accept({ because, place }: AcceptOptions, ids: readonly string[], acceptedAt: string): void {
  const reason = because?.trim() ?? '';
  if (reason === '') throw new CliError(EXIT.usage, 'State the reason: --because TEXT.');
  if (reason.length > MAX_REASON)
    throw new CliError(EXIT.usage, `The reason has ${reason.length} characters: ${MAX_REASON} are allowed.`);
  const reported = reportedIn(place);
  requireKnown(ids, reported, 'The last report lists no difference of');
  const lines = ids.map((id) => ({
    ...{ id, because: reason, acceptedAt },
    differences: reported.get(id)?.differences ?? [],
  }));
  appendAccepted(place, lines);
}

function undo({ because, place }: AcceptOptions, ids: readonly string[], undoneAt: string): void {
  if (because !== undefined) throw new CliError(EXIT.usage, 'Give --because or --undo, not both.');
  requireKnown(ids, acceptedIn(place), 'No difference was accepted of');
  appendAccepted(
    place,
    ids.map((id) => ({ id, undoneAt })),
  );
}

function requireKnown(ids: readonly string[], known: ReadonlyMap<string, unknown>, what: string): void {
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new CliError(EXIT.usage, `${what} ${plain(unknown.join(', '))}.`, [
      'Nothing was changed. `tocsin shadow report` prints the ids.',
    ]);
}
