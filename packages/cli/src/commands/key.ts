import type { Command } from 'commander';
import type { ApiClient } from '../api-client.ts';
import { isId, reference } from '../identifiers.ts';
import { plain } from '../output/text.ts';
import { EXIT, CliError } from '../cli-error.ts';
import { examples, type Start } from './start.ts';

interface CreateOptions {
  readonly team?: string;
  readonly readOnly?: boolean;
  readonly configuration?: boolean;
  readonly type: string;
}

interface Integration {
  readonly id: string;
  readonly name: string;
}

interface Rotated extends Integration {
  readonly apiKey: string;
  readonly previousKeyValidUntil: string;
}

/** `tocsin key`: a key is that of an integration. It alone stands on standard output, so that it can be piped on. */
export function addKeyCommands(program: Command, start: Start): void {
  const key = program
    .command('key')
    .description('Makes and replaces keys. Each belongs to an integration and is shown once, alone on standard output');
  addCreate(key, start);
  addRotate(key, start);
}

function addCreate(key: Command, start: Start): void {
  const create = key
    .command('create <name>')
    .description('Makes an integration and its key, which may read and write alerts')
    .option('--team <team>', 'of a team, by name or id: it sees and writes what is of that team')
    .option('--read-only', 'may change nothing')
    .option('--configuration', 'may read, and unless it is --read-only change, the configuration too')
    .option('--type <type>', 'of the integration, such as API, Prometheus, Grafana', 'API')
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const invocation = start(command);
      const { team, readOnly = false, configuration = false, type } = options;
      const body = {
        ...{ type, name, allowWriteAccess: !readOnly, allowConfigurationAccess: configuration },
        ...(team !== undefined && { ownerTeam: reference(team) }),
      };
      const { data } = await invocation.api().send('POST', '/v2/integrations', { body });
      const { apiKey, ...made } = data as Integration & { readonly apiKey?: string };
      if (apiKey === undefined) invocation.print(made, () => `Created ${name}, whose type has no key`);
      else {
        invocation.print(data, () => plain(apiKey));
        invocation.note(`The key of ${name} (${made.id}), shown this once`);
      }
    });
  examples(
    create,
    ['tocsin key create ci --team Ops', 'for alerts of one team'],
    ['tocsin key create terraform --configuration', 'to configure'],
  );
}

function addRotate(key: Command, start: Start): void {
  const rotate = key
    .command('rotate <integration>')
    .description('Gives an integration, named by name or id, a new key; the one before works on for a while')
    .action(async (integration: string, _options: object, command: Command) => {
      const invocation = start(command);
      const api = invocation.api();
      const id = await integrationId(api, integration);
      const { data } = await api.send('POST', `/v2/integrations/${id}/rotate-key`);
      const { name, apiKey, previousKeyValidUntil } = data as Rotated;
      invocation.print(data, () => plain(apiKey));
      const until = invocation.moments.long(previousKeyValidUntil);
      invocation.note(`The new key of ${name}, shown this once. The key before works until ${until}`);
    });
  examples(rotate, ['tocsin key rotate ci | tocsin profile add ci --url https://tocsin.example.com', 'and keeps it']);
}

/** The id of an integration that is named by name or id: paths name integrations by id alone. */
export async function integrationId(api: ApiClient, name: string): Promise<string> {
  if (isId(name)) return name;
  const found = (await api.read<readonly Integration[]>('/v2/integrations')).find((each) => each.name === name);
  if (found !== undefined) return found.id;
  throw new CliError(EXIT.missing, `There is no integration [${name}] that this key may see.`);
}
