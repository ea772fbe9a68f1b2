import type { Command } from 'commander';
import { isOpenOnTheWay, keyText, webAddress } from '../connection.ts';
import { secret } from '../input.ts';
import { tableText } from '../output/table.ts';
import { EXIT, CliError } from '../cli-error.ts';
import { examples, type Start } from './start.ts';

/** `tocsin profile`: which installations there are, and the key for each. Nothing is asked of any of them. */
export function addProfileCommands(program: Command, start: Start): void {
  const profile = program.command('profile').description('The installations that you use, and the key for each');
  addAdd(profile, start);
  profile
    .command('list')
    .description('Lists the profiles; of a key only its end')
    .action((_options: object, command: Command) => {
      const invocation = start(command);
      const { current, profiles } = invocation.profiles.read();
      const shown = Object.entries(profiles).map(([name, { url, key }]) => ({
        ...{ name, url },
        ...{ keyEnd: key.slice(-4), current: name === current },
      }));
      const rows = shown.map((each) => [each.current ? '*' : '', each.name, each.url, `…${each.keyEnd}`]);
      invocation.print(shown, () => tableText(['', 'NAME', 'URL', 'KEY'], rows, invocation.paint));
    });
  profile
    .command('use <name>')
    .description('Makes a profile the one that is used where none is named')
    .action((name: string, _options: object, command: Command) => {
      const invocation = start(command);
      invocation.profiles.use(name);
      invocation.print({ current: name }, () => `Using ${name} from now on`);
    });
  profile
    .command('remove <name>')
    .description('Forgets a profile and its key; the key works on')
    .action((name: string, _options: object, command: Command) => {
      const invocation = start(command);
      invocation.profiles.remove(name);
      invocation.print({ removed: name }, () => `Removed ${name}`);
    });
}

function addAdd(profile: Command, start: Start): void {
  const add = profile
    .command('add <name>')
    .description('Adds a profile, or replaces the one of that name. The key is asked for, or read from standard input')
    .requiredOption('--url <url>', 'where the installation answers')
    .action(async (name: string, { url: written }: { readonly url: string }, command: Command) => {
      const invocation = start(command);
      const url = webAddress(written);
      if (name.trim() === '' || name !== name.trim()) throw new CliError(EXIT.usage, 'Give the profile a name.');
      // Whether the file can be read is known before a key is typed.
      invocation.profiles.read();
      const key = keyText(await secret(invocation.io, `Key for ${url}: `));
      const done = invocation.profiles.add(name, { url, key });
      if (isOpenOnTheWay(url)) invocation.note('Careful: without https the key can be read on the way.');
      invocation.print({ [done]: name, url }, () => `${done === 'added' ? 'Added' : 'Replaced'} ${name} (${url})`);
    });
  examples(
    add,
    ['tocsin profile add home --url http://127.0.0.1:8080', 'asks for the key, and does not show it'],
    ['tocsin key create ci | tocsin profile add ci --url https://tocsin.example.com', 'the key of another command'],
  );
}
