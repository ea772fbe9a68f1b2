import type { Command, Option } from 'commander';
import { EXIT, CliError } from '../cli-error.ts';
import type { Start } from './start.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Every shell asks the command itself, by words that no person types, so that all complete alike and nothing goes stale. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_tocsin() {
  local IFS=$'\\n'
  COMPREPLY=($(tocsin complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  COMPREPLY=("\${COMPREPLY[@]%%$'\\t'*}")
}
complete -o default -F _tocsin tocsin`,
  zsh: `_tocsin() {
  local -a found
  found=("\${(@f)$(tocsin complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  if [[ -n "\${found[1]}" ]]; then _describe tocsin found; else _files; fi
}
compdef _tocsin tocsin`,
  fish: `complete -c tocsin -f -a '(set -l words (commandline -opc) (commandline -ct); tocsin complete -- $words[2..] 2>/dev/null)'`,
};

/** `tocsin completion`, and what the scripts that it prints call. */
export function addCompletionCommands(program: Command, start: Start): void {
  program
    .command('completion <shell>')
    .description(`Prints what makes ${SHELLS.join(', ')} complete commands, options and profiles`)
    .addHelpText('after', '\nTo have it in every shell:\n' + HOW.map((line) => `  ${line}`).join('\n'))
    .action((shell: string, _options: object, command: Command) => {
      const found = SHELLS.find((each) => each === shell);
      if (found === undefined) throw new CliError(EXIT.usage, `Name one of ${SHELLS.join(', ')}.`);
      start(command).write(SCRIPTS[found]);
    });
  program
    .command('complete [words...]', { hidden: true })
    .description('Says what the last of the words may become, a line each')
    .action((words: readonly string[], _options: object, command: Command) => {
      const invocation = start(command);
      const profiles = () => Object.keys(invocation.profiles.read().profiles);
      const found = candidates(program, words, profiles);
      if (found.length > 0) invocation.write(found.map(([word, meaning]) => `${word}\t${meaning}`).join('\n'));
    });
}

const HOW = [
  `bash:  echo 'source <(tocsin completion bash)' >> ~/.bashrc`,
  `zsh:   echo 'source <(tocsin completion zsh)' >> ~/.zshrc   # after compinit`,
  `fish:  tocsin completion fish > ~/.config/fish/completions/tocsin.fish`,
];

type Candidate = readonly [word: string, meaning: string];

/** The completions of the last of `words`, each with its meaning. */
function candidates(
  program: Command,
  words: readonly string[],
  profiles: () => readonly string[],
): readonly Candidate[] {
  const [typed, last] = [words.slice(0, -1), words.at(-1) ?? ''];
  const { command, operands } = reached(program, typed);
  const options = optionsOf(program, command);
  const before = options.find((option) => takesValue(option) && isNamed(option, typed.at(-1)));
  const found =
    before !== undefined
      ? valuesOf(before, profiles)
      : last.startsWith('-')
        ? options.flatMap(flagOf)
        : operandsOf(command, operands, profiles);
  return found.filter(([word]) => word.startsWith(last));
}

/** The command that words lead to, and how many words follow that are neither commands nor options. */
function reached(program: Command, words: readonly string[]): { readonly command: Command; readonly operands: number } {
  let [command, operands] = [program, 0];
  for (const [at, word] of words.entries()) {
    const options = optionsOf(program, command);
    if (word.startsWith('-') || options.some((option) => takesValue(option) && isNamed(option, words[at - 1])))
      continue;
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) operands += 1;
    else command = next;
  }
  return { command, operands };
}

const optionsOf = (program: Command, command: Command): readonly Option[] => [
  ...command.options,
  ...(command === program ? [] : program.options),
];

const takesValue = ({ required, optional }: Option): boolean => required || optional;
const isNamed = ({ long, short }: Option, word: string | undefined): boolean =>
  word !== undefined && (word === long || word === short);

const flagOf = ({ long, description }: Option): readonly Candidate[] =>
  long === undefined ? [] : [[long, description]];

function valuesOf({ argChoices, long }: Option, profiles: () => readonly string[]): readonly Candidate[] {
  if (long === '--profile') return named(profiles());
  return named(argChoices ?? []);
}

function operandsOf(command: Command, operands: number, profiles: () => readonly string[]): readonly Candidate[] {
  if (command.commands.length > 0)
    return operands > 0 ? [] : command.createHelp().visibleCommands(command).map(commandOf);
  if (operands > 0) return [];
  if (command.parent?.name() === 'profile' && ['use', 'remove'].includes(command.name())) return named(profiles());
  return command.name() === 'completion' ? named(SHELLS) : [];
}

const commandOf = (command: Command): Candidate => [command.name(), command.description()];
const named = (words: readonly string[]): readonly Candidate[] => words.map((word) => [word, '']);
