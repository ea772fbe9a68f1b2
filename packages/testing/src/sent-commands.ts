/** The part of a driver's client that tells what it sends. */
interface CommandSource {
  on(event: 'commandStarted', listener: (sent: SentCommand) => void): unknown;
}

interface SentCommand {
  readonly commandName: string;
  readonly command: Readonly<Record<string, unknown>>;
}

/** `uri`, for a client that tells what it sends. */
export function monitoredUri(uri: string): string {
  const monitored = new URL(uri);
  monitored.searchParams.set('monitorCommands', 'true');
  return monitored.href;
}

/** What a client of a {@link monitoredUri} sends from now on, in order: `find alerts`, and `commitTransaction` alone. */
export function sentCommands(client: CommandSource): string[] {
  const commands: string[] = [];
  client.on('commandStarted', ({ command, commandName }) => {
    const collection = commandName === 'commitTransaction' ? '' : ` ${String(command[commandName])}`;
    commands.push(commandName + collection);
  });
  return commands;
}
